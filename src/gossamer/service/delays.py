"""`/delays`: how long each host is left alone, and who asked for that."""

from typing import Final

from starlette.responses import JSONResponse, Response

from gossamer.owner.messages import Question, record_of
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import FLAG, NUMBER, TEXT, WHOLE, listed, or_null, record, whole

USUAL: Final = 100
MOST: Final = 1_000


async def delays(call: Call) -> Response:
    """A page of hosts."""
    question = Question(what="delays", host=call.given["after"], limit=call.given["limit"])
    return JSONResponse(await record_of(call.parts.answering.answer(question)))


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
            Parameter(name="after", doc="Hosts by name after this one.", default=""),
            Parameter(name="limit", doc="Hosts a page.", schema=whole(1, MOST), default=USUAL),
        ),
        replies=json_reply(
            "Hosts, and what `after` is for the next page (null: none).",
            record({"hosts": listed(_DELAY), "next": or_null(TEXT)}),
        ),
        tag="politeness",
    ),
)
