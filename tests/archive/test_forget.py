import json
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.archive import dying as process
from tests.archive.exchanges import archive_in, exchanges, fetched, names, seen_by_warcio, warcs
from tests.slowness import patience

from gossamer.archive.exchange import ArchivePlace, Exchange
from gossamer.archive.forget import (
    DRAFT,
    MOVES,
    Rewritten,
    beside,
    drop_moves,
    forget,
    keep_moves,
    unfinished_moves,
)
from gossamer.archive.reading import read_record
from gossamer.errors import ArchiveError, ArchiveFullError

BODIES = [b"body %d" % number for number in range(6)]
OLD, NEW = "gossamer-1.warc.gz", "gossamer-1-r1.warc.gz"
REWRITTEN = Rewritten(
    OLD, 3, {ArchivePlace(OLD, 9, 5): ArchivePlace(NEW, 4, 5)}, unreadable_bytes=1
)


def written(folder: Path, max_file_bytes: int = 1 << 30) -> dict[str, ArchivePlace]:
    """Pages /0 to /5, in batches of two, by URL."""
    with archive_in(folder, max_file_bytes) as archive:
        batch = exchanges(*BODIES)
        places = [p for at in (0, 2, 4) for p in archive.write(batch[at : at + 2])]
    return {each.fetched.url: place for each, place in zip(batch, places, strict=True)}


def moved(
    folder: Path, rows: Mapping[str, ArchivePlace], gone: set[str]
) -> dict[str, ArchivePlace]:
    """The rows of a frontier after these pages were forgotten."""
    left = {url: place for url, place in rows.items() if url not in gone}
    for rewritten in forget(folder, gone.__contains__):
        left = {url: rewritten.moved.get(place, place) for url, place in left.items()}
    return left


@settings(max_examples=30)
@given(st.sets(st.integers(0, 5)), st.sets(st.integers(0, 5)), st.sampled_from([1, 1 << 30]))
def test_what_is_forgotten_is_gone_and_all_else_is_at_its_new_place(
    tmp_path_factory: pytest.TempPathFactory, first: set[int], second: set[int], size: int
) -> None:
    folder = tmp_path_factory.mktemp("forget")
    rows = written(folder, size)
    for numbers in (first, second):
        rows = moved(folder, rows, {f"http://site.test/{number}" for number in numbers})
    for url, place in rows.items():
        kept = read_record(folder, place)
        assert (kept.url, kept.body) == (url, b"body " + url[-1:].encode())
    urls = {each.url for path in warcs(folder) for each in seen_by_warcio(path)}
    assert urls - {None} == set(rows)
    assert all(name.endswith(".warc.gz") for name in names(folder))


def test_requests_and_revisits_of_a_page_go_with_it(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        (place,) = archive.write([Exchange(fetched(b"body"))])
        archive.write(
            [Exchange(fetched(b"body"), place), Exchange(fetched(b"", status=304), place)]
        )
    (done,) = forget(tmp_path, lambda url: "site.test" in url)
    assert (done.removed, done.moved) == (6, {})
    assert names(tmp_path) == []


def test_files_without_such_pages_are_left_alone(tmp_path: Path) -> None:
    written(tmp_path, max_file_bytes=1)
    before = {path.name: path.stat().st_ino for path in warcs(tmp_path)}
    assert len(before) == 3
    (done,) = forget(tmp_path, lambda url: url.endswith("/2"))
    after = {path.name: path.stat().st_ino for path in warcs(tmp_path)}
    untouched = sorted(before)[::2]
    assert {name: after.get(name) for name in untouched} == {n: before[n] for n in untouched}
    assert sorted(before)[1] == done.file
    assert done.file not in after


def test_an_old_place_never_leads_to_another_page(tmp_path: Path) -> None:
    rows = written(tmp_path)
    list(forget(tmp_path, lambda url: url.endswith("/0")))
    for place in rows.values():
        with pytest.raises(ArchiveError):
            read_record(tmp_path, place)


def test_moves_that_were_not_noted_come_first_the_next_time(tmp_path: Path) -> None:
    written(tmp_path)
    first = next(forget(tmp_path, lambda url: url.endswith("/0")))  # and then the process died
    again = list(forget(tmp_path, lambda url: url.endswith("/1")))
    assert again[0] == first
    assert [each.removed for each in again] == [2, 2]


def test_whichever_step_it_dies_at_nothing_else_is_lost(tmp_path: Path) -> None:
    for step in range(1, 100):
        folder = tmp_path / str(step)
        rows = written(folder, max_file_bytes=1)
        gone = {"http://site.test/0", "http://site.test/3"}
        status, noted = dying(folder, step, gone)
        rows = moved(folder, noted_in(rows, noted), gone)
        assert {url: read_record(folder, place).url for url, place in rows.items()} == {
            url: url for url in (f"http://site.test/{number}" for number in (1, 2, 4, 5))
        }
        assert {each.url for path in warcs(folder) for each in seen_by_warcio(path)} == {
            None,
            *rows,
        }
        assert len(names(folder)) == 3
        if status == 0:
            break
    assert step > 10  # some steps for each file


def dying(folder: Path, step: int, gone: set[str]) -> tuple[int, list[dict[str, str]]]:
    """Forget pages in a process that dies at a step: its status, and what was noted of moves."""
    command = [sys.executable, str(Path(process.__file__)), str(folder), str(step), *sorted(gone)]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=patience(60), check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def noted_in(
    rows: Mapping[str, ArchivePlace], noted: list[dict[str, str]]
) -> dict[str, ArchivePlace]:
    """The rows after the moves that were noted before the end."""
    texts = {url: str(place) for url, place in rows.items()}
    for moves in noted:
        texts = {url: moves.get(text, text) for url, text in texts.items()}
    return {url: ArchivePlace.parse(text) for url, text in texts.items()}


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    written(tmp_path)
    (path,) = warcs(tmp_path)
    path.rename(tmp_path / "other.warc.gz")
    assert list(forget(tmp_path, lambda _: True)) == []
    assert names(tmp_path) == ["other.warc.gz"]


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    rows = written(tmp_path)
    (path,) = warcs(tmp_path)
    data = bytearray(path.read_bytes())
    hit = rows["http://site.test/3"]
    data[hit.offset + 30] ^= 1
    path.write_bytes(data)
    (told,) = forget(tmp_path, lambda _: False)
    assert (told.removed, told.unreadable_bytes) == (0, hit.length)
    assert path.read_bytes() == data
    (done,) = forget(tmp_path, lambda url: url.endswith("/0"))
    assert (done.removed, done.unreadable_bytes) == (2, hit.length)
    assert read_record(tmp_path, done.moved[rows["http://site.test/4"]]).body == BODIES[4]


def test_nothing_is_forgotten_while_somebody_writes(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        archive.write(exchanges(b"body"))
        with pytest.raises(ArchiveError, match="being written"):
            list(forget(tmp_path, lambda _: True))


def test_without_room_for_the_new_file_the_old_one_stays(tmp_path: Path) -> None:
    rows = written(tmp_path)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, usual[1]))
    try:
        with pytest.raises(ArchiveFullError):
            list(forget(tmp_path, lambda url: url.endswith("/0")))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert len(names(tmp_path)) == 1
    assert [read_record(tmp_path, place).body for place in rows.values()] == BODIES


def test_moves_that_nobody_noted_are_told_again_until_somebody_does(tmp_path: Path) -> None:
    (tmp_path / OLD).touch()
    (tmp_path / NEW).touch()
    keep_moves(tmp_path / NEW, REWRITTEN)
    assert next(unfinished_moves(tmp_path)) == REWRITTEN  # and then the process died
    assert list(unfinished_moves(tmp_path)) == [REWRITTEN]
    assert list(unfinished_moves(tmp_path)) == []
    assert names(tmp_path) == [NEW]


def test_a_list_without_its_file_is_of_no_use(tmp_path: Path) -> None:
    (tmp_path / OLD).touch()
    beside(tmp_path / NEW, MOVES).write_bytes(b'{"torn')
    beside(tmp_path / NEW, DRAFT).write_bytes(b"half")
    assert list(unfinished_moves(tmp_path)) == []
    assert names(tmp_path) == [OLD]


def test_a_list_that_has_served_is_dropped(tmp_path: Path) -> None:
    keep_moves(tmp_path / NEW, REWRITTEN)
    drop_moves(tmp_path / NEW)
    drop_moves(tmp_path / NEW)
    assert names(tmp_path) == []
