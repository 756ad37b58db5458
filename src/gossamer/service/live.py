"""`/api/live` and `/api/history`: how a crawl stands, as it changes, and how it stood."""

from typing import Final

from starlette.responses import Response, StreamingResponse

from gossamer.service.answers import json_answer
from gossamer.service.errors import ProblemError
from gossamer.service.guard import FULL
from gossamer.service.routes import Call, Reply, Route, json_reply
from gossamer.service.schemas import NUMBER, TEXT, listed, or_null, record, table_of
from gossamer.service.watching import Watch

EVENTS: Final = "text/event-stream"


async def live(call: Call) -> Response:
    """Snapshots until whoever watches has seen enough."""
    watch = _watch(call)
    if watch.is_full:
        raise FULL
    if call.request.method == "HEAD":
        return Response(media_type=EVENTS)
    # A server in front of us must not keep them back to send them together.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(watch.events(), media_type=EVENTS, headers=headers)


async def history(call: Call) -> Response:
    """The last hour."""
    return json_answer(call.request, _watch(call).history.record())


def _watch(call: Call) -> Watch:
    if call.parts.watch is None:
        raise ProblemError(503, "not-now", "Nobody watches here.", {"Retry-After": "5"})
    return call.parts.watch


ROUTES: Final = (
    Route(
        path="/api/live",
        summary="How the crawl stands, once a second, as server-sent events",
        doc="Each event is a record as `/api/status` has it, with `at`, `state`, `rates` (a second, "
        "by phase), `processes` and the `point` that `/api/history` keeps of it.",
        handler=live,
        replies={200: Reply(doc="Events without end.", schemas={EVENTS: TEXT})},
    ),
    Route(
        path="/api/history",
        summary="The last hour of the crawl, for charts",
        doc="Columns of the same length: moments in seconds since 1970, and a number or null for "
        "each of them. Nothing is kept of times in which no crawl ran.",
        handler=history,
        replies=json_reply(
            "The columns.",
            record(
                {"every": NUMBER, "at": listed(NUMBER), "series": table_of(listed(or_null(NUMBER)))}
            ),
        ),
    ),
)
