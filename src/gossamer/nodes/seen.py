"""All nodes of a crawl as one sees them now: reports, alarms, and the hosts that each holds; as records too."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from gossamer.frontier.endings import EndKind
from gossamer.frontier.overview import nodes as lease_holders
from gossamer.frontier.protocol import NodeState
from gossamer.frontier.schema import HELD
from gossamer.frontier.store import Store, Transaction
from gossamer.moments import from_microseconds, iso_moment
from gossamer.nodes.alarms import Alarm, open_alarms, recent_alarms
from gossamer.nodes.report import NodeReport, load_report
from gossamer.nodes.rules import AlarmKind, NodeTrouble, find_troubles, silent_for
from gossamer.nodes.store import NodeRow, node_rows

NAMED: Final = 20  # hosts of a node in trouble
NEWEST: Final = 50  # alarms
Told = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SeenNode:
    """A node: what it told last, what is wrong with it, and what it holds."""

    row: NodeRow
    report: NodeReport
    troubles: Sequence[tuple[NodeTrouble, int | None]]  # and since when, where that was noted
    lease: NodeState | None
    held: Sequence[str]  # hosts by name, the first of them, of a node in trouble


@dataclass(frozen=True, slots=True)
class SeenNodes:
    """All nodes at one moment of the database."""

    now: int
    nodes: Sequence[SeenNode]
    alarms: Sequence[Alarm]  # the newest first

    @property
    def ill(self) -> Sequence[SeenNode]:
        """The nodes in trouble."""
        return [each for each in self.nodes if each.troubles]

    def records(self) -> list[Told]:
        """The nodes as JSON has them."""
        return [node_told(each, self.now) for each in self.nodes]


def see_nodes(store: Store) -> SeenNodes:
    """Read all that the database has of its nodes, as of one moment."""
    return store.read(_see)


def see_troubles(store: Store) -> list[str]:
    """What is wrong with which node, a sentence each."""

    def work(txn: Transaction) -> list[str]:
        known = {alarm.key for alarm in open_alarms(txn)}
        return [told(each) for each in find_troubles(node_rows(txn), txn.now, known)]

    return store.read(work)


def told(trouble: NodeTrouble) -> str:
    """A trouble in a sentence that names its node."""
    return f"Node {trouble.node}: {trouble.message}"


def _see(txn: Transaction) -> SeenNodes:
    rows, open_now = node_rows(txn), {alarm.key: alarm for alarm in open_alarms(txn)}
    leases = {each.node: each for each in lease_holders(txn)}
    troubles: dict[str, list[tuple[NodeTrouble, int | None]]] = {}
    for each in find_troubles(rows, txn.now, open_now.keys()):
        since = open_now[each.key].began_at if each.key in open_now else None
        troubles.setdefault(each.node, []).append((each, since))
    nodes = [
        SeenNode(
            row,
            load_report(row.report),
            troubles.get(row.node, []),
            leases.get(row.node),
            _held(txn, row.node) if row.node in troubles else [],
        )
        for row in rows
    ]
    return SeenNodes(txn.now, nodes, recent_alarms(txn, NEWEST))


def _held(txn: Transaction, node: str) -> list[str]:
    sql = f"""SELECT host FROM hosts WHERE stage = {HELD} AND lease_node = ?
        ORDER BY next_at, host LIMIT {NAMED}"""
    return [host for (host,) in txn.rows(sql, node)]


def is_silence(trouble: NodeTrouble) -> bool:
    """Whether a node is in trouble since it was heard of last, whenever somebody noticed."""
    return trouble.kind is AlarmKind.SILENT


def node_told(seen: SeenNode, now: int) -> Told:
    """A node as JSON has it: what it did not say is null."""
    row, report, crawl = seen.row, seen.report, seen.report.crawl
    figures: Mapping[str, Any] = {} if crawl is None else asdict(crawl)
    if row.has_left:  # what its last word said of that moment is over
        figures = {name: figures.get(name) for name in ("pages", "failed")}
    return {
        "node": row.node,
        "state": row.state,
        "heard_at": _moment(row.heard_at),
        "silent_for": round(silent_for(row, now).total_seconds(), 3),
        "joined_at": _moment(row.joined_at),
        "started_at": _moment(row.started_at),
        "uptime": None if row.has_left else round(max(row.heard_at - row.started_at, 0) / 1e6, 3),
        "left_at": None if row.left_at is None else _moment(row.left_at),
        "ended": report.ended if row.has_left else None,
        "version": row.version,
        "wish": row.wish,
        "troubles": [
            {
                "kind": trouble.kind.value,
                "subject": trouble.subject,
                "message": trouble.message,
                "since": _moment(row.heard_at if since is None or is_silence(trouble) else since),
            }
            for trouble, since in seen.troubles
        ],
        "held": {
            "hosts": 0 if seen.lease is None else seen.lease.hosts,
            "until": _until(seen.lease),
            "names": list(seen.held),
        },
        "host": report.host,
        "machine": report.machine,
        "system": report.system,
        "cores": report.cores,
        "cpu": report.cpu,
        "load": report.load,
        "memory": None if report.memory is None else asdict(report.memory),
        "disks": [asdict(disk) for disk in report.disks],
        "least_free": report.least_free,
        "clock_ahead": report.clock_ahead,
        "clock_within": report.clock_within,
        "processes": [asdict(each) for each in report.processes],
        **{name: figures.get(name) for name in CRAWL_FIGURES},
        "service": report.service,
        "log_dropped": report.log_dropped,
    }


CRAWL_FIGURES: Final = (
    "pages_per_second",
    "quads_per_second",
    "bytes_per_second",
    "pages",
    "hosts_held",
    "in_flight",
    "waiting",
    "slowest",
    "failed",
)


def state_of(record: Mapping[str, Any]) -> str:
    """How a node stands, in a word; of one that left, why, unless nothing was left to do."""
    why = record["ended"]
    return f"{record['state']}: {why}" if why not in (None, EndKind.DONE) else str(record["state"])


def total_of(records: Iterable[Mapping[str, Any]]) -> Told:
    """The sums over all nodes that are there, neither silent nor gone; what nodes of one machine share counts once."""
    there = [each for each in records if is_there(each)]
    machines = {_machine(each): each for each in there}
    disks = {_disk(each, disk): disk["free"] for each in there for disk in each["disks"]}
    memory = [each["memory"] for each in machines.values() if each["memory"]]
    return {
        "nodes": len(there),
        "machines": len(machines),
        "cores": _sum_of("cores", machines.values()),
        "cpu": _sum_of("cpu", machines.values()),
        "memory": {name: sum(each[name] for each in memory) for name in ("used", "free", "total")},
        "disk_free": sum(disks.values()),
        **{name: _sum_of(name, there) for name in CRAWL_FIGURES if name != "slowest"},
        "held": sum(each["held"]["hosts"] for each in there),
    }


def _machine(record: Mapping[str, Any]) -> str:
    name: str = record["machine"] or record["node"]
    return name


def _disk(record: Mapping[str, Any], disk: Mapping[str, Any]) -> tuple[str, object]:
    """Which disk it is: nodes of older versions do not tell its number."""
    device = disk["device"]
    return (record["node"], disk["parts"]) if device is None else (_machine(record), device)


def _sum_of(name: str, records: Iterable[Mapping[str, Any]]) -> float:
    return round(sum(each[name] or 0 for each in records), 3)


def is_there(record: Mapping[str, Any]) -> bool:
    """Whether a node is at work: it has not left, and is heard of."""
    is_silent = any(each["kind"] == "silent" for each in record["troubles"])
    return record["left_at"] is None and not is_silent


def _until(lease: NodeState | None) -> str | None:
    return None if lease is None or lease.until is None else iso_moment(lease.until)


def _moment(at: int) -> str:
    return iso_moment(from_microseconds(at))
