"""Answers about the nodes of a crawl: how they are, and what is wrong with which."""

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gossamer.errors import GossamerError
from gossamer.frontier.store import Store
from gossamer.moments import from_microseconds, iso_moment
from gossamer.nodes.seen import see_nodes, see_troubles, total_of
from gossamer.nodes.store import NodeStore
from gossamer.owner.messages import AnswerError, Answering, Record, UnableError, ask
from gossamer.owner.questions import CoveredNodes, NodeReports

if TYPE_CHECKING:
    from gossamer.owner.folder_answers import FolderAnswers

COUNT_SECONDS: Final = 2.0  # to count nodes: nobody waits longer for that
THIS_NODE: Final = (
    "This covers the pages of this node{}: with --local-graph, each has its own graph."
)
MOST_POINTS: Final = 240  # of a chart; more than a small one has columns


@dataclass(slots=True)
class NodesPing:
    """Asks the database what is wrong with which node, whenever it is asked for a sign of life."""

    store: Store
    trouble: str | None = None  # by the last answer

    def look(self) -> None:
        """Ask; in the frontier's thread."""
        self.trouble = " ".join(see_troubles(self.store)) or None


async def node_reports(folder: "FolderAnswers", question: NodeReports) -> Record:
    """Each node, all together, and the newest alarms; with points for charts where these are wanted."""
    seen = await folder.frontier_thread.do(see_nodes, folder.place.store)
    records = seen.records()
    told: dict[str, Any] = {
        "at": iso_moment(from_microseconds(seen.now)),
        "is_shared": folder.place.is_shared,
        "nodes": records,
        "total": total_of(records),
        "alarms": [alarm.record() for alarm in seen.alarms],
    }
    if question.charts:
        points = await folder.frontier_thread.do(NodeStore(folder.place.store).figures)
        told["charts"] = {node: _series([*each]) for node, each in points.items()}
    return told


async def covered_nodes(folder: "FolderAnswers", _: CoveredNodes | None = None) -> Record:
    """A sentence that tells whose pages graph and words cover; none where these are all."""
    if not folder.place.is_shared or folder.config.index.url is not None:
        return {"covers": None}
    try:
        async with asyncio.timeout(COUNT_SECONDS):
            _now, nodes = await folder.frontier_thread.do(NodeStore(folder.place.store).all)
    except (TimeoutError, GossamerError):  # the database is away: it is asked for the number alone
        return {"covers": THIS_NODE.format("")}
    count = len({folder.place.node.name, *(each.node for each in nodes)})
    return {"covers": THIS_NODE.format(f", 1 of {count}") if count > 1 else None}


async def coverage(owner: Answering) -> list[str]:
    """A line that says whose pages an answer covers, where these are not all."""
    try:
        told = await ask(owner, CoveredNodes())
    except (AnswerError, UnableError):
        return []
    return [told["covers"]] if told["covers"] else []


def _series(points: list[tuple[int, bytes]]) -> Record:
    """Points as columns: moments in seconds since 1970, and figures by name; the last ones."""
    read = [(at, figures) for at, text in points if isinstance(figures := json.loads(text), dict)]
    every = -(-len(read) // MOST_POINTS) or 1
    kept = read[(len(read) - 1) % every :: every]
    names = sorted({name for _, figures in kept for name in figures})
    return {
        "at": [round(at / 1e6, 3) for at, _ in kept],
        "series": {name: [_number(figures.get(name)) for _, figures in kept] for name in names},
    }


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None  # type: ignore[arg-type]
