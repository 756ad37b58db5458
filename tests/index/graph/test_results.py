"""Our writers beside the engine's own readers and writers."""

import csv
import io
import json
from collections.abc import Sequence

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.graph.blanks import Term
from gossamer.index.graph.results import ROWS, TRUTHS, Row

FORMATS = {
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "tsv": ox.QueryResultsFormat.TSV,
}
TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufffe\uffff"), max_size=8
)
# Of what XML cannot hold, only the replacement is promised; and the engine's reader of XML takes
# away white space at both ends.
XML_TEXT = TEXT.filter(lambda text: not any(c < " " and c not in "\t\n\r" for c in text)).map(
    lambda text: f"<{text}>"
)
IRIS = st.sampled_from(["http://a.test/", "http://a.test/é?a=b&c#d", "urn:x:'"]).map(ox.NamedNode)
LITERALS = st.one_of(
    st.builds(ox.Literal, XML_TEXT),
    st.builds(lambda text: ox.Literal(text, language="en-gb"), XML_TEXT),
    st.builds(lambda text, iri: ox.Literal(text, datatype=iri), XML_TEXT, IRIS),
    st.builds(
        lambda text: ox.Literal(text, language="ar", direction=ox.BaseDirection.RTL), XML_TEXT
    ),
)
BLANKS = st.sampled_from("ab").map(ox.BlankNode)
SIMPLE = st.one_of(IRIS, LITERALS, BLANKS)
TERMS = st.one_of(SIMPLE, st.builds(ox.Triple, IRIS, IRIS, SIMPLE), st.none())
TABLES = st.lists(st.lists(TERMS, min_size=2, max_size=2), max_size=4)


def written(name: str, rows: Sequence[Row]) -> str:
    return "".join(ROWS[name](["x", "y"], rows))


@given(st.sampled_from(sorted(FORMATS)), TABLES)
def test_what_is_written_is_read_back_the_same(name: str, rows: list[list[Term | None]]) -> None:
    if name == "tsv":  # the engine's reader knows no triples there
        rows = [[None if isinstance(each, ox.Triple) else each for each in row] for row in rows]
    found = ox.parse_query_results(written(name, rows).encode(), format=FORMATS[name])
    assert isinstance(found, ox.QuerySolutions)
    assert [variable.value for variable in found.variables] == ["x", "y"]
    assert [list(solution) for solution in found] == rows


@given(
    st.lists(st.lists(st.one_of(st.none(), st.builds(ox.Literal, TEXT)), min_size=2, max_size=2))
)
def test_a_spreadsheet_finds_the_values(rows: list[list[ox.Literal | None]]) -> None:
    read = list(csv.reader(io.StringIO(written("csv", rows), newline="")))
    assert read == [["x", "y"], *([each.value if each else "" for each in row] for row in rows)]


def test_a_blank_node_in_csv_looks_like_one() -> None:
    assert written("csv", [[ox.BlankNode("b1"), None]]) == "x,y\r\n_:b1,\r\n"


def test_a_triple_in_tsv_is_written_as_turtle_has_it() -> None:
    a = ox.NamedNode("http://a.test/")
    triple = "<<( <http://a.test/> <http://a.test/> <http://a.test/> )>>"
    assert written("tsv", [[ox.Triple(a, a, a), None]]) == f"?x\t?y\n{triple}\t\n"


@given(st.lists(st.lists(st.one_of(IRIS, LITERALS), min_size=1, max_size=1), max_size=3))
def test_json_is_what_the_engine_writes(rows: list[list[Term]]) -> None:
    values = " ".join(f"({row[0]})" for row in rows)
    found = ox.Store().query(f"SELECT ?x {{ VALUES (?x) {{ {values} }} }}")
    assert isinstance(found, ox.QuerySolutions)
    theirs = found.serialize(format=ox.QueryResultsFormat.JSON)
    assert theirs is not None
    assert json.loads("".join(ROWS["json"](["x"], rows))) == json.loads(theirs)


def test_characters_that_xml_cannot_hold_are_replaced() -> None:
    found = ox.parse_query_results(
        written("xml", [[ox.Literal("a\x01b"), None]]).encode(), format=ox.QueryResultsFormat.XML
    )
    assert isinstance(found, ox.QuerySolutions)
    assert [solution["x"] for solution in found] == [ox.Literal("a\ufffdb")]


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("truth", [True, False])
def test_a_truth_is_read_back(name: str, truth: bool) -> None:
    text = TRUTHS[name].format("true" if truth else "false")
    assert bool(ox.parse_query_results(text.encode(), format=FORMATS[name])) is truth
