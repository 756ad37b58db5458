from tests.transform.jsonld.reading_back import json_document, messages

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Item
from gossamer.transform.jsonld.processing import Quad
from gossamer.transform.jsonld.writing import Writer
from gossamer.transform.terms import A, InGraph

DOCUMENT = json_document("{}")


def written(*quads: Quad) -> list[Item]:
    return list(Writer(DOCUMENT).items(quads))


def test_blank_nodes_are_numbered_as_they_appear() -> None:
    first, second, third = (DOCUMENT.blank(f"j{number}") for number in range(3))
    assert written(
        ("_:z9", "<x:p>", "_:a1", ""), ("_:a1", "<x:p>", "_:z9", ""), ("_:m", "<x:p>", '"_:z9"', "")
    ) == [f"{first} <x:p> {second}", f"{second} <x:p> {first}", f'{third} <x:p> "_:z9"']


def test_one_writer_knows_the_names_of_all_blocks() -> None:
    writer = Writer(DOCUMENT)
    quad = ("_:a", "<x:p>", '"1"', "")
    assert list(writer.items([quad])) == list(writer.items([quad]))
    assert writer.new_blank() == DOCUMENT.blank("j1")


def test_a_graph_is_named_as_it_names_itself() -> None:
    assert written(("<x:s>", "<x:p>", '"1"', "<x:g>"), ("<x:s>", "<x:p>", '"1"', "_:g")) == [
        InGraph("<x:g>", '<x:s> <x:p> "1"'),  # type: ignore[arg-type]  # terms are text
        InGraph(DOCUMENT.blank("j0"), '<x:s> <x:p> "1"'),  # type: ignore[arg-type]  # likewise
    ]


def test_what_names_a_thing_is_mended_as_in_browsers() -> None:
    assert written(("<http://a.test/b c>", "<x:p>", "<http://a.test/{d}>", "<x:g h>")) == [
        InGraph("<x:g%20h>", "<http://a.test/b%20c> <x:p> <http://a.test/%7Bd%7D>")  # type: ignore[arg-type]  # terms are text
    ]


def test_what_cannot_be_mended_is_left_out_and_reported_once() -> None:
    bad = "<http://[no/>"
    found = written(
        (bad, "<x:p>", '"1"', ""), ("<x:s>", "<x:p>", bad, ""), ("<x:s>", "<x:p>", '"2"', bad)
    )
    assert found == [Problem('"http://[no/" is no IRI; the statement is left out.', Syntax.JSON_LD)]


def test_properties_classes_and_datatypes_are_no_links_and_not_mended() -> None:
    found = written(
        ("<x:s>", "<http://a.test/b c>", '"1"', ""),
        ("<x:s>", A, "<http://a.test/B C>", ""),
        ("<x:s>", "<x:p>", '"1"^^<http://a.test/D E>', ""),
    )
    assert len(messages(found)) == len(found) == 3


def test_a_relative_name_is_left_out_in_silence() -> None:
    assert (
        written(
            ("<s>", "<x:p>", '"1"', ""),
            ("<x:s>", "<p>", '"1"', ""),
            ("<x:s>", "<x:p>", "<o>", ""),
            ("<x:s>", "<x:p>", '"1"^^<d>', ""),
            ("<x:s>", "<x:p>", '"1"', "<g>"),
        )
        == []
    )


def test_literals_are_kept_as_they_are() -> None:
    literals = ['"a"', '"a"@en', '"a>"', '"1"^^<x:d>', '"x ^^<y:z>"@de', '"<x:o>"']
    assert written(*(("<x:s>", "<x:p>", each, "") for each in literals)) == [
        f"<x:s> <x:p> {each}" for each in literals
    ]
