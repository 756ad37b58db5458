"""Questions in SPARQL."""

import pytest
from tests.service.running import Client
from tests.web.conftest import Look

from gossamer.sparql.example_queries import EXAMPLES
from gossamer.web.pages.query import mistake, table_of

PEOPLE = (
    "SELECT ?person (STR(?n) AS ?name) { ?person a schema:Person ; schema:name ?n } ORDER BY ?name"
)


def test_without_a_query_there_is_one_to_begin_with(look: Look) -> None:
    page = look("/query")
    assert page.one("textarea").text().strip() == EXAMPLES["types"].text
    assert len(page.links("#any a")) == len(EXAMPLES)


def test_queries_about_what_was_found_have_rows(look: Look) -> None:
    links = look("/query").links("#found a")
    assert links
    for link in links:
        page = look(link)
        assert page.all("tbody tr")
        assert page.all("thead th")[0].text() == "thing"


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_goes_into_the_box_and_has_an_answer(look: Look, name: str) -> None:
    text = look("/query", example=name).one("textarea").text()
    assert text.strip() == EXAMPLES[name].text
    page = look("/query", query=text)
    assert page.all("tbody tr") or "No rows" in page.text


def test_rows_are_a_table_whose_things_have_pages(look: Look, ask: Client) -> None:
    page = look("/query", query=PEOPLE)
    rows = ask("/sparql", query=PEOPLE, headers={"Accept": "application/json"}).json
    names = [each["name"]["value"] for each in rows["results"]["bindings"]]
    assert [each.text() for each in page.all("tbody td:nth-child(2)")] == names
    assert page.one("textarea").text().strip() == PEOPLE
    assert look(page.links("tbody a")[0]).one("h1").text() == names[0]


def test_a_long_answer_is_cut_and_says_so(look: Look) -> None:
    page = look("/query", query="SELECT * { ?s ?p ?o }")
    assert len(page.all("tbody tr")) == 200
    assert "there are more" in page.text


def test_no_rows_come_with_what_was_probably_meant(look: Look) -> None:
    page = look("/query", query="SELECT * { ?s schema:nmae ?o }")
    assert "Did you mean schema:name?" in page.text


def test_yes_and_no(look: Look) -> None:
    assert "Yes." in look("/query", query="ASK { ?s ?p ?o }").text
    assert "No." in look("/query", query="ASK { ?s <urn:nothing> ?o }").text


def test_triples_are_shown_as_turtle(look: Look) -> None:
    page = look("/query", query="CONSTRUCT { ?s ?p ?o } { ?s ?p ?o } LIMIT 3")
    assert page.one("pre.wrap").text().count("\n") >= 1
    assert [each for each in page.links("a[download]") if each.endswith("to=turtle")]


def test_a_mistake_is_shown_at_its_place(look: Look) -> None:
    page = look("/query", status=400, query="SELECT ?s {\n  ?s foo:bar ?o\n}")
    note = page.one(".note--bad")
    assert "Line 2, column" in note.text()
    assert "prefix" in note.text()
    assert "foo:bar" in note.css("pre")[0].text()
    assert "SERVICE" in look("/query", status=400, query="SELECT * { SERVICE <urn:x> {} }").text


@pytest.mark.parametrize("to", ["csv", "tsv", "json", "xml"])
def test_an_answer_can_be_taken_along(ask: Client, to: str) -> None:
    answer = ask("/query", query=PEOPLE, to=to)
    assert answer.status == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="answer.{to}"'
    assert b"name" in answer.body


def test_a_file_that_cannot_be_is_an_error_page(look: Look) -> None:
    look("/query", status=406, query=PEOPLE, to="turtle")
    look("/query", status=400, query="nonsense", to="csv")
    look("/query", status=400, query=PEOPLE, to="exe")
    look("/query", status=400, example="none")


def test_hostile_literals_and_names_stay_text(look: Look) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    query = f"SELECT ?x ?y {{ BIND ('{hostile}' AS ?x) BIND (IRI('javascript:alert(1)') AS ?y) }}"
    page = look("/query", query=query)
    assert hostile in page.text
    assert not [link for link in page.links() if not link.startswith(("/", "#"))]


def test_every_kind_of_term_has_a_cell() -> None:
    one = {"type": "uri", "value": "urn:a"}
    triple = {"type": "triple", "value": {"subject": one, "predicate": one, "object": one}}
    cells = {
        "a": one,
        "b": {"type": "bnode", "value": "b12"},
        "c": {"type": "literal", "value": "hi", "xml:lang": "en"},
        "d": triple,
    }
    names = [*cells, "e"]
    (row,) = table_of({"head": {"vars": names}, "results": {"bindings": [cells]}}).rows
    assert [each and each.text for each in row] == [
        "urn:a", "_:b12", "hi", "<< urn:a urn:a urn:a >>", None,
    ]  # fmt: skip
    assert row[1] is not None
    assert row[1].iri == "gossamer-blank:12"
    assert row[2] is not None
    assert row[2].note == "en"


def test_a_mistake_without_a_place_is_told_as_it_is() -> None:
    assert mistake("Too long.", "x").line is None
    assert mistake("line 9, column 1: odd", "x").text is None
    assert mistake("line 1, column 1: this is odd.", "x").message == "This is odd."
