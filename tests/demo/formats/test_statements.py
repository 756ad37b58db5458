import json

import ada_url
import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.demo.formats.reading import URL, graph_of

from gossamer.demo.formats.statements import as_canonical_double, iri, literal, resolved, time_type
from gossamer.demo.things import Amount

HREF_PARTS = st.sampled_from(
    [
        *(
            "http://",
            "https://",
            "//",
            "/",
            ".",
            "..",
            "a.test",
            "b",
            "?",
            "x=1",
            "&",
            "#",
            "é",
            "%",
            "xn--",
            "-",
            "0x7f.1",
            "9",
        )
    ]
)


@given(st.text(st.characters(codec="utf-8")), st.sampled_from([None, "en", "ja"]))
def test_any_text_is_a_literal_that_reads_back(text: str, language: str | None) -> None:
    line = f"<http://s.test/> <http://p.test/> {literal(text, language)} ."
    (quad,) = ox.parse(line.encode(), format=ox.RdfFormat.N_TRIPLES)
    assert quad.object == ox.Literal(text, language=language)


@given(st.text(st.characters(codec="utf-8")))
def test_any_link_that_leads_somewhere_is_an_iri(href: str) -> None:
    target = resolved(URL, href)
    if target is not None:
        line = f"<http://s.test/> <http://p.test/> {iri(target)} ."
        assert list(ox.parse(line.encode(), format=ox.RdfFormat.N_TRIPLES))


def test_the_brackets_of_a_network_address_stay() -> None:
    assert iri("http://[::1]:80/[a]#b#c") == "<http://[::1]:80/%5Ba%5D#b%23c>"


@given(st.lists(HREF_PARTS, max_size=8).map("".join))
def test_links_lead_where_browsers_go(href: str) -> None:
    try:
        expected: str | None = ada_url.join_url(URL, href)
    except ValueError:
        expected = None
    assert resolved(URL, href) == expected


@given(st.integers(1, 99_999).filter(lambda hundredths: hundredths % 100 != 0))
def test_a_bare_amount_is_typed_as_json_ld_types_numbers(hundredths: int) -> None:
    document = {"@id": "http://s.test/", "http://p.test/": hundredths / 100}
    found = graph_of(json.dumps(document).encode(), ox.RdfFormat.JSON_LD)
    term = as_canonical_double(Amount(hundredths))
    assert found == {f"<http://s.test/> <http://p.test/> {term}"}


@pytest.mark.parametrize(
    ("text", "name"),
    [("2020-01-02", "date"), ("2020-01-02T10:00:00Z", "dateTime"), ("PT5M", "duration")],
)
def test_a_time_has_the_type_it_looks_like(text: str, name: str) -> None:
    assert time_type(text) == name
