"""The process that writes to a server: one order at a time, until the owner hangs up.

It waits for nobody: where the server is away it says so, and is told when to try again.
"""

import socket
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, BinaryIO

from gossamer.index.folder import GraphAwayError, GraphError
from gossamer.index.pages import PageChanged
from gossamer.index.server.messages import ORDERS, REPLIES, Order, Reply
from gossamer.index.server.store import ServerStore
from gossamer.processes.confine import die_with, leave_signals_to_the_owner
from gossamer.processes.process import Program
from gossamer.processes.protocol import HEADER, Kind, header, read_header
from gossamer.processes.sandbox import Sandbox, enter_sandbox


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
            Scribe().serve(reader, connection)


class Scribe:
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
        changed: list[PageChanged] | None = [] if order.compare else None
        refused = tuple(self._store.replace(order.pages, changed))
        return Reply(refused=refused, changed=tuple(changed or ()))


def _send(connection: socket.socket, kind: Kind, number: int, payload: bytes) -> None:
    connection.sendall(header(kind, number, len(payload)) + payload)
