"""`/api/status`, `/api/hosts`, `/api/problems` and `/api/explain`: what a crawl does and did."""

import json
from contextlib import aclosing
from dataclasses import replace
from itertools import islice
from typing import Final

from starlette.responses import Response

from gossamer.frontier.protocol import HostStage, Trouble
from gossamer.owner.messages import Record, ask
from gossamer.owner.questions import Explain, Hosts, Problems, Status
from gossamer.service.answers import json_answer, next_page, while_there
from gossamer.service.freshness import FRESH_PAGES
from gossamer.service.history import load_history
from gossamer.service.routes import Call, Parameter, Parts, Route, json_reply
from gossamer.service.schemas import (
    ANYTHING,
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    listed,
    one_of,
    or_null,
    record,
    table_of,
    text,
    whole,
)
from gossamer.service.watching import CrawlWatch

MOST_ON_A_PAGE: Final = 1_000
USUAL_ON_A_PAGE: Final = 100
MOST_OF_A_HOST: Final = 260  # characters
MOST_OF_A_URL: Final = 10_000

_COUNTS: Final = table_of(WHOLE)
_STATUS: Final = record(
    {
        "data": TEXT,
        "frontier": or_null(TEXT),
        "owner": record({"process": WHOLE, "command": TEXT}),
        "run": or_null({"type": "object"}),
        **dict.fromkeys(
            (
                *("known", "left", "pending", "handed", "waiting", "aside", "beyond"),
                *("visited_hosts", "with_content"),
            ),
            WHOLE,
        ),
        **dict.fromkeys(("ended", "failures", "refusals", "not_followed", "hosts"), _COUNTS),
        "next_at": or_null(TEXT),
        "graph": or_null(_COUNTS),
        "graph_trouble": or_null(TEXT),
        "changes": or_null({"type": "object"}),
        "fresh": record(FRESH_PAGES),
        "words": or_null(
            record(
                {
                    **dict.fromkeys(
                        ("documents", "behind_files", "behind_bytes", "later", "skipped"), WHOLE
                    ),
                    "behind_seconds": NUMBER,
                    **dict.fromkeys(("is_being_made", "is_made", "in_step"), FLAG),
                }
            )
        ),
        "words_trouble": or_null(TEXT),
        "confined": table_of(TEXT),
        "over_budget": listed(
            record(
                {
                    "site": TEXT,
                    **dict.fromkeys(("waiting", "aside", "elsewhere", "left_out"), WHOLE),
                    "over": listed(TEXT),
                }
            )
        ),
        "hidden_links": table_of(record(dict.fromkeys(("found", "pages", "with_data"), WHOLE))),
        "disk": _COUNTS,
        "disk_free": WHOLE,
        "archive_folders": listed(
            record(
                {
                    "folder": TEXT,
                    **dict.fromkeys(("free", "total"), WHOLE),
                    "in_use": FLAG,
                    "trouble": or_null(TEXT),
                }
            )
        ),
    }
)
_HOST: Final = record(
    {
        **dict.fromkeys(("host", "site", "stage", "why"), TEXT),
        **dict.fromkeys(("pending", "waiting", "content", "failures"), WHOLE),
        "delay": NUMBER,
        "until": or_null(TEXT),
        "next_at": or_null(TEXT),
        "node": or_null(TEXT),
    }
)
_PROBLEM: Final = record(
    {"syntax": or_null(TEXT), "line": or_null(WHOLE), "message": TEXT},
)
_PAGE: Final = record(
    {
        "url": TEXT,
        "kind": one_of(*Trouble),
        "status": or_null(WHOLE),
        "why": or_null(TEXT),
        "attempts": WHOLE,
        "settled_at": or_null(TEXT),
        "problems": listed(_PROBLEM),
        "problem_count": WHOLE,
    }
)
_EXPLAINED: Final = record(
    {
        "given": TEXT,
        "url": or_null(TEXT),
        "scope": record({"kind": TEXT, "seeds": WHOLE, "refused": ANYTHING}),
        "trap": or_null(record({"rule": TEXT, "why": TEXT})),
        "robots": or_null(record({"allowed": FLAG, "why": TEXT})),
        "delay": or_null(record({"seconds": NUMBER, "source": TEXT})),
        "trouble": or_null(TEXT),
        "verdict": record({"allowed": FLAG}),
        "page": or_null(record({"state": TEXT})),
        "parameters": listed(record({"parameter": TEXT, "standing": TEXT})),
        "duplicates": or_null(record({"representative": TEXT, "members": WHOLE})),
    }
)


async def status_of(call: Call) -> Record:
    """How the crawl stands, or stood a moment ago."""
    return await _status(call.parts)


async def _status(parts: Parts) -> Record:
    return await parts.status.get(lambda: ask(parts.answering, Status()))


def watched(parts: Parts) -> Parts:
    """The parts of the service, with a watch over the status."""
    watch = CrawlWatch(
        answering=parts.answering,
        status=lambda: _status(parts),
        history=load_history(parts.data.history_file),
    )
    return replace(parts, watch=watch)


async def status(call: Call) -> Response:
    """How it stands."""
    return json_answer(call.request, await status_of(call))


async def hosts(call: Call) -> Response:
    """A page of hosts, by name."""
    given = call.given
    found, after = await find_hosts(call, given["stage"], given["after"], given["limit"])
    shown = {"hosts": found, "next": after}
    return json_answer(call.request, shown, headers=next_page(call.request, after))


async def find_hosts(
    call: Call, stage: str | None, after: str | None, limit: int
) -> tuple[list[Record], str | None]:
    """Hosts after one by name, at most so many, and after which the next page begins, if there is one."""
    # One more, to see whether there is a next page.
    question = Hosts(stage=stage, after=after, limit=limit + 1)
    found = await while_there(call.request, _lines(call, question, limit + 1))
    following: str | None = found[limit - 1]["host"] if len(found) > limit else None
    return found[:limit], following


async def problems(call: Call) -> Response:
    """Pages that did not go well, the latest first."""
    found = await find_problems(call)
    headers = next_page(call.request, found["next"])
    return json_answer(call.request, found, headers=headers)


async def find_problems(call: Call) -> Record:
    """A page of them, by the parameters of a call, and where the next one begins."""
    given = call.given
    question = Problems(
        host=given["host"] or None,
        kinds=given["kind"],
        after=given["after"],
        limit=given["limit"],
    )
    return await ask(call.parts.answering, question)


async def explain(call: Call) -> Response:
    """Every decision about one URL."""
    asking = ask(call.parts.answering, Explain(call.given["url"]))
    return json_answer(call.request, await while_there(call.request, asking))


async def _lines(call: Call, question: Hosts, most: int) -> list[Record]:
    """The first records of an answer that has one a line."""
    held, found = b"", list[Record]()
    async with aclosing(call.parts.answering.answer(question).__aiter__()) as parts:
        async for part in parts:
            *lines, held = (held + part).split(b"\n")
            found += map(json.loads, islice(lines, most - len(found)))
            if len(found) >= most:
                break
    return found


PLACE: Final = Parameter(
    name="after",
    doc="Only pages after this place, which is the `next` of the page before.",
    schema=text(most=40, pattern=r"^\d{1,18}\.\d{1,18}$"),
)
_LIMIT: Final = Parameter(
    name="limit",
    doc="Most on a page.",
    schema=whole(1, MOST_ON_A_PAGE),
    default=USUAL_ON_A_PAGE,
)

ROUTES: Final = (
    Route(
        path="/api/status",
        summary="How the crawl stands",
        handler=status,
        replies=json_reply("Counts, what runs, and how much room it takes.", _STATUS),
    ),
    Route(
        path="/api/hosts",
        summary="What each host is doing, and why",
        doc="By name. `next` is the value of `after` for the next page, and so is the Link header.",
        handler=hosts,
        parameters=(
            Parameter(name="stage", doc="Only hosts in this stage.", schema=one_of(*HostStage)),
            Parameter(
                name="after", doc="Only hosts after this one.", schema=text(most=MOST_OF_A_HOST)
            ),
            _LIMIT,
        ),
        replies=json_reply(
            "A page of hosts.", record({"hosts": listed(_HOST), "next": or_null(TEXT)})
        ),
    ),
    Route(
        path="/api/problems",
        summary="Pages that did not go well, the latest first",
        handler=problems,
        parameters=(
            Parameter(
                name="host", doc="Only pages of this host.", schema=text(most=MOST_OF_A_HOST)
            ),
            Parameter(name="kind", doc="Only this kind.", schema=one_of(*Trouble), many=True),
            PLACE,
            _LIMIT,
        ),
        replies=json_reply(
            "Pages and their problems; `next` is the value of `after` for the next page.",
            record({"pages": listed(_PAGE), "next": or_null(TEXT)}),
        ),
    ),
    Route(
        path="/api/explain",
        summary="Every decision about one URL",
        doc="Fetches robots.txt where it is not known, politely.",
        handler=explain,
        parameters=(
            Parameter(
                name="url",
                doc="The URL; its scheme may be left out.",
                schema=text(most=MOST_OF_A_URL, least=1),
                required=True,
            ),
        ),
        replies=json_reply("What each part says of it.", _EXPLAINED),
    ),
)
