"""Archived copies as text."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.running import Client
from tests.web.conftest import Look

from gossamer.errors import ArchiveError
from gossamer.web.copies import copy_at, text_of

URL = "http://a.test/"


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [("ü".encode("latin-1"), "text/html; charset=iso-8859-1", "ü"),
     ("<meta charset=windows-1251>Ж".encode("cp1251"), "text/html", "<meta charset=windows-1251>Ж"),
     (b"\xef\xbb\xbf{}", "application/ld+json", "{}"), (b"a\xffb", "text/turtle", "a\ufffdb"),
     (b"<x/>", "image/svg+xml", "<x/>"), (b"plain", None, "plain"),
     (b"\x89PNG\0", "image/png", None), (b"%PDF", "application/pdf", None), (b"a\0b", None, None)],
)  # fmt: skip
def test_text_is_read_as_its_sender_meant_it(
    body: bytes, content_type: str | None, text: str | None
) -> None:
    assert text_of(body, content_type, URL) == text


@given(
    st.binary(max_size=200), st.sampled_from(["text/html", "text/html; charset=x", "", "a/json"])
)
def test_whatever_was_received_it_is_text_or_none(body: bytes, content_type: str) -> None:
    text = text_of(body, content_type, URL)
    assert text is None or isinstance(text, str)


@pytest.mark.parametrize("place", ["", "../x:1:2", "none.warc.gz:0:10", "x"])
def test_a_place_that_is_none_is_an_error_of_ours(tmp_path: Path, place: str) -> None:
    with pytest.raises(ArchiveError):
        copy_at(tmp_path, place)


def test_links_and_quads_by_syntax_are_told(look: Look, ask: Client) -> None:
    rows = ask(
        "/sparql",
        query="SELECT ?page { GRAPH ?f { ?f gossamer:syntax 'jsonld', 'page' ; prov:used ?page ; "
        "gossamer:outcome 'fetched' } } ORDER BY ?page LIMIT 1",
        headers={"Accept": "application/json"},
    ).json["results"]["bindings"]
    url = rows[0]["page"]["value"]
    page = look("/page", url=url, read="again")
    known = re.search(r"Quads (\d+)", page.text)
    assert known
    counts = [
        int(each.text().split()[1]) for each in page.all(".facts .badge") if " " in each.text()
    ]
    assert sum(counts) >= int(known[1]) > 0  # what two syntaxes say is one quad
    assert [link for link in page.links("aside .plain-list a") if link.startswith("/page?url=")]
