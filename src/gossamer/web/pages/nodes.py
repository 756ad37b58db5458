"""`/nodes`: the machines of the crawl, what is wrong with which, and what each holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup
from starlette.responses import Response

from gossamer.nodes.seen import is_there, state_of
from gossamer.owner.messages import ask
from gossamer.owner.questions import NodeReports
from gossamer.service.routes import Call, Route
from gossamer.web.rendering import PAGE_REPLY, page_answer
from gossamer.web.sparkline import sparkline
from gossamer.web.wording import size

CHARTS: Final[Mapping[str, str]] = {
    "pages_per_second": "Pages a second",
    "cpu": "Processors",
    "memory": "Memory",
    "hosts_held": "Hosts held",
}
NEWEST: Final = 20  # alarms


@dataclass(frozen=True, slots=True)
class NodeChart:
    """A small chart of one figure of a node, and its last value for people."""

    title: str
    drawing: Markup
    last: str


@dataclass(frozen=True, slots=True)
class NodeShown:
    """A node, how it stands in a word, whether it is at work, and its charts."""

    told: Mapping[str, Any]
    state: str
    is_there: bool
    charts: Sequence[NodeChart]


@dataclass(frozen=True, slots=True)
class NodesPage:
    """The contents of the page: all nodes, all together, and what was wrong of late."""

    nodes: Sequence[NodeShown]
    total: Mapping[str, Any]
    ill: Sequence[Mapping[str, Any]]
    alarms: Sequence[Mapping[str, Any]]
    is_shared: bool
    at: str


async def nodes(call: Call) -> Response:
    """Serve the page about the nodes."""
    told = await ask(call.parts.answering, NodeReports(charts=True))
    page = NodesPage(
        nodes=[
            NodeShown(
                node, state_of(node), is_there(node), [*charts_of(told["charts"].get(node["node"]))]
            )
            for node in told["nodes"]
        ],
        total=told["total"],
        ill=[node for node in told["nodes"] if node["troubles"]],
        alarms=told["alarms"][:NEWEST],
        is_shared=told["is_shared"],
        at=told["at"],
    )
    return page_answer(call, "nodes.html", page)


def charts_of(told: Mapping[str, Any] | None) -> Sequence[NodeChart]:
    """The charts of a node's figures, as far as there are any."""
    if told is None or len(told["at"]) < 2:
        return []
    series = told["series"]
    return [
        NodeChart(title, sparkline(told["at"], series[name], title), _last(name, series[name]))
        for name, title in CHARTS.items()
        if name in series
    ]


def _last(name: str, values: Sequence[float | None]) -> str:
    last = next((value for value in reversed(values) if value is not None), None)
    if name == "memory":
        return size(last)
    return "–" if last is None else f"{last:,.1f}" if last % 1 else f"{last:,.0f}"


ROUTES: Final = (
    Route(
        path="/nodes",
        summary="The machines that crawl",
        handler=nodes,
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
