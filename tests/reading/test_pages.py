"""`gossamer.pages`: files, folders and WARC files as the command reads them."""

import inspect
import io
import os
from pathlib import Path

import pytest
from tests.warcs import Writer
from warcio.statusandheaders import StatusAndHeaders

import gossamer
from gossamer.model import Cause
from gossamer.reading.extraction import ExtractOptions

PAGE = b"<title>%s</title>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files, one below, and a WARC file of two pages."""
    (tmp_path / "b.html").write_bytes(PAGE % b"B")
    below = tmp_path / "below"
    below.mkdir()
    (below / "c d.ttl").write_bytes(b"<#a> <#b> 1 .")
    with (tmp_path / "a.warc.gz").open("wb") as file:
        writer = Writer(file, gzip=True)
        for name in ("one", "two"):
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            payload = io.BytesIO(PAGE % name.encode())
            address = f"http://a.test/{name}"
            writer.write_record(
                writer.create_warc_record(address, "response", payload=payload, http_headers=head)
            )
    return tmp_path


@pytest.mark.parametrize("isolated", [False, True])
def test_a_folder_is_all_its_pages_in_order(folder: Path, isolated: bool) -> None:
    found = [*gossamer.pages(folder, isolated=isolated)]
    assert [page.url for page in found] == [
        "http://a.test/one",
        "http://a.test/two",
        (folder / "b.html").as_uri(),
        (folder / "below" / "c d.ttl").as_uri(),
    ]
    assert [page.count for page in found] == [1, 1, 1, 1]
    assert not any(page.problems for page in found)


def test_files_have_the_address_that_they_are_given(folder: Path) -> None:
    (page,) = gossamer.pages(folder / "b.html", url="https://example.org/b")
    assert page.url == "https://example.org/b"
    *_, last = gossamer.pages(str(folder), url="https://example.org/")
    assert last.url == "https://example.org/below/c%20d.ttl"
    both = gossamer.pages(folder / "b.html", folder / "a.warc.gz")
    assert [page.count for page in both] == [1, 1, 1]


def test_pages_are_read_as_they_are_asked_for(folder: Path) -> None:
    found = gossamer.pages(folder / "b.html", folder / "below")
    assert next(found).count == 1
    (folder / "below" / "c d.ttl").write_bytes(b"<#a> <#b> 1, 2 .")
    assert next(found).count == 2


@pytest.mark.parametrize("isolated", [False, True])
def test_what_cannot_be_read_is_a_page_with_a_problem(folder: Path, isolated: bool) -> None:
    os.mkfifo(folder / "below" / "a")
    odd, good = gossamer.pages(folder / "below", isolated=isolated)
    assert [problem.message for problem in odd.problems] == ["It is no ordinary file."]
    assert odd.cause is Cause.UNREADABLE
    assert good.count == 1


def test_a_mistake_is_told_at_the_call(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match="There is no file or folder 'nowhere'"):
        gossamer.pages("nowhere")
    with pytest.raises(ValueError, match=r"is not fetched: .*`gossamer crawl"):
        gossamer.pages("https://example.org/")
    with pytest.raises(ValueError, match=r"url='b\.html' is no address"):
        gossamer.pages(folder / "b.html", url="b.html")
    with pytest.raises(ValueError, match="one path"):
        gossamer.pages(folder, folder, url="http://a.test/")


def test_the_options_are_those_of_extract(folder: Path) -> None:
    own = {"body", "url", "content_type", "isolated"}
    assert set(inspect.signature(gossamer.extract).parameters) - own == set(
        ExtractOptions.__annotations__
    )
    (page,) = gossamer.pages(folder / "b.html", syntaxes=["rdfa"])
    assert page.count == 0
