"""`/api/changes` and `/changes.atom`: what pages say otherwise than before, by entity, the latest first."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from starlette.responses import Response

from gossamer.history.asking import KINDS, MOST, ChangeFilter, moment_of
from gossamer.history.telling import befores_and_afters, name_of, told_briefly, types_of
from gossamer.moments import now_utc
from gossamer.owner.messages import Record, ask
from gossamer.owner.questions import ListChanges
from gossamer.service.answers import json_answer, next_page, tagged, while_there
from gossamer.service.errors import ProblemError
from gossamer.service.routes import Call, Parameter, Reply, Route, json_reply
from gossamer.service.schemas import TEXT, WHOLE, listed, one_of, or_null, record, text, whole

USUAL: Final = 100
USUAL_ENTRIES: Final = 50
MOST_OF_A_NAME: Final = 2_000
MOST_OF_A_URL: Final = 10_000
ATOM: Final = "application/atom+xml"
TOLD: Final = 20  # properties in an entry of the feed
_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SHORT: Final = text(most=MOST_OF_A_NAME, least=1)
_SAID: Final = listed(
    record(
        dict.fromkeys(("property", "path", "value", "type", "language", "datatype"), TEXT),
        optional=("language", "datatype"),
    )
)
_CHANGE: Final = record(
    {
        **dict.fromkeys(("id", "entity", "page", "at"), TEXT),
        "kind": one_of(*KINDS),
        "label": or_null(TEXT),
        "types": listed(TEXT),
        **dict.fromkeys(("added", "removed"), _SAID),
    }
)


async def changes(call: Call) -> Response:
    """Changes, a page of them."""
    found = await find_changes(call)
    headers = next_page(call.request, found["next"])
    return json_answer(call.request, found, headers=headers)


async def atom(call: Call) -> Response:
    """Changes as a feed."""
    found = (await find_changes(call))["changes"]
    feed = "".join(_feed(str(call.request.url), found)).encode(errors="replace")
    return tagged(call.request, feed, f"{ATOM}; charset=utf-8")


async def find_changes(call: Call) -> Record:
    """The changes that a call with our parameters asks for."""
    given = call.given
    for name in ("since", "until"):
        if given[name]:
            try:
                moment_of(given[name], now_utc())
            except ValueError as error:
                raise ProblemError(400, "bad-parameter", f"`{name}`: {error}.") from None
    asked = ChangeFilter(
        since=given["since"] or None,
        until=given["until"] or None,
        hosts=_named(given["host"]),
        types=_named(given["type"]),
        properties=_named(given["property"]),
        kinds=given["kind"],
        page=given["page"] or None,
        entity=given["entity"] or None,
        after=given.get("after"),
        limit=given["limit"],
    )
    asking = ask(call.parts.answering, ListChanges(asked))
    return await while_there(call.request, asking)


def _named(given: tuple[str, ...]) -> tuple[str, ...]:
    """The names that were given; a field of a form that was left empty is none."""
    return tuple(each.strip() for each in given if each.strip())


def _feed(address: str, found: list[Record]) -> Iterator[str]:
    updated = found[0]["at"] if found else datetime.fromtimestamp(0, UTC).isoformat()
    yield '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
    yield f"<title>Changes</title><id>{_text(address)}</id><updated>{updated}</updated>\n"
    yield f"<link rel={quoteattr('self')} href={quoteattr(_clean(address))}/>"
    yield "<author><name>Gossamer</name></author>\n"
    for change in found:
        yield from _entry(change)
    yield "</feed>\n"


def _entry(change: Record) -> Iterator[str]:
    name, types, pairs = name_of(change), types_of(change), befores_and_afters(change)
    lines = [told_briefly(each) for each in pairs[:TOLD]]
    if len(pairs) > TOLD:
        lines.append(f"and {len(pairs) - TOLD:,} more")
    what = lines[0] if change["kind"] == "changed" and len(pairs) == 1 else change["kind"]
    yield f"<entry><id>urn:gossamer:change:{change['id']}</id><updated>{change['at']}</updated>"
    yield f"<title>{_text(f'{name}: {what}')}</title>"
    yield f"<link href={quoteattr(_clean(change['page']))}/>"
    yield f"<category term={quoteattr(_clean(change['kind']))}/>"
    summary = " ".join(filter(None, (types, change["kind"], "on", change["page"])))
    yield f"<summary>{_text(summary)}</summary>"
    yield f"<content>{_text(chr(10).join(lines))}</content></entry>\n"


def _text(value: str) -> str:
    return escape(_clean(value))


def _clean(value: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", value)


PLACE: Final = Parameter(
    name="after",
    doc="Only changes after this place, which is the `next` of the page before.",
    schema=text(most=40, pattern=r"^\d{1,18}-\d{1,18}$"),
)
SELECTING: Final = (
    Parameter(
        name="since",
        doc="Only changes since then: an age (7d, 12h) or a date.",
        schema=text(most=100),
    ),
    Parameter(name="until", doc="Only changes before then.", schema=text(most=100)),
    Parameter(name="host", doc="Only pages of this host.", schema=text(most=260), many=True),
    Parameter(
        name="type",
        doc="Only entities of this type and its subclasses: Product, schema:Product, or an IRI.",
        schema=text(most=MOST_OF_A_NAME),
        many=True,
    ),
    Parameter(
        name="property",
        doc="Only statements with this property: price, offers.price, or an IRI.",
        schema=text(most=MOST_OF_A_NAME),
        many=True,
    ),
    Parameter(name="kind", doc="Only this kind.", schema=one_of(*KINDS), many=True),
    Parameter(name="page", doc="Only changes of this page.", schema=text(most=MOST_OF_A_URL)),
    Parameter(name="entity", doc="Only changes of this entity.", schema=text(most=MOST_OF_A_URL)),
)
ROUTES: Final = (
    Route(
        path="/api/changes",
        summary="What pages say otherwise than before, by entity",
        doc="The latest first. What a host's first crawl found is no change. `since` tells from when on "
        "changes are noted, `pages` how many pages are known. `next` is the value of `after` for the next "
        "page, and so is the Link header.",
        handler=changes,
        parameters=(
            *SELECTING,
            PLACE,
            Parameter(name="limit", doc="Most changes.", schema=whole(1, MOST), default=USUAL),
        ),
        replies=json_reply(
            "Entities that are new on a page, changed or gone, with the statements that came and went.",
            record(
                {
                    "changes": listed(_CHANGE),
                    "next": or_null(TEXT),
                    **dict.fromkeys(("pages", "hosts"), WHOLE),
                    "since": or_null(TEXT),
                }
            ),
        ),
        tag="graph",
    ),
    Route(
        path="/changes.atom",
        summary="The latest changes as an Atom feed",
        handler=atom,
        parameters=(
            *SELECTING,
            Parameter(
                name="limit", doc="Most entries.", schema=whole(1, MOST), default=USUAL_ENTRIES
            ),
        ),
        replies={200: Reply(doc="The feed.", schemas={ATOM: TEXT})},
        tag="graph",
    ),
)
