import pytest
from tests.transform.demo_pages import problems_of
from tests.transform.microdata.reading import URL, items

from gossamer.transform.document import Document
from gossamer.transform.microdata.naming import Names, introduction, type_of
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


def test_every_type_is_said_and_the_first_decides() -> None:
    attributes = {"itemtype": " http://a.test/A  Person http://b.test/B http://a.test/A"}
    subject = Document(URL, b"").blank("m1")
    assert list(introduction(subject, attributes)) == [
        f"{subject} {A} <http://a.test/A>",
        f"{subject} {A} <http://b.test/B>",
    ]
    assert type_of(attributes) == "http://a.test/A"
    assert type_of({}) is None
