"""A process that answers questions about a snapshot of the graph, one after the other.

It can be killed at any moment, and is: the engine cannot be interrupted in a query that takes too
long, nor told how much memory it may use. It reads snapshots, and reaches nothing else.
"""

import select
import signal
import socket
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyoxigraph as ox

from gossamer.index.graph.folder import broken, is_damage
from gossamer.index.graph.messages import ASKS, BEGINS, ENDS, Ask, Begin, End
from gossamer.index.graph.run_query import AnswerTotals, AskingError, ask, export
from gossamer.processes.confine import confine
from gossamer.processes.process import Program
from gossamer.processes.protocol import HEADER, Kind, header, read_header
from gossamer.processes.sandbox import Sandbox, enter_sandbox
from gossamer.sparql import shortened

IDLE_SECONDS: Final = (
    30.0  # then let go of the snapshot: it keeps files that the store is done with
)


def program(snapshots: Path, memory_bytes: int, path: tuple[str, ...]) -> Program:
    """What a process runs that reads the snapshots in a folder."""
    sandbox = Sandbox(reads=(str(snapshots),), open_files=None)  # a snapshot has hundreds
    told = {"memory_bytes": memory_bytes, "sandbox": asdict(sandbox)}
    return Program(f"{__name__}:{main.__name__}", told, path)


def main(told: Mapping[str, Any], descriptor: int, owner: int) -> None:
    """Answer until the owner hangs up."""
    answer_confined(ReaderProcess, told, descriptor, owner)


def answer_confined(
    kind: "type[ReaderProcess]", told: Mapping[str, Any], descriptor: int, owner: int
) -> None:
    """Answer within the limits that were told, until the owner hangs up."""
    confine(owner, told["memory_bytes"])
    enter_sandbox(Sandbox.of(told["sandbox"]))
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # nobody reads on: there is nothing to be said
    with socket.socket(fileno=descriptor) as connection:
        desk = kind(connection)
        desk.send(Kind.READY, b"")
        with connection.makefile("rb") as reader:
            desk.serve(reader)


class ReaderProcess:
    """Where questions are answered."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._number = 0
        self._snapshot: str | None = None
        self._store = ox.Store()

    def serve(self, reader: BinaryIO) -> None:
        """Answer questions in turn."""
        while len(start := self._next(reader)) == HEADER.size:
            _, self._number, length = read_header(start)
            question = ASKS.loads(reader.read(length))
            self.send(Kind.ANSWER, ENDS.dumps(self._end(question)))

    def send(self, kind: Kind, payload: bytes) -> None:
        """Send one frame; wait while the owner does not read."""
        self._connection.sendall(header(kind, self._number, len(payload)) + payload)

    def _next(self, reader: BinaryIO) -> bytes:
        # Nothing is in the reader's buffer here: there is one question at a time.
        if not select.select([self._connection], [], [], IDLE_SECONDS)[0]:
            self._store, self._snapshot = ox.Store(), None
        return reader.read(HEADER.size)

    def _end(self, question: Ask) -> End:
        try:
            self._open(question.snapshot)
            answered = self._answer(question)
            return End(
                answered.rows,
                answered.cut,
                timing=answered.timing,
                about_fetches=answered.about_fetches,
                left_out=answered.left_out,
                hints=answered.hints,
            )
        except AskingError as error:
            return End(0, cut=False, fault=str(error), reason=error.reason)
        except (OSError, RuntimeError) as error:
            if is_damage(error):
                return End(0, cut=False, fault=broken(error), reason="damage")
            fault = f"The graph cannot be read: {shortened(str(error))}"
            return End(0, cut=False, fault=fault, reason="graph")

    def _open(self, snapshot: str) -> None:
        if snapshot != self._snapshot:  # snapshots never change: one that is open can stay so
            self._store, self._snapshot = ox.Store.read_only(snapshot), snapshot

    def _answer(self, question: Ask) -> AnswerTotals:
        if question.query is not None:
            return ask(self._store, question.query, self._begin, self._part)
        assert question.export is not None
        self._begin(question.export.format)
        return export(self._store, question.export, self._part)

    def _begin(self, format_: str) -> None:
        self.send(Kind.PART, BEGINS.dumps(Begin(format_)))

    def _part(self, data: bytes) -> None:
        if data:
            self.send(Kind.PART, data)
