import pytest

from gossamer.model import Problem
from gossamer.transform.document import Document
from gossamer.transform.microformats.items import Item, Nested, Plain
from gossamer.transform.microformats.kinds import term_of
from gossamer.transform.microformats.reading import Reader
from gossamer.transform.microformats.vocabulary import Kind

DOCUMENT = Document("http://a.test/x/", b'<p lang="de">y</p>')
ELEMENT = DOCUMENT.html.css("p")[0]
READER = Reader(DOCUMENT)
XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.mark.parametrize(
    ("kind", "text", "term"),
    [
        (Kind.TEXT, " a\n  b ", '"a b"@de'),
        (Kind.CODE, "a", '"a"'),
        (Kind.IRI, "y", "<http://a.test/x/y>"),
        (Kind.IRI, "http://b.test/a b", "<http://b.test/a%20b>"),
        (Kind.TIME, "2020-01-01 10:00", f'"2020-01-01T10:00:00"^^<{XSD}dateTime>'),
        (Kind.TIME, "soon", '"soon"'),
        (Kind.INTEGER, "17", f'"17"^^<{XSD}integer>'),
        (Kind.INTEGER, "17.5", '"17.5"'),
        (Kind.DECIMAL, "17.50", f'"17.50"^^<{XSD}decimal>'),
        (Kind.DECIMAL, "£17", '"£17"'),
        (Kind.TELEPHONE, "+49 (30) 12-34", "<tel:+49301234>"),
        (Kind.TELEPHONE, "tel:030/12", "<tel:03012>"),
        (Kind.E_MAIL, "a@b.test", "<mailto:a@b.test>"),
        (Kind.E_MAIL, "mailto:a@b.test?subject=x", "<mailto:a@b.test>"),
        (Kind.NODE, "https://b.test", "<https://b.test>"),
        (Kind.NODE, "Town", '"Town"@de'),
    ],
)
def test_a_value_becomes_a_term_of_its_kind(kind: Kind, text: str, term: str) -> None:
    assert term_of(Plain(text, ELEMENT), kind, READER) == term


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.IRI, "not an address"),
        (Kind.IRI, "http://[x/"),
        (Kind.TELEPHONE, "none"),
        (Kind.E_MAIL, "nobody"),
        (Kind.E_MAIL, "a at b@c"),
        (Kind.E_MAIL, "http://b.test/a@b"),
    ],
)
def test_what_cannot_be_one_is_a_problem(kind: Kind, text: str) -> None:
    assert isinstance(term_of(Plain(text, ELEMENT), kind, READER), Problem)


@pytest.mark.parametrize("kind", list(Kind))
def test_an_empty_value_says_nothing(kind: Kind) -> None:
    assert term_of(Plain(" \n", ELEMENT), kind, READER) is None


def test_the_address_of_an_item_counts_where_one_is_wanted() -> None:
    item = Item(("h-cite",), None, ELEMENT, url="http://b.test/")
    assert term_of(Nested("A post", item), Kind.IRI, READER) == "<http://b.test/>"
    assert term_of(Nested("A post", item), Kind.TEXT, READER) == '"A post"@de'
