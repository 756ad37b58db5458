"""A process that asks a server on behalf of those who ask us, one question after the other.

What it reads may be without end or measure, so it can be killed at any moment, like the processes
that read the graph of a folder.
"""

import json
import signal
import socket
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from gossamer.index.asking import Answered, AskingError, Export
from gossamer.index.folder import GraphError
from gossamer.index.messages import Ask
from gossamer.index.reading import Desk, question_of
from gossamer.index.server.address import Endpoints, Server
from gossamer.index.server.asking import ask, export
from gossamer.index.server.finding import found
from gossamer.index.server.http import Http
from gossamer.processes.confine import confine
from gossamer.processes.process import Program
from gossamer.processes.protocol import Kind
from gossamer.processes.sandbox import Sandbox, enter_sandbox


def program(memory_bytes: int, path: tuple[str, ...]) -> Program:
    """What a reading process runs."""
    told = {"memory_bytes": memory_bytes, "sandbox": asdict(Sandbox(network=True))}
    return Program(f"{__name__}:{main.__name__}", told, path)


def main(told: Mapping[str, Any], descriptor: int, owner: int) -> None:
    """Answer until the owner hangs up."""
    confine(owner, told["memory_bytes"])
    enter_sandbox(Sandbox.of(told["sandbox"]))
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # nobody reads on: there is nothing to be said
    with socket.socket(fileno=descriptor) as connection:
        desk = ServerDesk(connection)
        desk.send(Kind.READY, b"")
        with connection.makefile("rb") as reader:
            desk.serve(reader)


def written(server: Server) -> str:
    """A server in the place where other questions name a snapshot: what is to be read."""
    return json.dumps(asdict(server))


class ServerDesk(Desk):
    """Where questions are answered that a server knows the answers to."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(connection)
        self._known: str | None = None
        self._way: tuple[Http, Endpoints] | None = None

    def _open(self, snapshot: str) -> None:
        if self._way is not None and snapshot == self._known:
            return
        server = Server(**json.loads(snapshot))
        http = Http(server)
        try:
            self._way = (http, found(http, server, writing=False))
        except GraphError as error:
            raise AskingError(str(error), "graph") from None
        self._known = snapshot

    def _answer(self, question: Ask) -> Answered:
        assert self._way is not None
        http, endpoints = self._way
        if question.text is None:
            wanted = Export(question.formats[0], question.graph)
            self._begin(wanted.format)
            return export(http, endpoints, wanted, self._part)
        asked = question_of(question, question.text)
        return ask(http, endpoints, asked, self._begin, self._part)
