"""States of pages in an archive: content, gone, unchanged, failed; by page and by moment."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gossamer.archive.exchange import ArchivePlace, Exchange
from gossamer.archive.files import archive_files
from gossamer.archive.reading import read_record
from gossamer.archive.states import PageStates, find_states, states_of
from gossamer.archive.writer import Archive
from gossamer.config import Archive as ArchiveSettings
from gossamer.model import BodyState, Fetched, Url

START = datetime(2026, 3, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ONE, TWO = Url("http://a.test/1"), Url("http://a.test/2")


def answer(url: Url, day: int, body: bytes, status: int = 200) -> Fetched:
    at = START + day * DAY
    headers = (("content-type", "text/html"),)
    return Fetched(url, status, headers, body, BodyState.WHOLE, "1.1", "127.0.0.1", at, at, at)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive") / "archive"
    settings = ArchiveSettings(max_file_bytes=1_024)  # so there are several files
    with Archive(folder, settings, node="n", agent="gossamer") as writer:
        (first,) = writer.write([Exchange(answer(ONE, 0, b"<p>one" * 50))])
        writer.write([Exchange(answer(TWO, 0, b"<p>two"))])
        writer.write([Exchange(answer(ONE, 1, b"<p>one" * 50), earlier=first)])
        writer.write([Exchange(answer(ONE, 2, b"", 503)), Exchange(answer(TWO, 2, b"", 404))])
        writer.write([Exchange(answer(ONE, 3, b"<p>another" * 50))])
        writer.write([Exchange(answer(TWO, 4, b"<p>two again"))])
    return folder


@pytest.fixture
def states(archive: Path) -> Iterator[PageStates]:
    with find_states(archive) as found:
        yield found


def bodies(archive: Path, found: list[Any]) -> dict[Url, bytes]:
    return {each.url: read_record(archive, ArchivePlace.parse(each.place)).body for each in found}


def test_a_page_has_a_state_for_each_visit_that_says_something(archive: Path) -> None:
    one, two = states_of(archive, ONE), states_of(archive, TWO)
    assert [(each.at - START).days for each in one] == [0, 1, 3]
    assert one[0].place == one[1].place != one[2].place  # the second visit found the same
    assert [(each.at - START).days for each in two] == [0, 2, 4]
    assert two[1].place is None


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (-1, {}),
        (0, {ONE: b"<p>one" * 50, TWO: b"<p>two"}),
        (2, {ONE: b"<p>one" * 50}),
        (3, {ONE: b"<p>another" * 50}),
        (9, {ONE: b"<p>another" * 50, TWO: b"<p>two again"}),
    ],
)
def test_pages_are_as_they_were_on_a_day(
    archive: Path, states: PageStates, day: int, said: dict[Url, bytes]
) -> None:
    found = [each for some in states.as_of(START + day * DAY) for each in some]
    assert bodies(archive, found) == said


def test_a_state_that_refers_to_an_answer_that_is_gone_is_none(
    archive: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(archive, tmp_path / "archive", ignore=lambda *_: ["folders.json"])
    archive_files(copy)[0].unlink()  # with the first answer of ONE
    assert [(each.at - START).days for each in states_of(copy, ONE)] == [3]


def test_an_archive_that_is_not_there_has_no_states(tmp_path: Path) -> None:
    with find_states(tmp_path / "none") as found:
        assert not [*found.as_of(START)]
    assert not states_of(tmp_path / "none", ONE)
