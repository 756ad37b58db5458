"""The process that writes to a server: one order at a time, until the owner hangs up.

It waits for nobody: where the server is away it says so, and is told when to try again.
"""

import socket
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO, Final, Literal

from gossamer.errors import GraphAwayError, GraphError
from gossamer.index.graph.pages import PageChanged, PageGraphs, PageRefused
from gossamer.index.server.address import Server
from gossamer.index.server.store import ServerStore
from gossamer.index.words.journal import lines_of
from gossamer.processes.confine import die_with, leave_signals_to_the_owner
from gossamer.processes.process import Program
from gossamer.processes.protocol import HEADER, Kind, header, read_header
from gossamer.processes.sandbox import Sandbox, enter_sandbox
from gossamer.processes.wire import Wire


@dataclass(frozen=True, slots=True)
class Order:
    """To the process."""

    what: Literal["open", "look", "replace", "unify"]
    # Told here and not at its start, because everybody can see what a process was started with.
    server: Server | None = None
    writing: bool = True  # whether it has to let us write
    pages: tuple[PageGraphs, ...] = ()  # to replace; or to look at, which is done before
    looked_at: bool = False  # replace those that were looked at last
    compare: bool = False  # and tell how much that changes


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a request."""

    refused: tuple[PageRefused, ...] = ()
    changed: tuple[PageChanged, ...] = ()
    fault: str | None = None  # a sentence: the server cannot be used
    away: bool = False  # for now; nothing is lost by asking again
    left: int = 0  # pages that are still to be unified
    touched: bytes = b""  # of whom something else will be said, as a journal has it


ORDERS: Final = Wire(Order)


REPLIES: Final = Wire(Reply)


def program(path: tuple[str, ...]) -> Program:
    """What the process runs; where the server is, it is told later."""
    told = {"sandbox": asdict(Sandbox(network=True))}
    return Program(f"{__name__}:{main.__name__}", told, path)


def main(told: Mapping[str, Any], descriptor: int, owner: int) -> None:
    """Follow orders until the owner hangs up."""
    die_with(owner)
    leave_signals_to_the_owner()
    enter_sandbox(Sandbox.of(told["sandbox"]))
    with socket.socket(fileno=descriptor) as connection:
        _send(connection, Kind.READY, 0, b"")
        with connection.makefile("rb") as reader:
            ServerWriter().serve(reader, connection)


class ServerWriter:
    """Keeps the way to a server, once it was told of one."""

    def __init__(self) -> None:
        self._store: ServerStore | None = None

    def serve(self, reader: BinaryIO, connection: socket.socket) -> None:
        """Follow orders in turn."""
        while len(start := reader.read(HEADER.size)) == HEADER.size:
            _, number, length = read_header(start)
            order = ORDERS.loads(reader.read(length))
            _send(connection, Kind.ANSWER, number, REPLIES.dumps(self.reply(order)))

    def reply(self, order: Order) -> Reply:
        """What becomes of an order."""
        try:
            return self._done(order)
        except GraphError as error:
            return Reply(fault=str(error), away=isinstance(error, GraphAwayError))

    def _done(self, order: Order) -> Reply:
        if order.what == "open":
            assert order.server is not None
            self._store = ServerStore.open(order.server, writing=order.writing)
            return Reply()
        assert self._store is not None
        if order.what == "unify":
            rewritten, left = self._store.unify_schema()
            return Reply(changed=tuple(rewritten), left=left)
        if order.what == "look":
            return Reply(touched=lines_of(self._store.look(order.pages)))
        changed: list[PageChanged] | None = [] if order.compare else None
        if order.looked_at:
            refused = tuple(self._store.replace_looked_at(changed))
        else:
            refused = tuple(self._store.replace(order.pages, changed))
        return Reply(refused=refused, changed=tuple(changed or ()))


def _send(connection: socket.socket, kind: Kind, number: int, payload: bytes) -> None:
    connection.sendall(header(kind, number, len(payload)) + payload)
