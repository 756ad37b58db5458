import pytest
from tests.transform.rdf_sources import problems, read, read_xml, statements

from gossamer.model import Syntax
from gossamer.transform.document import Document
from gossamer.transform.terms import InGraph
from gossamer.transform.triple_terms import MOST_KEPT

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"


def test_blank_nodes_are_numbered_in_order_of_appearance() -> None:
    items = read("_:zebra <p> _:apple . [] <p> _:zebra , ( 1 ) .", Syntax.TURTLE)
    assert statements(items)[:3] == [
        "_:t0 <https://example.test/a/p> _:t1",
        "_:t2 <https://example.test/a/p> _:t0",
        f'_:t3 <{RDF}first> "1"^^<{XSD}integer>',
    ]


def test_an_error_changes_nothing_about_what_came_before() -> None:
    good = "_:b <p> [ <q> _:a ] ; <r> ( 1 2 ) . <s> <p> _:c ."
    before = read(good, Syntax.TURTLE)
    assert read(f"{good} <s> <p> oops .", Syntax.TURTLE)[: len(before)] == before


def test_turtle_goes_on_behind_an_error() -> None:
    items = read("<s> <p> 1 .\n<s> <p> oops .\n<s> <p> 2 .", Syntax.TURTLE)
    assert [line.split('"')[1] for line in statements(items)] == ["1", "2"]
    assert problems(items) == [(2, "oops is not a valid RDF object.")]


def test_a_bad_line_of_n_triples_is_the_only_one_lost() -> None:
    lines = [
        "<http://s> <http://p> <http://o1> .",
        "rubbish",
        "<http://s> <http://p> <http://o2> .",
    ]
    items = read("\n".join(lines), Syntax.N_TRIPLES)
    assert statements(items) == [lines[0][:-2], lines[2][:-2]]
    assert [line for line, _ in problems(items)] == [2]


def test_invalid_iris_are_mended_or_their_statement_is_left_out() -> None:
    text = "<a b> <p> <http://[x/> . <c> <p> <d{e}> . <f> <p> 'g'^^<h i> ."
    items = read(text, Syntax.TURTLE)
    base = "https://example.test/a"
    assert statements(items) == [
        f"<{base}/c> <{base}/p> <{base}/d%7Be%7D>",
        f'<{base}/f> <{base}/p> "g"^^<{base}/h%20i>',
    ]
    assert problems(items) == [(None, '"http://[x/" is no IRI; the statement is left out.')]


def test_escapes_in_iris_cannot_end_them() -> None:
    (item,) = statements(read(r"<s> <p> <x\u003E%20.\u000A<y> .", Syntax.TURTLE))
    assert item == (
        "<https://example.test/a/s> <https://example.test/a/p>"
        " <https://example.test/a/x%3E%20.%0A%3Cy>"
    )


def test_named_graphs_are_told() -> None:
    blank = Document("https://example.test/a/b", b"").blank
    triple = '<http://s> <http://p> "o > <x"'
    assert read(f"{triple} <http://g> .\n{triple} .\n{triple} _:g .", Syntax.N_QUADS) == [
        InGraph("<http://g>", triple),  # type: ignore[arg-type]  # terms by hand
        triple,
        InGraph(blank("t0"), triple),  # type: ignore[arg-type]  # terms by hand
    ]
    assert read("<http://g> { <http://s> <http://p> 'o > <x' } oops", Syntax.TRIG)[0] == (
        InGraph("<http://g>", triple)  # type: ignore[arg-type]  # terms by hand
    )


def test_languages_and_directions_are_kept() -> None:
    good = "<http://s> <http://p> 'a'@EN-us, 'b'@ar--rtl, 'c--rtl' ."
    for text in (good, f"<http://s> <http://p> oops . {good}"):
        items = read(text, Syntax.TURTLE)
        assert [line[22:] for line in statements(items)] == [
            '"a"@en-us',
            '"b"@ar--rtl',
            '"c--rtl"',
        ]


def test_what_could_be_mended_is_told_all_the_same() -> None:
    items = read("<http://s> <http://p> 1 .\n<http://s/ x> <http://p> 2 .", Syntax.TURTLE)
    assert len(statements(items)) == 2
    assert problems(items) == [(2, "Invalid IRI code point ' '; mended.")]


def test_an_id_used_twice_in_rdf_xml_is_told_with_its_line() -> None:
    items = read_xml('<e:C rdf:ID="x"/>\n<e:D rdf:ID="x"/>')
    assert len(statements(items)) == 2
    ((line, message),) = problems(items)
    assert line == 3
    assert "already" in message


@pytest.mark.parametrize("error", ["", " oops ."])
def test_statements_about_statements_are_kept_and_their_blank_nodes_named(error: str) -> None:
    text = (
        f"<http://s> <http://p> _:a, <<( _:a <http://b> <<( _:a <http://b> 'c'@en )>> )>> .{error}"
    )
    items = read(text, Syntax.TURTLE)
    first, second = statements(items)
    name = first.split(" ")[2]
    inner = f'<<( {name} <http://b> "c"@en )>>'
    assert second == f"<http://s> <http://p> <<( {name} <http://b> {inner} )>>"
    assert bool(problems(items)) is bool(error)


def test_statements_about_statements_nested_too_deep_are_a_problem() -> None:
    term = "<http://a>"
    for _ in range(MOST_KEPT + 1):
        term = f"<<( <http://a> <http://b> {term} )>>"
    items = read(f"<http://s> <http://p> {term}, 2 .", Syntax.TURTLE)
    assert len(statements(items)) == 1
    assert "too deep" in problems(items)[0][1]


def test_a_document_of_errors_alone_is_given_up() -> None:
    items = read("x\n" * 20_000, Syntax.N_TRIPLES)
    assert len(items) == 2_001
    assert problems(items)[-1] == (None, "Hardly any of this can be read; the rest is left out.")
