"""`/api/freshness`: how fresh pages are kept, as expected and as measured, together and by host."""

from typing import Final

from starlette.responses import Response

from gossamer.owner.messages import Record, ask
from gossamer.owner.questions import HowFresh
from gossamer.service.answers import json_answer, next_page
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    Schema,
    listed,
    or_null,
    record,
    text,
    whole,
)

USUAL: Final = 100
MOST: Final = 1_000
MOST_OF_A_HOST: Final = 260
_SUMS: Final = {
    "pages": WHOLE,
    **dict.fromkeys(("expected", "measured", "rate"), or_null(NUMBER)),
    **dict.fromkeys(("looks", "changes", "asked"), NUMBER),
}
FRESH_PAGES: Final[dict[str, Schema]] = {
    "keeps": FLAG,
    "per_day": or_null(NUMBER),
    "due": WHOLE,
    "overdue": WHOLE,
    "next_at": or_null(TEXT),
    **_SUMS,
}
"""How fresh all pages are together."""


async def freshness(call: Call) -> Response:
    """How fresh pages are kept, with a page of hosts."""
    found = await find_freshness(call)
    return json_answer(call.request, found, headers=next_page(call.request, found["next"]))


async def find_freshness(call: Call) -> Record:
    """What a call with our parameters asks for."""
    given = call.given
    question = HowFresh(
        host=(given["host"] or "").strip() or None, after=given["after"], limit=given["limit"]
    )
    return await ask(call.parts.answering, question)


PARAMETERS: Final = (
    Parameter(name="host", doc="Only this host.", schema=text(most=MOST_OF_A_HOST)),
    Parameter(
        name="after", doc="Only hosts after this one, by name.", schema=text(most=MOST_OF_A_HOST)
    ),
    Parameter(name="limit", doc="Most hosts.", schema=whole(1, MOST), default=USUAL),
)
ROUTES: Final = (
    Route(
        path="/api/freshness",
        summary="How fresh pages are kept",
        doc="`expected` is the share of time for which a page is fresh, by the rates that are believed and the "
        "intervals given; `measured` is that share between looks, as these have found it, of late (half of it fades "
        "in a month). `asked` is how many looks a day the plan has for these pages; `rate` how often such a page "
        "changes, a day.",
        handler=freshness,
        parameters=PARAMETERS,
        replies=json_reply(
            "All pages that are kept fresh, and those of each host.",
            record(
                {
                    **FRESH_PAGES,
                    "hosts": listed(record({"host": TEXT, **_SUMS})),
                    "next": or_null(TEXT),
                }
            ),
        ),
        tag="crawl",
    ),
)
