import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.statement_links import statement_links
from gossamer.model import Link, Url

SEE_ALSO = "<http://www.w3.org/2000/01/rdf-schema#seeAlso>"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
ENTRY = "<http://purl.org/rss/1.0/item>"


@pytest.mark.parametrize(
    "line",
    [
        f"<http://a.test/> {SEE_ALSO} <http://b.test/x#y> <http://a.test/> .",
        f"_:b0 {SEE_ALSO} <http://b.test/x> .",
        f"<http://b.test/x> {TYPE} {ENTRY} <http://a.test/> .",
    ],
)
def test_what_to_see_also_and_entries_of_feeds_are_links(line: str) -> None:
    assert list(statement_links(f"{line}\n".encode())) == [
        Link(Url("http://b.test/x"), source="statement")
    ]


@pytest.mark.parametrize(
    "line",
    [
        f'<http://a.test/> {SEE_ALSO} "http://b.test/x" .',
        f"<http://a.test/> {SEE_ALSO} _:b0 .",
        f"<http://a.test/> {SEE_ALSO} <urn:x> .",
        f"_:b0 {TYPE} {ENTRY} .",
        f'<http://a.test/> <http://a.test/p> "_:b0 {SEE_ALSO} <http://b.test/>" .',
        f'<http://a.test/> <http://a.test/p> "\\n_:b0 {SEE_ALSO} <http://b.test/>" .',
        "<http://a.test/> <http://www.w3.org/2002/07/owl#sameAs> <http://b.test/> .",
        "<http://a.test/> <http://schema.org/url> <http://b.test/> .",
        f"<http://b.test/> {TYPE} <http://purl.org/rss/1.0/items> .",
    ],
)
def test_nothing_else_is(line: str) -> None:
    assert list(statement_links(f"{line}\n".encode())) == []


def test_they_come_in_the_order_of_the_statements() -> None:
    lines = [
        f"<http://a.test/> {SEE_ALSO} <http://b.test/2> .",
        f"<http://b.test/1> {TYPE} {ENTRY} .",
    ]
    assert [link.url[-1] for link in statement_links("\n".join(lines).encode())] == ["2", "1"]


@given(st.binary() | st.text().map(str.encode))
def test_no_bytes_raise(nquads: bytes) -> None:
    list(statement_links(nquads))
    list(statement_links(f"_:b {SEE_ALSO} <".encode() + nquads + b">"))
