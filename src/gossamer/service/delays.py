"""`/delays`: how long each host is left alone, and who asked for that."""

from typing import Final

from starlette.responses import Response

from gossamer.owner.messages import Question, record_of
from gossamer.service.answers import json_answer, next_page
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import FLAG, NUMBER, TEXT, WHOLE, listed, or_null, record, text, whole

USUAL: Final = 100
MOST: Final = 1_000
MOST_OF_A_HOST: Final = 260  # characters


async def delays(call: Call) -> Response:
    """A page of hosts."""
    question = Question(what="delays", host=call.given["after"], limit=call.given["limit"])
    page = await record_of(call.parts.answering.answer(question))
    return json_answer(call.request, page, headers=next_page(call.request, page["next"]))


_DELAY: Final = record(
    {
        "host": TEXT,
        "delay": NUMBER,
        "source": TEXT,
        "next_at": or_null(TEXT),
        "in_flight": WHOLE,
        "parked": FLAG,
    }
)

ROUTES: Final = (
    Route(
        path="/delays",
        summary="The delay in force for each host",
        doc="In seconds, with its source, and when the host may next be asked (null: now).",
        handler=delays,
        parameters=(
            Parameter(
                name="after", doc="Only hosts after this one.", schema=text(most=MOST_OF_A_HOST)
            ),
            Parameter(name="limit", doc="Hosts a page.", schema=whole(1, MOST), default=USUAL),
        ),
        replies=json_reply(
            "Hosts, and what `after` is for the next page (null: none).",
            record({"hosts": listed(_DELAY), "next": or_null(TEXT)}),
        ),
        tag="politeness",
    ),
)
