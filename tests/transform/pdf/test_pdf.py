"""PDF documents: what they say of themselves, their text, and those that are broken, or hostile."""

import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gossamer
from gossamer.model import Syntax
from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.transform.pdf.file import moment
from gossamer.transform.pdf.statements import xmp_text
from gossamer.transform.text.page_text import LEAD_CHARACTERS, PageText

from .made import XMP, document, made, shown, stream

URL = "http://a.test/tides.pdf"
INFORMATION = "/Title (Tides) /Author (Ada) /CreationDate (D:20240517120000+02'00')"
GOOD = document("The tide comes in by night", xmp=XMP, information=INFORMATION)


def read(body: bytes, *, text: str = "lead") -> tuple[Extracted, PageText]:
    found = extract_page(PageJob(URL, body, "application/pdf", text=text))  # type: ignore[arg-type]
    return found, PageText.unpack(found.text)


def test_a_document_says_what_its_dictionary_and_its_xmp_packet_say() -> None:
    page = gossamer.extract(GOOD, url=URL)
    assert page.syntaxes == (Syntax.PDF,)
    assert page.problems == ()
    said = {(quad.predicate.value.rpartition("/")[2], str(quad.object)) for quad in page.quads}
    assert ("title", '"Tides"') in said
    assert ("creator", '"Ada"') in said
    assert (
        "created",
        '"2024-05-17T12:00:00+02:00"^^<http://www.w3.org/2001/XMLSchema#dateTime>',
    ) in said
    assert ("ns#license", "<https://creativecommons.org/licenses/by/4.0/>") in said
    subjects = {
        str(quad.subject) for quad in page.quads if quad.predicate.value.endswith("license")
    }
    assert subjects == {f"<{URL}>"}


def test_its_text_is_read_page_by_page() -> None:
    assert read(GOOD)[1] == PageText("Tides", main="The tide comes in by night")
    _, text = read(
        document(*["Ships that pass in the night and in the day, for that is the law."] * 90)
    )
    assert text.is_cut
    assert LEAD_CHARACTERS - 100 < len(text.main) <= LEAD_CHARACTERS
    assert text.language == "en"
    assert read(document("One", xmp=XMP))[1].title == "Tides of brass"


def test_without_the_library_the_line_that_installs_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    (problem,) = read(GOOD)[0].problems
    assert "pip install 'gossamer[pdf]'" in problem.message


LOOP = {1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [2 0 R] /Count 9 >>"}
BROKEN = {
    "nothing but a beginning": b"%PDF-1.7\n",
    "half of it": GOOD[: len(GOOD) // 2],
    "no root": made({2: b"<< /Type /Pages /Kids [] /Count 0 >>"}, ""),
    "pages that are their own parents": made(LOOP),
    "a root that is a number": made({1: b"4711"}),
    "a length beyond the end": document("x", content=stream(shown("x"), length=10**9)),
    "a length below zero": document("x", content=stream(shown("x"), length=-5)),
    "a stream that is not packed as it says": document(
        "x", content=b"<< /Filter /FlateDecode /Length 5 >>\nstream\nhello\nendstream"
    ),
    "a count beyond all pages": GOOD.replace(b"/Count 1", b"/Count 1000000000"),
    "brackets without end": document("x", content=stream(b"[" * 20_000)),
    "a packet of noise": document("x", xmp="<rdf:RDF><" * 1_000),
    "an encrypted one": made(LOOP, "/Root 1 0 R /Encrypt << /Filter /Standard /V 4 /R 4 >>"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_document_is_a_problem_at_most(name: str) -> None:
    found, _ = read(BROKEN[name])
    assert found.cause is None


@given(st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_no_bytes_are_beyond_reading(data: st.DataObject) -> None:
    body = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(5, len(body) - 1))
        body[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    read(bytes(body))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("D:20240517120000+02'00'", "2024-05-17T12:00:00+02:00"),
        ("D:20240517120000Z", "2024-05-17T12:00:00Z"),
        ("D:20240517120000", "2024-05-17T12:00:00"),
        ("20240517", "2024-05-17"),
        ("D:2024", "2024"),
        ("in May", "in May"),
    ],
)
def test_moments_are_written_as_xml_schema_writes_them(text: str, expected: str) -> None:
    assert moment(text) == expected


def test_a_packet_in_utf_16_is_read_and_one_without_rdf_is_none() -> None:
    assert 'rdf:about=""' in xmp_text(XMP.encode("utf-16"))
    assert xmp_text(b"<x:xmpmeta/>") == ""
