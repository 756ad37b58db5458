import socket

import pytest
from tests.index.server.gate import Gate, always
from tests.index.server.oxigraph import Oxigraph

from gossamer.index.messages import ASKS, BEGINS, ENDS, Ask, End
from gossamer.index.server.address import Server
from gossamer.index.server.reading import ServerDesk, written
from gossamer.processes.protocol import HEADER, Kind, header, read_header


def answered(ask: Ask) -> tuple[list[bytes], End]:
    """What a desk sends for one question."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        payload = ASKS.dumps(ask)
        ours.sendall(header(Kind.JOB, 1, len(payload)) + payload)
        ours.shutdown(socket.SHUT_WR)
        with theirs.makefile("rb") as reader:
            ServerDesk(theirs).serve(reader)
        theirs.shutdown(socket.SHUT_WR)
        parts: list[bytes] = []
        with ours.makefile("rb") as answer:
            while True:
                kind, _, length = read_header(answer.read(HEADER.size))
                content = answer.read(length)
                if kind is Kind.ANSWER:
                    return parts, ENDS.loads(content)
                parts.append(content)


def test_a_server_is_asked_for_whoever_asks(oxigraph: Oxigraph) -> None:
    oxigraph.update('INSERT DATA { GRAPH <http://a.test/> { <x:a> <x:b> "c" } }')
    where = written(Server(oxigraph.url))
    (begin, rows), end = answered(Ask(where, "SELECT ?o { ?s ?p ?o }", ("csv",)))
    assert (BEGINS.loads(begin).format, rows, end) == ("csv", b"o\r\nc\r\n", End(1, cut=False))
    (begin, quads), end = answered(Ask(where, None, ("nquads",)))
    assert quads == b'<x:a> <x:b> "c" <http://a.test/> .\n'


@pytest.mark.parametrize("status", [401, 404, 503])
def test_a_server_that_does_not_answer_is_a_sentence(status: int) -> None:
    with Gate() as gate:
        gate.rule = always(status)
        parts, end = answered(Ask(written(Server(gate.url)), "ASK { }", ("json",)))
    assert not parts
    assert str(status) in (end.fault or "")
