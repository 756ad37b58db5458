import pytest
from selectolax.lexbor import LexborNode

from gossamer.transform import kinds
from gossamer.transform.document import Document

XSD = "http://www.w3.org/2001/XMLSchema#"


def page() -> tuple[LexborNode, Document]:
    document = Document("http://a.test/dir/page", b"<html lang=EN><p>x</p>")
    node = document.html.css_first("p")
    assert node is not None
    return node, document


@pytest.mark.parametrize(
    ("kind", "value", "term"),
    [
        (kinds.text, " tea  time\n", '"tea  time"@en'),
        (kinds.code, " x ", '"x"'),
        (kinds.address, " ../x y ", "<http://a.test/x%20y>"),
        (kinds.address_or_code, "urn:isbn:1", "<urn:isbn:1>"),
        (kinds.address_or_code, "Tea, 2nd ed.: a book", '"Tea, 2nd ed.: a book"'),
        (kinds.time, " 2024-05-01 ", f'"2024-05-01"^^<{XSD}date>'),
        (kinds.time, "May", '"May"'),
    ],
)
def test_each_kind_has_its_term(kind: kinds.Kind, value: str, term: str) -> None:
    assert kind(value, *page()) == term


@pytest.mark.parametrize(
    "kind", [kinds.text, kinds.code, kinds.address, kinds.address_or_code, kinds.time]
)
@pytest.mark.parametrize("value", ["", " \n\t"])
def test_an_empty_value_says_nothing(kind: kinds.Kind, value: str) -> None:
    assert kind(value, *page()) is None


def test_an_address_that_cannot_be_joined_is_none() -> None:
    assert kinds.address("http://[x", *page()) is None


@pytest.mark.parametrize("value", ["1", "-1.50", "+.5", "1."])
def test_decimals_keep_their_spelling(value: str) -> None:
    assert kinds.decimal(value) == f'"{value}"^^<{XSD}decimal>'


@pytest.mark.parametrize("value", ["1,5", "1e3", "N50", "."])
def test_what_is_no_decimal_is_plain(value: str) -> None:
    assert kinds.decimal(value) == f'"{value}"'


def test_the_text_of_an_element_is_one_line() -> None:
    assert kinds.one_line("\n a\t b\xa0 c ") == "a b\xa0 c"
