"""Metrics of the nodes of a crawl, with a `node` label: as they told the crawl's database last. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from gossamer.nodes.seen import is_there
from gossamer.service.prometheus import Samples, family

Told = Mapping[str, Any]
FIGURES: Final = {
    "cpu": ("node_cpu_processors", "Processors that all programs of its machine keep busy."),
    "load": ("node_load", "Load of the last minute."),
    "pages_per_second": ("node_pages_per_second", "Pages with content a second."),
    "bytes_per_second": ("node_bytes_per_second", "Received a second."),
    "in_flight": ("node_in_flight", "Hosts that it asks now."),
    "waiting": ("node_waiting_pages", "Pages answered and not settled."),
    "clock_ahead": ("node_clock_ahead_seconds", "Its clock, ahead of the database's."),
    "log_dropped": ("node_log_dropped_lines", "Lines of its log that the database lacks."),
}


def node_families(nodes: Sequence[Told], total: Told) -> Iterator[str]:
    """The text about all nodes that have not left, a family each."""
    here = [node for node in nodes if node["left_at"] is None]
    yield family("nodes", "gauge", "Nodes that are heard of.", [({}, total["nodes"])])
    yield _each("node_up", "Whether a node is heard of.", here, lambda node: is_there(node))
    yield _each(
        "node_silent_seconds", "Since it was heard of.", here, lambda node: node["silent_for"]
    )
    yield _each("node_hosts", "Hosts it holds.", here, lambda node: node["held"]["hosts"])
    for name, (metric, doc) in FIGURES.items():
        yield _each(metric, doc, here, lambda node, name=name: node[name])  # type: ignore[misc]
    yield family("node_memory_bytes", "gauge", "Memory of its machine, by use.", _memory(here))
    yield family("node_disk_free_bytes", "gauge", "Room on a disk, by what is there.", _disks(here))
    yield family(
        "node_info",
        "gauge",
        "Its version and machine.",
        [
            (
                {
                    "node": node["node"],
                    "version": node["version"],
                    "host": node["host"] or "",
                    "state": node["state"],
                },
                1,
            )
            for node in here
        ],
    )
    yield family(
        "node_alarm",
        "gauge",
        "What is wrong with a node.",
        [
            ({"node": node["node"], "kind": each["kind"], "subject": each["subject"]}, 1)
            for node in here
            for each in node["troubles"]
        ],
    )


def _each(
    name: str, doc: str, nodes: Sequence[Told], figure: Callable[[Told], float | None]
) -> str:
    known = [(node["node"], figure(node)) for node in nodes]
    samples = [({"node": node}, value) for node, value in known if value is not None]
    return family(name, "gauge", doc, samples)


def _memory(nodes: Sequence[Told]) -> Samples:
    return [
        ({"node": node["node"], "use": use}, node["memory"][use])
        for node in nodes
        if node["memory"]
        for use in ("used", "free")
    ]


def _disks(nodes: Sequence[Told]) -> Samples:
    return [
        ({"node": node["node"], "parts": disk["parts"]}, disk["free"])
        for node in nodes
        for disk in node["disks"]
    ]
