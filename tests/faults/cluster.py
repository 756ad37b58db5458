"""A crawl of some nodes, each in a network namespace and on a small disk of its own, and what may happen to them."""

import ctypes
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from tests.crawl.commands import CrawlCommand
from tests.faults.network import Network, Wire, within
from tests.faults.plan import OF_ALL, Fault, Kind
from tests.frontier.server import Server
from tests.slowness import patience

from gossamer.frontier.postgres import SERVER_CLOCK

DISK_BYTES: Final = 384 << 20  # of a node: at most so much memory
LONG: Final = patience(300)  # until a crawl has ended that nothing happens to any more
ATTEMPTS: Final = 5  # to come to an end
GIVING_UP: Final = (
    "PostgreSQL cannot be reached",
    "cannot be written",
    "No space left on device",
    "The disk is full",
)
AGAIN: Final = 0.5  # seconds until it is tried again to begin or end a fault
_WIRES: Final[dict[Kind, Wire]] = {Kind.NO_DATABASE: "db", Kind.NO_WEB: "web"}
_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_FAKETIME: Final = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime.so.1")


def faketime() -> Path | None:
    """The library that sets a process's clock off, where it is installed."""
    found = [path for each in _FAKETIME for path in Path("/").glob(each.removeprefix("/"))]
    return found[0] if found else None


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A folder on a disk of its own, which can be filled."""
    folder.mkdir(parents=True)
    options = f"size={DISK_BYTES}".encode()
    if _LIBC.mount(b"tmpfs", bytes(folder), b"tmpfs", 0, options):
        why = os.strerror(ctypes.get_errno())
        pytest.skip(f"needs mounts: a small disk cannot be made here ({why}); root can")
    try:
        yield folder
    finally:
        _LIBC.umount2(bytes(folder), 2)  # MNT_DETACH: whatever still uses it


@dataclass
class Node:
    """One node: its folder, its namespace, and the crawl that runs there now."""

    number: int
    data: Path  # its folder, which is a disk of its own
    namespace: str
    order: Sequence[str]
    life: ExitStack
    crawl: CrawlCommand | None = None
    frozen: list[int] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What it is called in the database."""
        name: str = json.loads((self.data / "node.json").read_text())["name"]
        return name

    @property
    def running(self) -> CrawlCommand:
        """Its crawl."""
        assert self.crawl is not None
        return self.crawl

    def start(self, skew: int = 0) -> None:
        """Begin, or go on in the same folder; perhaps with a clock that is wrong."""
        wrong = {
            "LD_PRELOAD": str(faketime()),
            "FAKETIME": f"{skew:+d}s",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        # Whoever was killed before it knew its crawl is told of it again.
        crawl = CrawlCommand(self.data, *self.order, environment=wrong if skew else None)
        self.crawl = crawl
        within(self.namespace, lambda: self.life.enter_context(crawl))

    def revive(self) -> None:
        """Start it again if it has given up with a sentence, as a service manager would.

        A node does so where its disk is full while it ends, and where the database is away when it starts.
        """
        status, words = self.running.process.poll(), self.running.words
        if status not in (None, 0):
            why = f"node {self.number}: exit status {status}: {words}"
            assert any(each in words for each in GIVING_UP), why
            assert "Traceback" not in words, why
            self.start()

    def finish(self) -> dict[str, Any]:
        """The summary of its crawl, when it has come to its end."""
        for _ in range(ATTEMPTS):
            if self.running.ended(LONG) == 0:
                break
            self.revive()
        return self.running.summary()

    def kill(self) -> None:
        """kill -9."""
        self.running.kill()

    def freeze(self) -> None:
        """Stop all of its processes, in the middle of whatever they do."""
        self.frozen = self.running.family
        for pid in self.frozen:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Have its processes go on."""
        for pid in self.frozen:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self.frozen = []

    def fill_disk(self) -> None:
        """Leave no room on its disk."""
        with (self.data / "filling").open("wb") as file, suppress(OSError):
            file.seek(0)
            while True:
                file.write(bytes(1 << 20))
                file.flush()

    def empty_disk(self) -> None:
        """Make room again."""
        (self.data / "filling").unlink(missing_ok=True)


@dataclass
class Cluster:
    """All nodes, and the database that they share."""

    network: Network
    server: Server
    address: str  # of the crawl's database, for the test itself
    nodes: Sequence[Node]
    standby: Server | None = None

    def run(self, plan: Sequence[Fault]) -> None:
        """Have everything go wrong that a plan holds, each thing at its moment, and right again."""
        began, ill = time.monotonic(), set[int | None]()
        left = [(fault.at, True, fault) for fault in plan]
        while left:
            at, begins, fault = left.pop(0)
            # Which moment it is, is the input here; nothing depends on it.
            time.sleep(max(0.0, began + at - time.monotonic()))
            for node in self.nodes:
                if node.number not in ill:
                    node.revive()
            if fault.node in ill if begins else not self._may_end(fault):
                left.append((time.monotonic() - began + AGAIN, begins, fault))
            elif begins:
                self._begin(fault)
                ill.add(fault.node)
                left.append((time.monotonic() - began + fault.lasts, False, fault))
            else:
                self._end(fault)
                ill.discard(fault.node)
            left.sort(key=itemgetter(0))

    def _may_end(self, fault: Fault) -> bool:
        """Whether a fault did what it was meant to do: a node that was frozen has lost its leases."""
        return fault.kind is not Kind.FREEZE or not self._holds(self._node(fault))

    def _begin(self, fault: Fault) -> None:
        if fault.kind in OF_ALL:
            self.server.stop()
            return
        node = self._node(fault)
        match fault.kind:
            case Kind.KILL | Kind.CLOCK:
                node.kill()
                if fault.skew:
                    node.start(fault.skew)
            case Kind.FREEZE:
                node.freeze()
            case Kind.NO_DATABASE | Kind.NO_WEB:
                self.network.cut(node.number, _WIRES[fault.kind])
            case Kind.DISK:
                node.fill_disk()

    def _end(self, fault: Fault) -> None:
        if fault.kind is Kind.DATABASE_RESTART:
            within(self.network.hub, self.server.restart)
            return
        if fault.kind is Kind.FAILOVER:
            assert self.standby is not None
            self.standby.promote()
            name = psycopg.conninfo.conninfo_to_dict(self.address)["dbname"]
            self.address = psycopg.conninfo.make_conninfo(self.standby.dsn, dbname=name)
            self.server, self.standby = self.standby, None
            return
        node = self._node(fault)
        match fault.kind:
            case Kind.KILL:
                node.start()
            case Kind.CLOCK:
                node.kill()
                node.start()
            case Kind.FREEZE:
                node.thaw()
            case Kind.NO_DATABASE | Kind.NO_WEB:
                self.network.mend(node.number, _WIRES[fault.kind])
            case Kind.DISK:
                node.empty_disk()

    def _node(self, fault: Fault) -> Node:
        assert fault.node is not None
        return self.nodes[fault.node]

    def _holds(self, node: Node) -> bool:
        """Whether a node has a lease or a claim that has not lapsed, as the database has it."""
        try:
            with psycopg.connect(self.address, autocommit=True) as connection:
                connection.execute("SET search_path TO gossamer")
                ((count,),) = connection.execute(
                    f"""SELECT (SELECT count(*) FROM hosts WHERE lease_node = %(node)s AND lease_until >= {SERVER_CLOCK})
                        + (SELECT count(*) FROM claims WHERE node = %(node)s AND until >= {SERVER_CLOCK})""",
                    {"node": node.name},
                ).fetchall()
        except psycopg.OperationalError:  # it is away; then this is not the moment
            return True
        return bool(count)


@contextmanager
def cluster(
    network: Network, server: Server, dsn: str, address: str, count: int, order: Sequence[str]
) -> Iterator[Cluster]:
    """So many nodes of one crawl; all of them are gone when the block ends.

    `dsn` is how nodes reach the database, `address` how the test does.
    """
    folder = Path(tempfile.mkdtemp(prefix="gossamer-faults-"))
    try:
        with ExitStack() as life:
            nodes = [
                Node(
                    number=number,
                    # What it says is kept beside it: on a full disk, nothing can be said.
                    data=life.enter_context(small_disk(folder / f"node{number}" / "data")),
                    namespace=network.node(number),
                    order=(*order, "--frontier", dsn),
                    life=life,
                )
                for number in range(count)
            ]
            for node in nodes:
                life.callback(node.thaw)
            yield Cluster(network, server, address, nodes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def logs(node: Node) -> str:
    """What a node said to people, for a test that failed."""
    words = (node.data.parent / "data.stderr").read_text()[-3_000:]
    return f"---- node {node.number}\n{words}"
