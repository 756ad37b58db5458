"""`/health`: whether whoever answers for the folder answers."""

from starlette.responses import JSONResponse, Response

from gossamer import __version__
from gossamer.owner.messages import Question, record_of
from gossamer.service.routes import Call, Route, json_reply
from gossamer.service.schemas import TEXT, record


async def health(call: Call) -> Response:
    """Ask the cheapest question that there is."""
    who = await record_of(call.parts.answering.answer(Question(what="who")))
    return JSONResponse({"status": "ok", "version": __version__, "owner": who["command"]})


ROUTES = (
    Route(
        path="/health",
        summary="Whether all is well",
        handler=health,
        replies=json_reply(
            "It is.",
            record({"status": TEXT, "version": TEXT, "owner": TEXT}),
        ),
        is_open=True,
        tag="monitoring",
    ),
)
