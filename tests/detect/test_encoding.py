import base64
import codecs
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.detect import detect
from gossamer.detect.encoding import certain, html_encoding, unicode_encoding, xml_encoding
from gossamer.detect.labels import codec_of

URL = "http://example.test/"
UTF_8_HEADER = "text/html; charset=utf-8"
SUITE_CASES = 82
PADDING = b"<!--" + b" " * 1100 + b"-->"


@pytest.mark.parametrize(
    ("body", "charset", "codec"),
    [
        (codecs.BOM_UTF8 + b"a", "koi8-r", "utf-8"),
        (codecs.BOM_UTF16_LE + b"a\0", "utf-8", "utf-16-le"),
        (codecs.BOM_UTF16_BE + b"\0a", None, "utf-16-be"),
        (b"a", "koi8-r", "koi8-r"),
        (b"a", "no-such-thing", None),
        (b"<\0a\0", None, "utf-16-le"),
        (b"\0<\0a", None, "utf-16-be"),
        (b"<\0a\0", "utf-16", "utf-16-le"),
        (b"<html>", "utf-16", None),  # a header that cannot be right
        (b"<html>", None, None),
    ],
)
def test_a_mark_beats_the_header_and_the_header_beats_the_page(
    body: bytes, charset: str | None, codec: str | None
) -> None:
    found = certain(body, charset)
    assert (found.codec if found else None) == codec


@pytest.mark.parametrize(
    ("body", "codec"),
    [
        (b"<meta charset=koi8-r>\xc1", "koi8-r"),
        (b"<meta charset=utf-16>\xc3\xa9", "utf-8"),
        (b"<meta charset=x-user-defined>\xe9", "cp1252"),
        (b'<?xml version="1.0" encoding="koi8-r"?><html>\xc1', "koi8-r"),
        (b'<?xml encoding="koi8-r"?><meta charset=utf-8>', "utf-8"),
        (b"<p>all ASCII</p>", "cp1252"),  # as browsers call it
        (b"<p>\xc3\xa9</p>", "utf-8"),
        (b"<p>\xc3\xa9\xc3", "utf-8"),  # cut in the middle of a character
        (b"<p>\xe9</p>", "cp1252"),
        (PADDING + b"<meta charset=koi8-r>\xc1", "koi8-r"),
        (PADDING + b"<meta charset=koi8-r>", "koi8-r"),
        (PADDING + b'<meta charset=iso-2022-jp>\x1b$B$"\x1b(B', "iso2022_jp"),  # all ASCII
        (b'<html lang="ru">\xef\xf0\xe8', "cp1251"),
    ],
)
def test_a_page_says_its_encoding_or_shows_it(body: bytes, codec: str) -> None:
    assert html_encoding(body, URL).codec == codec


@pytest.mark.parametrize(
    ("body", "codec"),
    [
        (b'<?xml version="1.0" encoding="iso-8859-2"?><a>\xb1</a>', "iso8859-2"),
        (b'\n<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>', "cp1252"),
        (b'<?xml version="1.0" encoding="utf-16"?><a/>', "utf-8"),
        (b'<?xml version="1.0" encoding="who-knows"?><a>\xc3\xa9</a>', "utf-8"),
        (b"<a>\xe9</a>", "cp1252"),
        (b"<html><meta charset='koi8-r'/>\xc1</html>", "koi8-r"),
    ],
)
def test_xml_says_its_encoding_in_its_declaration(body: bytes, codec: str) -> None:
    assert xml_encoding(body, URL).codec == codec


def test_what_is_utf_8_by_definition_stays_so() -> None:
    assert unicode_encoding(b"\xe9\xff").codec == "utf-8"
    assert unicode_encoding(codecs.BOM_UTF16_LE + b"{\0}\0").codec == "utf-16-le"


@given(st.text(min_size=1), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_unicode_pages_are_read_as_they_were_written(text: str, codec: str) -> None:
    page = f"<p>{text}</p>"
    body = page.encode(codec)
    found = certain(body, None) or html_encoding(body, URL)
    assert body.decode(found.codec).removeprefix("\ufeff") == page.removeprefix("\ufeff")


@given(st.binary(max_size=300))
def test_any_bytes_have_an_encoding_that_reads_them(body: bytes) -> None:
    for found in (html_encoding(body, URL), xml_encoding(body, URL), unicode_encoding(body)):
        assert isinstance(body.decode(found.codec, "replace"), str)
        assert found.why


@pytest.mark.parametrize(
    ("body", "codec"),
    [
        (b"<html><meta charset=iso-8859-1><p>\xe9t\xe9", "cp1252"),
        (b'<?xml version="1.0" encoding="koi8-r"?><html><p>\xc1', "koi8-r"),
        (b"<html><meta charset=iso-8859-1><p>\xc3\xa9", "utf-8"),  # the header is right
        (b"<html><meta charset=euc-jp><p>\xe9 t", "utf-8"),  # which cannot be read so either
        (b"<html><p>\xe9t\xe9", "utf-8"),  # nobody says otherwise
        (codecs.BOM_UTF8 + b"<html><meta charset=iso-8859-1><p>\xe9", "utf-8"),
    ],
)
def test_a_wrong_utf_8_in_the_header_gives_way_to_what_the_page_says(
    body: bytes, codec: str
) -> None:
    assert detect(body, URL, UTF_8_HEADER).encoding == codec


@pytest.mark.needs_suites
def test_encodings_are_those_that_browsers_find(suites: Path) -> None:
    cases = json.loads((suites / "encoding" / "cases.json").read_text())
    assert len(cases) == SUITE_CASES
    wrong = [
        case["id"]
        for case in cases
        if detect(base64.b64decode(case["body_base64"]), URL, "text/html").encoding
        != codec_of(case["encoding"])
    ]
    assert wrong == []
