"""`/log`: what happened, on all nodes of the crawl."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer.events import EVENTS, LEVELS
from gossamer.nodes.log_reading import by_database_clock, sentence_of
from gossamer.owner.messages import ask
from gossamer.owner.questions import NodeReports
from gossamer.service.node_log import filters, log_of
from gossamer.service.routes import Call, Route
from gossamer.web.addresses import address
from gossamer.web.rendering import PAGE_REPLY, page_answer


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the log for people."""

    at: str
    node: str
    level: str
    event: str
    sentence: str


@dataclass(frozen=True, slots=True)
class LogPage:
    """The contents of the page: lines, and how they were chosen."""

    lines: Sequence[ShownLine]
    given: Mapping[str, Any]
    nodes: Sequence[str]
    events: Sequence[str]
    levels: Sequence[str]
    older: str | None
    is_shared: bool
    is_narrow: bool


async def log(call: Call) -> Response:
    """Serve the newest lines, and a form that narrows them down."""
    told = await log_of(call)
    known = await ask(call.parts.answering, NodeReports())
    given = {name: value for name, value in call.given.items() if name != "event"}
    event = next(filter(None, call.given["event"]), None)
    kept = {name: given[name] for name in ("node", "host", "level", "since") if given[name]}
    page = LogPage(
        lines=[_shown(line) for line in told["lines"]],
        given={**given, "event": event},
        nodes=[node["node"] for node in known["nodes"]],
        events=sorted(EVENTS),
        levels=LEVELS,
        older=told["next"] and address("/log", **kept, event=event, after=told["next"]),
        is_shared=told["is_shared"],
        is_narrow=bool(kept) or event is not None,
    )
    return page_answer(call, "log.html", page)


def _shown(told: Mapping[str, Any]) -> ShownLine:
    return ShownLine(
        at=str(by_database_clock(told).get("at", "")),
        node=str(told["node"]),
        level=str(told.get("level", "")),
        event=str(told.get("event", "")),
        sentence=sentence_of(told),
    )


ROUTES: Final = (
    Route(
        path="/log",
        summary="What happened",
        handler=log,
        parameters=filters(""),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
