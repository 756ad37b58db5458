import json

import pyoxigraph as ox
import pytest
from tests.index.made_pages import V

from gossamer.index.graph.blanks import SCHEME, Blanks
from gossamer.index.graph.query import (
    EVERYTHING,
    RDF,
    Dataset,
    GraphExport,
    GraphQuery,
    QueryLimits,
)
from gossamer.index.graph.run_query import (
    AnswerTotals,
    AskingError,
    ask,
    export,
    send_quads,
)

A, B = "http://a.test/", "http://b.test/"
NQUADS = f"""
_:x <{V}name> "Ada" <{A}> .
<{A}#it> <{V}knows> _:x <{A}> .
_:x <{V}name> "Bob" <{B}> .
<{A}#it> <{V}says> "{SCHEME}0" <{B}> .
<{A}#it> <{V}says> "shared" <{A}> .
<{A}#it> <{V}says> "shared" <{B}> .
"""


@pytest.fixture(scope="module")
def store() -> ox.Store:
    store = ox.Store()
    for quad in ox.parse(NQUADS, format=ox.RdfFormat.N_QUADS):
        store.add(Blanks(str(quad.graph_name)).quad(quad))
    return store


class Reply:
    """What a question brings."""

    def __init__(
        self,
        store: ox.Store,
        text: str,
        *formats: str,
        limit: int | None = None,
        dataset: Dataset = EVERYTHING,
    ) -> None:
        self.format = ""
        self.chunks: list[bytes] = []
        question = GraphQuery(text, formats, QueryLimits(rows=limit), dataset)
        self.end = ask(store, question, self._begin, self.chunks.append)

    def _begin(self, format_: str) -> None:
        assert not self.chunks
        self.format = format_

    @property
    def body(self) -> bytes:
        return b"".join(self.chunks)


def rows(store: ox.Store, text: str) -> list[dict[str, dict[str, str]]]:
    found: list[dict[str, dict[str, str]]]
    found = json.loads(Reply(store, text, "json").body)["results"]["bindings"]
    return found


def test_blank_nodes_are_blank_nodes_again_and_of_two_pages_they_are_two(store: ox.Store) -> None:
    found = rows(store, f"SELECT ?x ?n {{ ?x <{V}name> ?n }} ORDER BY ?n")
    assert [row["n"]["value"] for row in found] == ["Ada", "Bob"]
    assert {row["x"]["type"] for row in found} == {"bnode"}
    assert found[0]["x"] != found[1]["x"]
    (known,) = rows(store, f"SELECT ?x {{ ?s <{V}knows> ?x }}")
    assert known["x"] == found[0]["x"]


def test_a_literal_that_looks_like_one_is_left_alone(store: ox.Store) -> None:
    (row,) = rows(
        store, f"SELECT ?o {{ GRAPH <{B}> {{ ?s <{V}says> ?o }} FILTER(?o != 'shared') }}"
    )
    assert row["o"] == {"type": "literal", "value": f"{SCHEME}0"}


def test_the_default_graph_is_all_graphs_and_each_can_be_named(store: ox.Store) -> None:
    # A statement of two pages counts twice, unless the query says DISTINCT: the engine's way.
    assert len(rows(store, f"SELECT ?s {{ ?s <{V}says> 'shared' }}")) == 2
    assert len(rows(store, f"SELECT DISTINCT ?s {{ ?s <{V}says> 'shared' }}")) == 1
    found = rows(store, f"SELECT ?g {{ GRAPH ?g {{ ?s <{V}says> 'shared' }} }} ORDER BY ?g")
    assert [row["g"]["value"] for row in found] == [A, B]


def test_the_rows_end_at_their_limit_and_it_is_said(store: ox.Store) -> None:
    reply = Reply(store, "SELECT ?s { ?s ?p ?o }", "json", limit=2)
    assert reply.end == AnswerTotals(rows=2, cut=True)
    assert len(json.loads(reply.body)["results"]["bindings"]) == 2
    whole = Reply(store, "SELECT ?s { ?s ?p ?o }", "csv", limit=6)
    assert whole.end == AnswerTotals(rows=6, cut=False)
    assert whole.body.count(b"\r\n") == 7


def test_triples_come_in_rdf_with_blank_nodes(store: ox.Store) -> None:
    text = "CONSTRUCT WHERE { ?s ?p ?o }"
    for name in RDF:
        reply = Reply(store, text, "json", name)
        assert reply.format == name
        assert reply.end.rows == 5
        found = ox.Dataset(ox.parse(reply.body, format=RDF[name]))
        assert len(found) == 5
        assert str(found).count("_:b") == 3
        assert f"<{SCHEME}" not in str(found)
    cut = Reply(store, text, "ntriples", limit=1)
    assert cut.end == AnswerTotals(1, cut=True)
    assert cut.body.count(b"\n") == 1


def test_a_description_shows_no_private_name(store: ox.Store) -> None:
    body = Reply(store, f"DESCRIBE <{A}#it>", "turtle").body
    assert b"_:b" in body
    assert f"<{SCHEME}".encode() not in body


@pytest.mark.parametrize(("ask_for", "truth"), [("{ ?s ?p 'Ada' }", True), ("{ 1 ?p ?o }", False)])
def test_a_question_of_yes_or_no(store: ox.Store, ask_for: str, truth: bool) -> None:
    query = f"ASK {ask_for}".replace("{ 1 ", "{ <urn:x> ")
    assert json.loads(Reply(store, query, "json").body)["boolean"] is truth


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT * {\n ?s ?p }", "line 2, column "),
        ("", "no SPARQL query"),
        ("INSERT DATA { <a:a> <a:a> <a:a> }", "no SPARQL query"),
        ("DROP ALL", "no SPARQL query"),
        ("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "SERVICE would"),
        ("SELECT * { x:y ?p ?o }", "no SPARQL query"),
    ],
)
def test_what_cannot_be_asked_is_told(store: ox.Store, text: str, message: str) -> None:
    with pytest.raises(AskingError, match=message):
        Reply(store, text, "json")


def test_a_format_must_suit_the_question(store: ox.Store) -> None:
    with pytest.raises(AskingError, match="gives rows, which come as one of json"):
        Reply(store, "SELECT * {}", "turtle")
    with pytest.raises(AskingError, match="gives triples, which come as one of nquads"):
        Reply(store, "CONSTRUCT WHERE { ?s ?p ?o }", "csv")
    with pytest.raises(AskingError, match="gives yes or no"):
        Reply(store, "ASK {}", "turtle")


def test_a_long_answer_comes_in_chunks() -> None:
    store = ox.Store()
    node = ox.NamedNode(A)
    store.extend(ox.Quad(node, node, ox.Literal(f"{n:0100}"), node) for n in range(3000))
    for reply in (
        Reply(store, "SELECT * { ?s ?p ?o }", "tsv"),
        Reply(store, "CONSTRUCT WHERE { ?s ?p ?o }", "ntriples"),
    ):
        assert len(reply.chunks) > 3
        assert max(map(len, reply.chunks)) < 2 * 64 * 1024


def exported(store: ox.Store, name: str, graph: str | None = None) -> tuple[bytes, AnswerTotals]:
    chunks: list[bytes] = []
    end = export(store, GraphExport(name, graph), chunks.append)
    return b"".join(chunks), end


def canonical(quads: ox.Dataset) -> ox.Dataset:
    quads.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return quads


@pytest.mark.parametrize("name", ["nquads", "trig", "jsonld"])
def test_an_export_is_everything_that_was_said(store: ox.Store, name: str) -> None:
    body, end = exported(store, name)
    assert end == AnswerTotals(6, cut=False)
    # The labels of two pages are not the same nodes.
    apart = NQUADS.replace('_:x <http://v.test/name> "Bob"', '_:y <http://v.test/name> "Bob"')
    said = ox.Dataset(ox.parse(apart, format=ox.RdfFormat.N_QUADS))
    assert canonical(ox.Dataset(ox.parse(body, format=RDF[name]))) == canonical(said)


@pytest.mark.parametrize("name", sorted(RDF))
def test_one_graph_can_be_exported_alone(store: ox.Store, name: str) -> None:
    body, end = exported(store, name, A)
    assert end.rows == 3
    assert len(list(ox.parse(body, format=RDF[name]))) == 3


def test_an_export_may_be_of_things(store: ox.Store) -> None:
    body, end = exported(store, "entities")
    lines = [json.loads(line) for line in body.decode().splitlines()]
    assert end == AnswerTotals(3, cut=False)
    assert {line["label"] for line in lines} == {"Ada", "Bob", "shared"}
    with pytest.raises(AskingError, match="on a server"):
        send_quads(lambda _: [], GraphExport("entities"), print)


def test_json_ld_leaves_out_statements_about_statements_and_counts_them() -> None:
    store = ox.Store()
    graph = ox.NamedNode("http://g.test/")
    store.add(ox.Quad(graph, graph, ox.Literal("x"), graph))
    store.add(ox.Quad(graph, graph, ox.Triple(graph, graph, graph), graph))
    chunks: list[bytes] = []
    end = export(store, GraphExport("jsonld"), chunks.append)
    assert (end.rows, end.left_out) == (1, 1)
    assert len(json.loads(b"".join(chunks))) == 1
    assert export(store, GraphExport("turtle"), chunks.append).left_out == 0


def test_an_export_that_cannot_be_is_told(store: ox.Store) -> None:
    with pytest.raises(AskingError, match="not 'csv'"):
        exported(store, "csv")
    with pytest.raises(AskingError, match="No graph can have the name"):
        exported(store, "nquads", "no iri")
    assert exported(store, "nquads", "http://nobody.test/") == (b"", AnswerTotals(0, cut=False))


def test_usual_prefixes_need_no_declaration_and_a_declared_one_counts(store: ox.Store) -> None:
    (usual,) = rows(store, "SELECT (schema:name AS ?x) {}")
    assert usual["x"]["value"] == "http://schema.org/name"
    (own,) = rows(store, f"PREFIX schema: <{V}> SELECT (schema:name AS ?x) {{}}")
    assert own["x"]["value"] == f"{V}name"


@pytest.mark.parametrize(
    ("dataset", "default", "named"),
    [
        (EVERYTHING, ["Ada", "Bob"], ["Ada", "Bob"]),
        (Dataset(default=(A,)), ["Ada"], []),
        (Dataset(default=(A, B)), ["Ada", "Bob"], []),
        (Dataset(named=(B,)), [], ["Bob"]),
        (Dataset(default=(A,), named=(B,)), ["Ada"], ["Bob"]),
        (Dataset(default=("http://nobody.test/",)), [], []),
    ],
)
def test_a_query_is_asked_of_the_graphs_that_are_named(
    store: ox.Store, dataset: Dataset, default: list[str], named: list[str]
) -> None:
    for pattern, names in (
        (f"?x <{V}name> ?n", default),
        (f"GRAPH ?g {{ ?x <{V}name> ?n }}", named),
    ):
        reply = Reply(store, f"SELECT ?n {{ {pattern} }} ORDER BY ?n", "csv", dataset=dataset)
        assert reply.body.decode().split() == ["n", *names]


@pytest.mark.parametrize(
    ("clause", "default", "named"),
    [
        (f"FROM <{A}>", ["Ada"], []),
        (f"FROM <{A}> FROM <{B}>", ["Ada", "Bob"], []),
        (f"FROM NAMED <{B}>", [], ["Bob"]),
        (f"FROM <{A}> FROM NAMED <{B}>", ["Ada"], ["Bob"]),
        ("FROM <http://nobody.test/>", [], []),
    ],
)
def test_a_query_names_its_graphs_itself_unless_the_protocol_does(
    store: ox.Store, clause: str, default: list[str], named: list[str]
) -> None:
    for pattern, names in (
        (f"?x <{V}name> ?n", default),
        (f"GRAPH ?g {{ ?x <{V}name> ?n }}", named),
    ):
        text = f"SELECT ?n {clause} {{ {pattern} }} ORDER BY ?n"
        assert Reply(store, text, "csv").body.decode().split() == ["n", *names]
    text = f"SELECT ?n {clause} {{ ?x <{V}name> ?n }} ORDER BY ?n"
    told = Reply(store, text, "csv", dataset=Dataset(default=(B,)))
    assert told.body.decode().split() == ["n", "Bob"]


def test_a_star_shows_its_columns_in_the_order_of_the_query(store: ox.Store) -> None:
    reply = Reply(
        store, f"SELECT * {{ ?x <{V}name> ?n OPTIONAL {{ ?n ?a ?b }} }} ORDER BY ?n", "csv"
    )
    head, first, *_ = reply.body.decode().split("\r\n")
    assert head == "x,n,a,b"
    assert first.endswith(",Ada,,")


def test_the_time_that_each_part_took_is_told_where_that_is_wanted(store: ox.Store) -> None:
    question = GraphQuery("SELECT * { ?s ?p ?o }", ("csv",), QueryLimits(timed=True))
    timing = ask(store, question, lambda _: None, lambda _: None).timing
    assert timing is not None
    assert timing.first is not None
    assert 0 < timing.first <= timing.last
    assert timing.parsed > 0
    assert Reply(store, "SELECT * { ?s ?p ?o }", "csv").end.timing is None


def test_what_would_kill_the_engine_is_refused(store: ox.Store) -> None:
    with pytest.raises(AskingError, match="too deep"):
        Reply(store, f"ASK {{ FILTER({'(' * 5000}1{')' * 5000}) }}", "json")


def test_a_name_that_no_graph_can_have_is_a_mistake_of_the_question(store: ox.Store) -> None:
    with pytest.raises(AskingError, match="No graph can have the name") as refused:
        Reply(store, "ASK {}", "json", dataset=Dataset(default=("no iri",)))
    assert refused.value.reason == "query"


def test_a_format_that_does_not_suit_is_told_from_a_query_that_is_none(store: ox.Store) -> None:
    with pytest.raises(AskingError) as refused:
        Reply(store, "ASK {}", "turtle")
    assert refused.value.reason == "format"


@pytest.mark.parametrize("held", ["http", "https"])
@pytest.mark.parametrize("form", ["http", "https"])
def test_both_forms_of_schema_org_find_what_is_there(held: str, form: str) -> None:
    store = ox.Store()
    event = f'<{A}#e> <{held}://schema.org/name> "One" <{A}> .'
    store.extend(ox.parse(event, format=ox.RdfFormat.N_QUADS))
    query = f"PREFIX s: <{form}://schema.org/> SELECT ?n {{ ?e s:name ?n }}"
    assert Reply(store, query, "csv").chunks == [b"n\r\nOne\r\n"]
    with pytest.raises(AskingError, match="line 2"):
        Reply(store, f"{query} \n }}", "csv")


def test_a_description_says_each_statement_once(store: ox.Store) -> None:
    lines = b"".join(Reply(store, f"DESCRIBE <{A}#it>", "ntriples").chunks).splitlines()
    assert len(lines) == len(set(lines)) == 3


def test_what_nothing_answers_comes_with_what_was_meant(store: ox.Store) -> None:
    wrong = Reply(store, f"SELECT * {{ ?s <{V}nme> ?o }}", "json")
    assert "Did you mean" in wrong.end.hints[0]
    assert Reply(store, f"ASK {{ ?s <{V}nme> ?o }}", "json").end.hints == wrong.end.hints
    assert Reply(store, f"DESCRIBE <{A}#it>", "ntriples").end.hints == ()
    assert Reply(store, f"ASK {{ ?s <{V}name> ?o }}", "json").end.hints == ()
