"""Answers about the nodes of a crawl: how they are, and what is wrong with which."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gossamer.frontier.store import Store
from gossamer.moments import from_microseconds, iso_moment
from gossamer.nodes.seen import see_nodes, see_troubles, total_of
from gossamer.nodes.store import NodeStore
from gossamer.owner.messages import Record
from gossamer.owner.questions import NodeReports

if TYPE_CHECKING:
    from gossamer.owner.folder_answers import FolderAnswers

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
