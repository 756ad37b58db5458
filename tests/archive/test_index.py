"""Indexes beside files of the archive: what they say is what the files say, and no more."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.archive.exchanges import HTML, archive_in, fetched, names, warcs

from gossamer.archive.cdxj import IndexEntry
from gossamer.archive.exchange import ArchivePlace, Exchange
from gossamer.archive.forget import forget
from gossamer.archive.index import answers, answers_of, index_of, ready_index
from gossamer.archive.reading import read_record
from gossamer.model import Url


def write_pages(folder: Path, count: int = 6, *, versions: int = 2) -> None:
    """Some pages, each visited several times; the body changes with every second visit."""
    with archive_in(folder, max_file_bytes=2_000) as archive:
        places: dict[int, ArchivePlace] = {}
        for version in range(versions):
            for number in range(count):
                url = f"http://site.test/{number}"
                visit = fetched(b"body %d" % (version // 2), url, headers=(*HTML, ("X", "y")))
                exchange = Exchange(visit, earlier=places.get(number))
                (places[number],) = archive.write([exchange])


def urls(found: list[IndexEntry]) -> list[str]:
    return [each.url for each in found]


def test_answers_are_found_by_their_url_in_all_files(tmp_path: Path) -> None:
    write_pages(tmp_path)
    files = warcs(tmp_path)
    assert len(files) > 2
    found = answers_of(tmp_path, Url("http://site.test/3"))
    assert urls(found) == ["http://site.test/3"] * 2
    first, second = found
    assert first.refers is None
    assert second.refers == (first.url, first.at)
    assert (first.status, first.media_type) == (200, "text/html")
    archived = read_record(tmp_path, first.place)
    assert (archived.url, archived.payload_digest) == (first.url, first.payload)
    assert answers_of(tmp_path, Url("http://site.test/none")) == []


def test_a_file_with_an_index_is_not_read(tmp_path: Path) -> None:
    write_pages(tmp_path)
    read: list[int] = []
    before = [*answers(tmp_path, read.append)]
    assert read
    read.clear()
    assert [*answers(tmp_path, read.append)] == sorted(
        before, key=lambda each: (each.place.file, each.line)
    )
    assert answers_of(tmp_path, Url("http://site.test/1"), read.append)
    assert read == []


def test_a_file_that_is_written_has_no_index_and_is_read(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        archive.write([Exchange(fetched(b"one", "http://site.test/1"))])
        (path,) = warcs(tmp_path)
        assert ready_index(path) is None
        assert len(answers_of(tmp_path, Url("http://site.test/1"))) == 1
        archive.write([Exchange(fetched(b"two", "http://site.test/2"))])
        assert len([*answers(tmp_path)]) == 2
    assert not index_of(path).exists()
    assert ready_index(path) == index_of(path)


@pytest.mark.parametrize("text", ["", "!meta 0 {}\n", "\xff\n", "no index\n"])
def test_an_index_of_another_file_is_made_anew(tmp_path: Path, text: str) -> None:
    write_pages(tmp_path, 1)
    for path in warcs(tmp_path):
        index_of(path).write_text(text, encoding="latin-1")
    assert len(answers_of(tmp_path, Url("http://site.test/0"))) == 2


def test_an_index_goes_with_what_is_forgotten(tmp_path: Path) -> None:
    write_pages(tmp_path)
    before = [*answers(tmp_path)]
    for _ in forget(tmp_path, lambda url: url.endswith("/3")):
        pass
    assert not [name for name in names(tmp_path) if "/3" in name]
    assert all(
        b"site.test/3" not in each.read_bytes() for each in tmp_path.iterdir() if each.is_file()
    )
    after = [*answers(tmp_path)]
    assert sorted(urls(after)) == sorted(each for each in urls(before) if not each.endswith("/3"))
    for each in after:
        assert read_record(tmp_path, each.place).url == each.url


@settings(max_examples=25)
@given(st.lists(st.sampled_from(["a", "A", "a/", "a?b", "a?b=1", "ab", "b", ""]), max_size=9))
def test_every_url_is_found_whatever_stands_beside_it(
    tmp_path_factory: pytest.TempPathFactory, paths: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("index")
    with archive_in(folder) as archive:
        archive.write([Exchange(fetched(b"x", f"http://site.test/{path}")) for path in paths])
    for path in {*paths, "c"}:
        url = Url(f"http://site.test/{path}")
        assert urls(answers_of(folder, url)) == [url] * paths.count(path)


def test_a_line_has_the_fields_that_others_read(tmp_path: Path) -> None:
    write_pages(tmp_path, 1)
    (path, *_) = warcs(tmp_path)
    index = ready_index(path)
    assert index is not None
    key, moment, text = index.read_text(encoding="ascii").splitlines()[1].split(" ", 2)
    told = json.loads(text)
    assert (key, moment) == ("test,site)/0", "20260101120000")
    assert told.keys() >= {"url", "mime", "status", "digest", "length", "offset", "filename"}
    assert (
        IndexEntry.of_line(index.read_text(encoding="ascii").splitlines()[1]).place.file
        == path.name
    )
    with pytest.raises(ValueError, match="not a line"):
        IndexEntry.of_line("org,example)/ 2026 {}")
