import socket

import pytest
from tests.index.server.gate import Gate, Told, always
from tests.index.server.oxigraph import Oxigraph

from gossamer.index.graph.messages import ASKS, BEGINS, ENDS, Ask, End
from gossamer.index.graph.query import GraphExport, GraphQuery, QueryLimits
from gossamer.index.graph.run_query import AskingError
from gossamer.index.server.address import Server
from gossamer.index.server.finding import found
from gossamer.index.server.http import Http
from gossamer.index.server.reading import (
    ServerReaderProcess,
    ask,
    checked,
    export,
    with_prefixes,
    written,
)
from gossamer.processes.protocol import HEADER, Kind, header, read_header


def answered(ask: Ask) -> tuple[list[bytes], End]:
    """What a desk sends for one question."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        payload = ASKS.dumps(ask)
        ours.sendall(header(Kind.JOB, 1, len(payload)) + payload)
        ours.shutdown(socket.SHUT_WR)
        with theirs.makefile("rb") as reader:
            ServerReaderProcess(theirs).serve(reader)
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
    (begin, rows), end = answered(Ask(where, GraphQuery("SELECT ?o { ?s ?p ?o }", ("csv",))))
    assert (BEGINS.loads(begin).format, rows, end) == ("csv", b"o\r\nc\r\n", End(1, cut=False))
    (begin, quads), end = answered(Ask(where, export=GraphExport("nquads")))
    assert quads == b'<x:a> <x:b> "c" <http://a.test/> .\n'


@pytest.mark.parametrize("status", [401, 404, 503])
def test_a_server_that_does_not_answer_is_a_sentence(status: int) -> None:
    with Gate() as gate:
        gate.rule = always(status)
        parts, end = answered(Ask(written(Server(gate.url)), GraphQuery("ASK { }", ("json",))))
    assert not parts
    assert str(status) in (end.fault or "")


BLANK = "gossamer-blank:0123456789abcdef0123456789abcdef"
DATA = f"""INSERT DATA {{
    GRAPH <http://a.test/> {{ <{BLANK}> <http://schema.org/name> "Ada, \\"A\\"" }}
    GRAPH <http://b.test/> {{ <http://b.test/> <http://schema.org/about> <{BLANK}> }}
}}"""


class Asked:
    """An answer, and how it came."""

    def __init__(self, url: str) -> None:
        server = Server(url)
        self.http = Http(server)
        self.endpoints = found(self.http, server, writing=False)
        self.formats: list[str] = []
        self.bytes = b""

    def ask(self, text: str, *formats: str, rows: int | None = None) -> str:
        self.bytes = b""
        question = GraphQuery(text, formats, QueryLimits(rows=rows))
        self.end = ask(self.http, self.endpoints, question, self.formats.append, self._take)
        return self.bytes.decode()

    def export(self, format_: str, graph: str | None = None) -> str:
        self.bytes = b""
        self.end = export(self.http, self.endpoints, GraphExport(format_, graph), self._take)
        return self.bytes.decode()

    def _take(self, part: bytes) -> None:
        self.bytes += part


@pytest.fixture
def asked(gate: Gate, oxigraph: Oxigraph) -> Asked:
    oxigraph.update(DATA)
    return Asked(gate.url)


def test_rows_come_in_the_format_asked_for_with_blank_nodes_shown(asked: Asked) -> None:
    query = "SELECT ?s ?name { ?s schema:name ?name }"
    assert asked.ask(query, "turtle", "csv") == (
        's,name\r\n_:b0123456789abcdef0123456789abcdef,"Ada, ""A"""\r\n'
    )
    assert asked.formats == ["csv"]
    assert '"type":"bnode"' in asked.ask(query, "json")


def test_the_default_graph_is_all_graphs_and_graph_tells_who_said_it(asked: Asked) -> None:
    assert asked.ask("ASK { ?s schema:name ?n . ?page schema:about ?s }", "csv") == "true\r\n"
    query = "SELECT ?g { GRAPH ?g { ?s schema:name ?n } }"
    assert asked.ask(query, "csv") == "g\r\nhttp://a.test/\r\n"


@pytest.mark.parametrize("held", ["http", "https"])
@pytest.mark.parametrize("form", ["http", "https"])
def test_both_forms_of_schema_org_find_what_is_there(
    held: str, form: str, gate: Gate, oxigraph: Oxigraph
) -> None:
    oxigraph.update(
        f"INSERT DATA {{ GRAPH <http://b.test/> {{ <b:> a <{held}://schema.org/Event> ; "
        f'<{held}://schema.org/name> "One" }} }}'
    )
    query = f"PREFIX s: <{form}://schema.org/> SELECT ?n {{ ?e a s:Event ; s:name ?n }}"
    assert Asked(gate.url).ask(query, "csv") == "n\r\nOne\r\n"


def test_a_query_that_names_its_graphs_is_asked_of_those(asked: Asked) -> None:
    named = "SELECT ?n FROM <http://a.test/> { ?s schema:name|schema:about ?n }"
    assert asked.ask(named, "csv").count("\r\n") == 2
    assert asked.ask("ASK FROM <http://nosuch.test/> { ?s ?p ?o }", "csv") == "false\r\n"


def test_the_time_that_an_answer_took_is_told_where_that_is_wanted(asked: Asked) -> None:
    question = GraphQuery("SELECT * { ?s ?p ?o }", ("csv",), QueryLimits(timed=True))
    timing = ask(asked.http, asked.endpoints, question, lambda _: None, lambda _: None).timing
    assert timing is not None
    assert timing.first is not None
    assert timing.parsed < timing.first <= timing.last


def test_triples_come_in_the_format_asked_for(asked: Asked) -> None:
    query = "CONSTRUCT { ?s schema:name ?name } WHERE { ?s schema:name ?name }"
    assert asked.ask(query, "csv", "ntriples") == (
        '_:b0123456789abcdef0123456789abcdef <http://schema.org/name> "Ada, \\"A\\"" .\n'
    )
    with pytest.raises(AskingError, match="gives triples, which come as"):
        asked.ask(query, "csv")


def test_rows_beyond_the_limit_are_cut(asked: Asked) -> None:
    asked.ask("SELECT * { ?s ?p ?o }", "json", rows=1)
    assert (asked.end.rows, asked.end.cut) == (1, True)
    asked.ask("SELECT * { ?s ?p ?o }", "json", rows=2)
    assert (asked.end.rows, asked.end.cut) == (2, False)


def test_everything_or_one_graph_is_exported(asked: Asked) -> None:
    lines = asked.export("nquads").splitlines()
    assert len(lines) == 2
    assert asked.export("nquads", "http://a.test/") == (
        "_:b0123456789abcdef0123456789abcdef <http://schema.org/name> "
        '"Ada, \\"A\\"" <http://a.test/> .\n'
    )
    assert asked.export("turtle", "http://c.test/") == ""
    with pytest.raises(AskingError, match="No graph can have the name"):
        asked.export("nquads", "x:> } #")


@pytest.mark.parametrize(
    "text",
    [
        "INSERT DATA { <x:a> <x:b> <x:c> }",
        "DROP ALL",
        "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
        'define get:soft "replace" SELECT * FROM <http://b.test/> { ?s ?p ?o }',
        "SELECT * {",
    ],
)
def test_what_is_no_query_never_leaves(text: str, asked: Asked, gate: Gate) -> None:
    before = len(gate.seen)
    with pytest.raises(AskingError, match=r"SERVICE would|no SPARQL query: line 1, column"):
        asked.ask(text, "json")
    assert len(gate.seen) == before


def test_prefixes_are_declared_that_are_used_and_not_declared_already() -> None:
    text = "PREFIX foaf: <x:>\nSELECT * { ?s foaf:name ?n ; schema:name ?n }"
    assert with_prefixes(text) == f"PREFIX schema: <http://schema.org/> {text}"
    assert not checked(text)
    assert checked("DESCRIBE <x:a>")


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (Told(400, b"too hard"), "400: too hard"),
        (Told(200, b"<html>", {"Content-Type": "text/html"}), "answers with 'text/html'"),
        (Told(200, b"{", {"Content-Type": "application/sparql-results+json"}), "cannot be read"),
    ],
)
def test_what_is_wrong_with_an_answer_is_told(
    told: Told, words: str, asked: Asked, gate: Gate
) -> None:
    gate.rule = lambda _: told
    with pytest.raises(AskingError, match=words):
        asked.ask("SELECT * { ?s ?p ?o }", "json")
    with pytest.raises(AskingError, match=words):
        asked.export("nquads")
    if told.status == 200:
        with pytest.raises(AskingError, match=r"answers with|cannot be read"):
            asked.ask("CONSTRUCT WHERE { ?s ?p ?o }", "turtle")


def test_a_server_that_went_away_is_told(asked: Asked, gate: Gate) -> None:
    gate.rule = always(200)
    asked.endpoints = type(asked.endpoints)("http://127.0.0.1:1/", "", "")
    with pytest.raises(AskingError, match="does not answer: nobody takes the connection"):
        asked.ask("SELECT * { ?s ?p ?o }", "json")


@pytest.mark.parametrize(
    ("status", "reason"), [(400, "query"), (429, "graph"), (500, "query"), (503, "graph")]
)
def test_a_server_that_is_busy_says_nothing_against_the_query(
    status: int, reason: str, asked: Asked, gate: Gate
) -> None:
    gate.rule = always(status)
    with pytest.raises(AskingError) as refused:
        asked.ask("ASK { ?s ?p ?o }", "csv")
    assert refused.value.reason == reason
