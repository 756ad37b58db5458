import gzip
import io
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.warcs import Writer
from warcio.statusandheaders import StatusAndHeaders

from gossamer.reading.warc_records import (
    BrokenPart,
    WarcPage,
    dechunked,
    find_record,
    read_warc,
    record_ranges,
    why_no_pages,
)

HTML = "text/html; charset=utf-8"


def warc(
    count: int, *, packed: bool = True, version: str = "WARC/1.1", filling: bytes = b""
) -> bytes:
    """Pages, each with its request, as another program writes them."""
    out = io.BytesIO()
    writer = Writer(out, gzip=packed, warc_version=version)
    writer.write_record(writer.create_warcinfo_record("x.warc", {"software": "a test"}))
    for number in range(count):
        answer = StatusAndHeaders(
            "200 OK", [("Content-Type", HTML), ("Content-Language", "de, en")], protocol="HTTP/1.1"
        )
        response = writer.create_warc_record(
            f"http://a.test/{number}",
            "response",
            payload=io.BytesIO(b"<p>page %d" % number + filling),
            http_headers=answer,
            warc_headers_dict={"WARC-Date": "2026-01-02T03:04:05Z"},
        )
        asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "a.test")], is_http_request=True)
        request = writer.create_warc_record(
            f"http://a.test/{number}", "request", http_headers=asked
        )
        writer.write_request_response_pair(request, response)
    return out.getvalue()


def pages(body: bytes, start: int = 0, end: int | None = None) -> list[WarcPage]:
    return [each for each in read_warc(io.BytesIO(body), start, end) if isinstance(each, WarcPage)]


def broken(body: bytes) -> list[BrokenPart]:
    return [each for each in read_warc(io.BytesIO(body)) if isinstance(each, BrokenPart)]


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("version", ["WARC/1.0", "WARC/1.1"])
def test_both_versions_are_read_packed_or_not(packed: bool, version: str) -> None:
    first, second = pages(warc(2, packed=packed, version=version))
    assert (first.url, first.body, first.status) == ("http://a.test/0", b"<p>page 0", 200)
    assert first.content_type == HTML
    assert first.languages == "de, en"
    assert first.fetched_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert first.digest.startswith("sha1:")
    assert first.digest != second.digest
    assert not broken(warc(2, packed=packed, version=version))


def test_a_broken_member_costs_itself_and_is_told() -> None:
    body = bytearray(warc(5))
    offsets = [page.offset for page in pages(bytes(body))]
    for at in range(offsets[2] + 60, offsets[2] + 90):
        body[at] ^= 0xFF
    assert [page.url[-1] for page in pages(bytes(body))] == ["0", "1", "3", "4"]
    (part,) = broken(bytes(body))
    assert offsets[1] <= part.after < offsets[3]


def test_a_file_that_breaks_off_says_so_and_keeps_what_it_has() -> None:
    body = warc(4)
    cut = body[: pages(body)[3].offset + 50]
    assert len(pages(cut)) == 3
    assert len(broken(cut)) == 1


def test_garbage_between_records_is_passed_over_where_nothing_is_packed() -> None:
    body = warc(3, packed=False)
    at = pages(body)[2].offset
    damaged = body[:at] + b"garbage\r\n\r\n" + body[at:]
    assert [page.url for page in pages(damaged)] == [page.url for page in pages(body)]


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("most", [1, 700, 5_000, 10**9])
def test_ranges_have_every_page_once(packed: bool, most: int) -> None:
    body = warc(20, packed=packed)
    ranges = record_ranges(io.BytesIO(body), most)
    assert ranges[0][0] == 0
    assert ranges[-1][1] == len(body)
    assert all(end == start for (_, end), (start, _) in pairwise(ranges))
    assert [page for start, end in ranges for page in pages(body, start, end)] == pages(body)
    assert (len(ranges) == 1) is (most >= len(body))


def test_a_record_inside_a_page_is_no_boundary() -> None:
    # What is packed already is stored as it is: the bytes of this record stand in the file.
    forged = warc(1).replace(b"a.test", b"b.test")
    body = warc(3, filling=forged + bytes(range(256)) * 20)
    ranges = record_ranges(io.BytesIO(body), 1)
    urls = [page.url for start, end in ranges for page in pages(body, start, end)]
    assert urls == [f"http://a.test/{number}" for number in range(3)]


@given(st.integers(min_value=0, max_value=6_000))
def test_a_record_is_found_at_or_behind_any_offset(at: int) -> None:
    starts = [start for start, _ in record_ranges(io.BytesIO(BODY), 1)]
    expected = next((start for start in starts if start >= at), None)
    assert find_record(io.BytesIO(BODY), at, len(BODY)) == expected


BODY = warc(8)


@given(st.binary(max_size=200), st.integers(min_value=0, max_value=len(BODY)))
def test_whatever_a_file_holds_nothing_is_raised(garbage: bytes, at: int) -> None:
    list(read_warc(io.BytesIO(BODY[:at] + garbage + BODY[at + len(garbage) :])))
    list(read_warc(io.BytesIO(garbage)))
    record_ranges(io.BytesIO(garbage), 10)
    why_no_pages(io.BytesIO(garbage))


def other_kind(kind: str, media_type: str) -> bytes:
    out = io.BytesIO()
    writer = Writer(out, gzip=True)
    writer.write_record(writer.create_warcinfo_record("x", {"software": "a test"}))
    record = writer.create_warc_record(
        "http://a.test/", kind, payload=io.BytesIO(b"{}"), warc_content_type=media_type
    )
    writer.write_record(record)
    return out.getvalue()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (other_kind("conversion", "text/plain"), "WET"),
        (other_kind("metadata", "application/json"), "WAT"),
        (gzip.compress(b"filedesc://x.arc 0.0.0.0 20260101000000 text/plain 77"), "ARC"),
        (b"<html>", "no WARC file"),
        (b"", "no WARC file"),
    ],
    ids=["wet", "wat", "arc", "html", "empty"],
)
def test_what_has_no_pages_is_told_in_a_sentence(body: bytes, why: str) -> None:
    assert why in str(why_no_pages(io.BytesIO(body)))


def test_a_warc_file_has_pages() -> None:
    assert why_no_pages(io.BytesIO(warc(1))) is None


@given(st.lists(st.binary(min_size=1, max_size=40)), st.booleans())
def test_whatever_was_chunked_comes_back(pieces: list[bytes], extended: bool) -> None:
    extension = b";name=value" if extended else b""
    chunked = b"".join(b"%x%s\r\n%s\r\n" % (len(each), extension, each) for each in pieces)
    assert dechunked(chunked + b"0\r\n\r\n") == b"".join(pieces)


@pytest.mark.parametrize("body", [b"<html>plain</html>", b"zz\r\n", b"5 words\r\n"])
def test_what_has_no_chunks_is_told(body: bytes) -> None:
    assert dechunked(body) is None


def test_what_breaks_off_is_kept_as_far_as_it_goes() -> None:
    assert dechunked(b"5\r\nabcde\r\n9\r\nfgh") == b"abcdefgh"
    assert dechunked(b"5\r\nabcde\r\ngarbage") == b"abcde"


@given(st.binary())
def test_arbitrary_bytes_never_raise(body: bytes) -> None:
    dechunked(body)
