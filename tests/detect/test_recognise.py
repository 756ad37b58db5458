"""From bytes and header to a detection: a table of cases, the demo web, the suites, and any bytes."""

import codecs
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.detect.cases import CASES, Case

from gossamer.demo.content import Format, Rendered
from gossamer.demo.rendering import rendered
from gossamer.demo.world import Page, World
from gossamer.detect import detect
from gossamer.model import RootElement, Syntax

WORLD = World(seed=7, pages=500, hosts=26)
NOWHERE = "http://example.test/"
HEADERS = st.sampled_from(
    [None, "", "text/html", "text/plain", "application/xml", "text/turtle", "application/ld+json"]
)
WRONG = ("text/plain", "application/octet-stream", "application/xml", "text/html", "text/x-who")
WRONG_FOR_RDF = ("application/ld+json", "application/rdf+xml", "application/n-triples")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_a_document_is_what_it_is(case: Case) -> None:
    body = case.body.encode() if isinstance(case.body, str) else case.body
    found = detect(body, case.url, case.header)
    assert (found.media_type, found.syntaxes) == (case.media_type, case.syntaxes)
    assert (found.skipped is None) == bool(case.syntaxes)
    assert all(each.why for each in found.evidence)
    assert found.encoding_why


def test_there_are_many_cases_and_no_two_of_a_name() -> None:
    assert len({case.what for case in CASES}) == len(CASES) >= 100


@pytest.fixture(scope="module")
def pages() -> list[tuple[Page, Rendered]]:
    numbered = (WORLD.page(number) for number in range(WORLD.pages))
    return [(page, rendered(WORLD, page)) for page in numbered]


def test_every_page_of_the_demo_web_is_what_its_format_says(
    pages: list[tuple[Page, Rendered]],
) -> None:
    for page, made in pages:
        found = detect(made.body, page.url, made.content_type)
        assert set(made.triples) <= set(found.syntaxes), page
        # Text that mentions a word that meta elements use, at most.
        assert set(found.syntaxes) - set(made.triples) <= {Syntax.OPEN_GRAPH}, page


def test_no_page_without_microformats_or_json_ld_is_said_to_have_any(
    pages: list[tuple[Page, Rendered]],
) -> None:
    costly = {Syntax.MICROFORMATS, Syntax.JSON_LD, Syntax.MICRODATA}
    plain = [(page, made) for page, made in pages if page.format is Format.HTML]
    assert len(plain) > 50
    for page, made in plain:
        assert not costly & set(detect(made.body, page.url, made.content_type).syntaxes)


@pytest.mark.parametrize("header", [None, *WRONG])
def test_a_wrong_header_changes_nothing(
    pages: list[tuple[Page, Rendered]], header: str | None
) -> None:
    for page, made in pages:
        found = detect(made.body, NOWHERE, header)
        assert set(made.triples) <= set(found.syntaxes), (page, header)


@pytest.mark.parametrize("header", WRONG_FOR_RDF)
def test_html_and_rdf_are_told_apart_under_any_header(
    pages: list[tuple[Page, Rendered]], header: str
) -> None:
    for page, made in pages:
        found = detect(made.body, NOWHERE, header)
        if page.format is not Format.JSON_LD:
            assert set(made.triples) <= set(found.syntaxes), (page, header)


def test_every_page_decodes_to_its_text(pages: list[tuple[Page, Rendered]]) -> None:
    for page, made in pages:
        charset = "cp1252" if page.charset == "iso-8859-1" else page.charset
        text = made.body.decode(charset).removeprefix("\ufeff")
        found = detect(made.body, page.url, made.content_type)
        assert made.body.decode(found.encoding).removeprefix("\ufeff") == text, page


def test_without_header_the_western_pages_still_decode(pages: list[tuple[Page, Rendered]]) -> None:
    western = {"utf-8", "utf-16", "iso-8859-1", "windows-1252"}
    for page, made in pages:
        assert page.charset in western
        charset = "cp1252" if page.charset == "iso-8859-1" else page.charset
        found = detect(made.body, NOWHERE, None)
        assert made.body.decode(found.encoding) == made.body.decode(
            "utf-16-le" if charset == "utf-16" else charset
        ), page


def test_what_is_known_of_a_page_is_known_from_its_first_half(
    pages: list[tuple[Page, Rendered]],
) -> None:
    for page, made in pages:
        whole = detect(made.body, page.url, made.content_type)
        for length in (len(made.body) // 2, len(made.body) * 9 // 10):
            part = detect(made.body[:length], page.url, made.content_type)
            assert part.media_type == whole.media_type, page
            assert part.encoding == whole.encoding, page
            assert set(part.syntaxes) <= set(whole.syntaxes), page


def test_what_an_encoding_is_does_not_depend_on_where_the_body_was_cut() -> None:
    body = "<p>Łódź, 東京, Αθήνα</p>".encode()
    for length in range(8, len(body)):
        assert detect(body[:length], NOWHERE, "text/html").encoding == "utf-8"


@pytest.mark.needs_suites
@pytest.mark.parametrize(
    ("suite", "syntax", "count"),
    [
        ("rdfa", Syntax.RDFA, 1222),
        ("microdata-rdf", Syntax.MICRODATA, 84),
        ("jsonld-html", Syntax.JSON_LD, 41),
        ("jsonld-tordf", Syntax.JSON_LD, 467),
    ],
)
def test_nothing_is_missed_in_the_suites(
    suites: Path, suite: str, syntax: Syntax, count: int
) -> None:
    entries = json.loads((suites / suite / "manifest.json").read_text())
    assert len(entries) == count
    missed = set()
    for entry in entries:
        header = entry.get("content_type") or (
            "application/ld+json" if suite == "jsonld-tordf" else "text/html"
        )
        body = (suites / suite / entry["input"]).read_bytes()
        if syntax not in detect(body, entry["url"], header).syntaxes:
            missed.add(entry["id"])
    assert missed == NOTHING_THERE.get(suite, set())


NOTHING_THERE = {
    # An element without any attribute; the test asks for the processor graph alone.
    "rdfa": {f"rdfa1.1-proc/{host}/0236" for host in ("xhtml1", "xml", "svg")},
    # No script of JSON-LD on the page: an error, or an empty graph.
    "jsonld-html": {f"t{kind}0{number}" for kind in "er" for number in ("06", "07", "13")},
}


@pytest.mark.needs_suites
def test_microformats_of_the_suite_are_seen_where_the_vocabulary_knows_them(suites: Path) -> None:
    entries = json.loads((suites / "mf2" / "manifest.json").read_text())
    known = 0
    for entry in entries:
        items = json.loads((suites / "mf2" / entry["expect"]).read_text())["items"]
        if not any(MAPPED & set(item["type"]) for item in items):
            continue
        known += 1
        body = (suites / "mf2" / entry["input"]).read_bytes()
        found = detect(body, entry["url"], "text/html")
        assert Syntax.MICROFORMATS in found.syntaxes, entry["id"]
    assert known == 95


MAPPED = {
    *("h-card", "h-adr", "h-geo", "h-entry", "h-feed", "h-cite", "h-event", "h-product"),
    *("h-recipe", "h-review", "h-item"),
}


@given(
    st.binary(max_size=400),
    HEADERS,
    st.sampled_from([NOWHERE, "", "\ud800", "a.ttl", "//x.jsonld"]),
)
def test_any_bytes_at_all_are_detected(body: bytes, header: str | None, url: str) -> None:
    found = detect(body, url, header)
    assert (found.skipped is None) == bool(found.evidence)
    body.decode(found.encoding, "replace")
    assert codecs.lookup(found.encoding)
    assert found == detect(body, url, header)


PIECES = st.sampled_from(
    [
        *(b"<", b">", b"<!--", b"-->", b"<?xml ", b"?>", b"<!DOCTYPE ", b"[", b"]", b'"', b"'"),
        *(
            b"<html ",
            b"<rss>",
            b"<rdf:RDF ",
            b"xmlns=",
            b"<meta ",
            b"charset=",
            b"class=",
            b"&#45;",
        ),
        *(b"@prefix ", b"a: ", b"<http://a.test/> ", b"{", b"}", b'"@context":', b"_:b ", b" .\n"),
        *(b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xff", b" ", b"\\", b"#", b"=", b"hcard", b"rel="),
    ]
)


@given(st.lists(PIECES, max_size=30).map(b"".join), HEADERS, st.text(max_size=40))
def test_any_markup_at_all_is_detected(body: bytes, header: str | None, junk: str) -> None:
    for content_type in (header, junk, f"text/html;{junk}", f"text/html; charset={junk}"):
        found = detect(body, NOWHERE, content_type)
        assert (found.skipped is None) == bool(found.evidence)
        body.decode(found.encoding, "replace")


@pytest.mark.parametrize(
    "piece",
    [
        *(b"<!---->", b"<?x?>", b"<", b'<meta "', b"<meta '", b'class="', b'<a b="', b"]", b"[ "),
        *(b"<!DOCTYPE a [", b"_:a", b"@prefix a: <b> . ", b'"""', b"{", b'"https://a', b"&#0"),
        *(
            b"<html ",
            b" xmlns=",
            b"charset=",
            b"<link ",
            b"#",
            b"\\",
            b"encoding",
            b"rel=nofollow ",
        ),
        *(b"(", b"<a:b ", b"vcard ", b'class=" geo', b"<br>", b"\0", b"\r", b"<http:a> "),
    ],
)
def test_work_grows_with_the_document_and_no_faster(piece: bytes, full_size: bool) -> None:
    # No clock: the test's time limit is what a search in every split would run into.
    size = 20_000_000 if full_size else 200_000
    for start in (b"", b"<p ", b"<html><p ", b"@prefix a: <b> .\n", b"{"):
        for header in (None, "text/html", "application/xml", "text/turtle", "application/json"):
            detect(start + piece * (size // len(piece)), NOWHERE, header)


def test_the_outermost_element_is_told_whatever_the_document_is() -> None:
    def root(body: bytes) -> RootElement | None:
        return detect(body, NOWHERE, "application/xml").root

    assert root(b'<x:report xmlns:x="urn:x"/>') == RootElement("report", "urn:x")
    assert root(b"<report/>") == RootElement("report", None)
    assert root(b'<!-- a --><rss version="2.0"/>') == RootElement("rss", None)
    assert root("<é xmlns='urn:é'/>".encode()) == RootElement("é", "urn:é")
    assert root(b"no element") is None
    assert detect(b"{}", NOWHERE, None).root is None


def test_reasons_are_told() -> None:
    def why(body: bytes, header: str | None) -> str | None:
        return detect(body, NOWHERE, header).skipped

    assert why(b"%PDF-1.4", None) is None
    assert why(b"x", "image/png") == "This is an image, image/png."
    assert why(b"", None) == "The document is empty."
    assert why(b"a,b", "text/csv") == "Text, text/csv, with no RDF that we see."
    assert why(b"<a xmlns='urn:a'/>", None) == (
        "XML with the element a outermost and no RDFa in it."
    )


def test_encodings_that_nobody_reads_any_more_are_not_read() -> None:
    found = detect(b"<html><p property=a>", NOWHERE, "text/html; charset=iso-2022-kr")
    assert found.syntaxes == ()
    assert found.skipped == "Nobody reads its encoding any more: the header says iso-2022-kr."
    assert codecs.lookup(found.encoding)


def test_json_and_turtle_are_utf_8_whatever_the_header_says() -> None:
    for body, header in (
        (b'{"@context": {}}', "application/ld+json"),
        (b"<#a> a <http://x.test/b> .", "text/turtle"),
    ):
        for charset in ("iso-8859-1", "utf-16", "shift_jis"):
            assert detect(body, NOWHERE, f"{header}; charset={charset}").encoding == "utf-8"
        marked = codecs.BOM_UTF16_BE + body.decode().encode("utf-16-be")
        found = detect(marked, NOWHERE, header)
        assert (found.encoding, bool(found.evidence)) == ("utf-16-be", True)
