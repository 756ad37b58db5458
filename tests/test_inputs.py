import gzip
import io
import os
from pathlib import Path

import pytest
from tests.warcs import Writer
from warcio.statusandheaders import StatusAndHeaders

from gossamer.errors import InputError
from gossamer.inputs import Input, read_inputs


def pages(*names: Path | str, url: str | None = None, start: int = 0) -> list[Input]:
    return list(read_inputs([str(name) for name in names], url=url, start=start))


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    """Three good pages, a 404, a resource: as another program wrote them."""
    path = tmp_path / "crawl.warc.gz"
    with path.open("wb") as file:
        writer = Writer(file, gzip=True)
        for number, status in enumerate(["200 OK", "404 Not Found", "200 OK", "200 OK"]):
            packed = gzip.compress(b"page %d" % number)
            chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
            headers = [
                ("Content-Type", "text/html; charset=utf-8"),
                ("Content-Encoding", "gzip"),
                ("Transfer-Encoding", "chunked"),
            ]
            record = writer.create_warc_record(
                f"http://a.test/{number}",
                "response",
                payload=io.BytesIO(chunked),
                http_headers=StatusAndHeaders(status, headers, protocol="HTTP/1.1"),
            )
            writer.write_record(record)
        writer.write_record(
            writer.create_warc_record(
                "http://a.test/r",
                "resource",
                payload=io.BytesIO(b"<x:s>"),
                warc_content_type="text/turtle",
            )
        )
    return path


def test_a_file_is_a_page_named_by_its_place(tmp_path: Path) -> None:
    (tmp_path / "a b.html").write_bytes(b"<p>")
    (page,) = pages(tmp_path / "a b.html")
    assert (page.url, page.body) == ((tmp_path / "a b.html").resolve().as_uri(), b"<p>")
    (page,) = pages(tmp_path / "a b.html", url="http://a.test/")
    assert page.url == "http://a.test/"


def test_a_folder_is_all_its_files_in_order(tmp_path: Path) -> None:
    for name in ("b.ttl", "a/z.html", "a/y.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    assert [page.body for page in pages(tmp_path)] == [b"a/y.html", b"a/z.html", b"b.ttl"]


def test_a_warc_file_is_the_pages_it_holds_with_their_headers(warc: Path) -> None:
    found = pages(warc)
    assert [page.url for page in found] == [
        f"http://a.test/{name}" for name in ("0", "2", "3", "r")
    ]
    assert gzip.decompress(found[1].body) == b"page 2"
    assert found[1].content_encoding == "gzip"
    assert found[1].content_type == "text/html; charset=utf-8"
    assert (found[3].body, found[3].content_type) == (b"<x:s>", "text/turtle")


def test_reading_can_begin_at_any_record(warc: Path) -> None:
    found = pages(warc)
    for nth, page in enumerate(found):
        assert page.offset is not None
        assert [each.url for each in pages(warc, start=page.offset)] == [
            each.url for each in found[nth:]
        ]


def test_a_damaged_warc_gives_what_is_before_the_damage_and_a_sentence(warc: Path) -> None:
    whole = warc.read_bytes()
    warc.write_bytes(whole[: len(whole) // 2] + os.urandom(200))
    reading = read_inputs([str(warc)])
    assert next(reading).url == "http://a.test/0"
    with pytest.raises(InputError, match="damaged after byte"):
        list(reading)


def test_what_is_not_there_or_not_ours_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        pages(tmp_path / "missing.html")
