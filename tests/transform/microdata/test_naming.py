import pytest
from tests.transform.demo_pages import problems_of
from tests.transform.microdata.reading import URL, items

from gossamer.transform.document import Document
from gossamer.transform.microdata.naming import Names, types_of
from gossamer.transform.microdata.values import Values

A = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def test_an_item_is_named_by_its_itemid_joined_with_the_page() -> None:
    document = Document(URL, b"")
    names = Names(document, Values(document))
    assert names.given({"itemid": " other "}) == "<http://a.test/dir/other>"
    assert names.given({"itemid": "urn:isbn:1"}) == "<urn:isbn:1>"


@pytest.mark.parametrize("attributes", [{}, {"itemid": None}, {"itemid": " "}])
def test_without_one_it_is_a_blank_node_of_its_own(attributes: dict[str, str | None]) -> None:
    document = Document(URL, b"")
    names = Names(document, Values(document))
    given = [names.given(attributes), names.given(attributes)]
    assert given == [document.blank("m1"), document.blank("m2")]


def test_a_name_that_is_none_is_a_problem_and_the_item_is_kept() -> None:
    read = items("<p itemscope itemid='http://[x'><b itemprop=a>c</b></p>")
    assert problems_of(read) == ['"http://[x" is no IRI; its item has no name.']
    assert sum(isinstance(item, str) for item in read) == 1


@pytest.mark.parametrize("refers", ["", " itemref=x"])
def test_every_type_is_said_once_and_the_bad_ones_are_problems(refers: str) -> None:
    types = " http://a.test/A  Person http://[b http://b.test/B http://a.test/A"
    read = items(f'<p itemscope itemid="http://[x" itemtype="{types}"{refers}>')
    subject = Document(URL, b"").blank("m1")
    assert [item for item in read if isinstance(item, str)] == [
        f"{subject} {A} <http://a.test/A>",
        f"{subject} {A} <http://b.test/B>",
    ]
    assert problems_of(read) == [
        '"http://[x" is no IRI; its item has no name.',
        '"http://[b" is no IRI; the statement is left out.',
    ]


def test_the_types_of_an_item_are_those_of_its_itemtype() -> None:
    assert types_of({"itemtype": "Person urn:x"}).first == "urn:x"
    assert types_of({"itemtype": None}) == types_of({}) == (None, (), ())
