"""What `gossamer nodes` shows: each node with its figures, all together, and which is ill, since when, what it holds."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import click

from gossamer.cli.shared_crawl import crawl_store
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, duration, plain, size, table
from gossamer.folder.data import DataFolder
from gossamer.moments import told_moment
from gossamer.nodes.seen import SeenNodes, is_there, see_nodes, state_of, total_of

HEAD: Final = (
    *("NODE", "STATE", "CPU", "MEMORY", "DISK FREE", "PAGES/S", "HOSTS", "IN FLIGHT", "WAITING"),
    "HEARD",
)
NAMED: Final = 5  # hosts that a node in trouble holds
Told = Mapping[str, Any]


def show_nodes(data: DataFolder, *, as_json: bool) -> None:
    """Print the nodes of the crawl."""
    with crawl_store(data) as store:
        seen = see_nodes(store)
    records = seen.records()
    if as_json:
        emit(json.dumps(records, indent=2))
    elif not records:
        click.echo(f"No node of the crawl in {data.path} has told of itself yet.", err=True)
    else:
        emit("\n".join([nodes_table(records), *_told_troubles(records, seen)]))


def nodes_table(records: Sequence[Told]) -> str:
    """A row a node, and one with the totals of those that are there."""
    rows = [HEAD, *map(_row, records)]
    if len(records) > 1 and (total := total_of(records))["nodes"]:
        rows.append(_total(total))
    return table(rows)


def _row(node: Told) -> tuple[str, ...]:
    memory = node["memory"]
    is_ill = any(each["kind"] == "silent" for each in node["troubles"])
    free = min((disk["free"] for disk in node["disks"]), default=None)
    return (
        plain(node["node"]),
        "SILENT" if is_ill else plain(state_of(node)),
        _of(node["cpu"], node["cores"]),
        "" if memory is None else f"{size(memory['used'])} of {size(memory['total'])}",
        "" if free is None else size(free),
        _number(node["pages_per_second"]),
        f"{node['held']['hosts']:,}",
        _count(node["in_flight"]),
        _count(node["waiting"]),
        f"{duration(timedelta(seconds=node['silent_for']))} ago",
    )


def _total(total: Told) -> tuple[str, ...]:
    memory = total["memory"]
    return (
        _nodes_in_sum(total["nodes"], total["machines"]),
        "",
        _of(total["cpu"], total["cores"]),
        f"{size(memory['used'])} of {size(memory['total'])}",
        size(total["disk_free"]),
        _number(total["pages_per_second"]),
        f"{total['held']:,}",
        _count(total["in_flight"]),
        _count(total["waiting"]),
        "",
    )


def _nodes_in_sum(nodes: int, machines: int) -> str:
    shared = f" on {counted(machines, 'machine')}" if machines < nodes else ""
    return f"{counted(nodes, 'node')}{shared}"


def _of(some: float | None, all_: float | None) -> str:
    return "" if some is None else f"{some:.1f} of {all_:.0f}" if all_ else f"{some:.1f}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}"


def _count(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _told_troubles(records: Sequence[Told], seen: SeenNodes) -> Iterator[str]:
    """Which node is ill, since when, and what it holds."""
    ill = [node for node in records if node["troubles"]]
    if not ill:
        there = sum(1 for each in records if is_there(each))
        yield ""
        yield "All are well." if there else "None is at work, and none is in trouble."
        return
    for node in ill:
        yield ""
        yield f"{plain(node['node'])} ({_where(node)}) is in trouble:"
        for each in node["troubles"]:
            yield f"  {each['kind']} since {_moment(each['since'])}: {plain(each['message'])}"
        yield f"  {_held(node, seen.now)}"
        if not node["held"]["hosts"] and not is_there(node):
            name = plain(node["node"])
            yield f"  If it is gone for good: gossamer nodes remove {name}"


def _where(node: Told) -> str:
    service = f", its pages at {plain(node['service'])}" if node["service"] else ""
    return f"on {plain(node['host'] or 'a machine unknown')}, version {plain(node['version'])}{service}"


def _held(node: Told, now: int) -> str:
    held = node["held"]
    if not held["hosts"]:
        return "It holds no hosts."
    names = [plain(name) for name in held["names"][:NAMED]]
    more = held["hosts"] - len(names)
    listed = ", ".join(names) + (f" and {more:,} more" if more > 0 else "")
    until = ""
    if held["until"] is not None:
        is_over = datetime.fromisoformat(held["until"]).timestamp() * 1e6 < now
        until = f" {'until it ended at' if is_over else 'until'} {_moment(held['until'])}"
    return f"It holds {counted(held['hosts'], 'host')}{until}: {listed}."


def _moment(text: str) -> str:
    return told_moment(datetime.fromisoformat(text))
