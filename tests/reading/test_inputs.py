import gzip
import io
import os
from pathlib import Path

import pytest
from tests.warcs import Writer
from warcio.statusandheaders import StatusAndHeaders

from gossamer.reading.inputs import Input, is_archive, read_inputs


def pages(name: Path | str, url: str | None = None, start: int = 0) -> list[Input]:
    return list(read_inputs(str(name), url=url, start=start))


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
        again = pages(warc, start=page.offset)
        assert [(each.url, each.offset) for each in again] == [
            (each.url, each.offset) for each in found[nth:]
        ]


def test_a_file_in_a_folder_has_its_place_below_the_folders_address(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b c.html").write_bytes(b"<p>")
    for address in ("http://a.test/site", "http://a.test/site/"):
        (page,) = pages(tmp_path, url=address)
        assert page.url == "http://a.test/site/a/b%20c.html"


@pytest.mark.parametrize(
    "garbage", [b"\0\0\0 nothing", b"WARC/1.1\r\nnonsense", b"\x1f\x8b\x08 junk", b"#" * 500]
)
@pytest.mark.parametrize("packed", [True, False])
def test_a_damaged_warc_gives_what_is_before_the_damage_and_where_it_is(
    warc: Path, garbage: bytes, packed: bool
) -> None:
    offsets = [page.offset for page in pages(warc)]
    body = warc.read_bytes()[: offsets[2]]  # two good pages, and one that is none
    warc.write_bytes((body if packed else gzip.decompress(body)) + garbage)
    *good, bad = pages(warc)
    assert [page.url for page in good] == ["http://a.test/0", "http://a.test/2"]
    assert all(page.problem is None for page in good)
    assert bad.problem is not None
    assert "is damaged behind the record at byte" in bad.problem


def test_a_warc_that_breaks_off_says_so(warc: Path) -> None:
    plain = warc.with_name("plain.warc")
    plain.write_bytes(gzip.decompress(warc.read_bytes()))
    assert [page.url for page in pages(plain)] == [page.url for page in pages(warc)]
    plain.write_bytes(plain.read_bytes()[:-8])
    assert pages(plain)[-1].problem == "The record breaks off before its end."


def test_a_warc_is_known_by_its_first_bytes(warc: Path, tmp_path: Path) -> None:
    renamed = warc.rename(tmp_path / "crawl")
    assert is_archive(renamed)
    assert len(pages(renamed)) == 4
    for name, body in {
        "x.gz": gzip.compress(b"<p>"),
        "y.gz": b"\x1f\x8b garbage",
        "z": b"",
    }.items():
        (tmp_path / name).write_bytes(body)
        assert not is_archive(tmp_path / name)


def test_a_body_whose_chunks_are_undone_already_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "unchunked.warc"
    with path.open("wb") as file:
        writer = Writer(file, gzip=False)
        headers = StatusAndHeaders(
            "200 OK", [("Transfer-Encoding", "chunked")], protocol="HTTP/1.1"
        )
        record = writer.create_warc_record(
            "http://a.test/", "response", payload=io.BytesIO(b"<p>whole"), http_headers=headers
        )
        writer.write_record(record)
    (page,) = pages(path)
    assert (page.body, page.problem) == (b"<p>whole", None)


@pytest.mark.parametrize(
    ("said", "why"),
    [("length", "too long"), ("Disconnect", "broke off"), ("x\x1b[31m", "nobody says why")],
)
def test_a_record_that_was_cut_when_it_was_written_says_so(
    tmp_path: Path, said: str, why: str
) -> None:
    path = tmp_path / "cut.warc"
    with path.open("wb") as file:
        writer = Writer(file, gzip=False)
        record = writer.create_warc_record(
            "http://a.test/",
            "response",
            payload=io.BytesIO(b"<p>begin"),
            http_headers=StatusAndHeaders("200 OK", [], protocol="HTTP/1.1"),
            warc_headers_dict={"WARC-Truncated": said},
        )
        writer.write_record(record)
    (page,) = pages(path)
    assert page.body == b"<p>begin"
    assert page.problem is not None
    assert page.problem.startswith("The record holds a part of the page alone: ")
    assert why in page.problem


def test_what_cannot_be_read_is_an_input_with_the_reason(tmp_path: Path) -> None:
    (missing,) = pages(tmp_path / "missing.html")
    assert missing.problem == "There is no such file or folder."
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "good.html").write_bytes(b"<p>")
    problems = {Path(page.name).name: page.problem for page in pages(tmp_path)}
    assert problems == {
        "dangling": "There is no such file or folder.",
        "good.html": None,
        "pipe": "It is no ordinary file.",
    }


def test_archives_without_pages_are_told_from_those_with_pages(tmp_path: Path) -> None:
    arc = tmp_path / "old.arc.gz"
    arc.write_bytes(gzip.compress(b"filedesc://old.arc 0.0.0.0 20260101000000 text/plain 77\n"))
    (page,) = pages(arc)
    assert "ARC file" in str(page.problem)
