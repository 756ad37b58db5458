"""`forget` of a page whose body others share: they keep it, and nothing names the page any more."""

import gzip
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest
from tests.archive.exchanges import NOON, archive_in, fetched, seen_by_warcio, warcs
from tests.archive.test_equal_bodies import BODY, A, B, C

from gossamer.archive.exchange import ArchivePlace, Exchange
from gossamer.archive.reading import read_record
from gossamer.archive.states import states_of
from gossamer.archive.writer import Archive
from gossamer.model import Url

LATER = NOON + timedelta(days=1)


def written(archive: Archive) -> dict[str, ArchivePlace]:
    """The same body at three URLs, one of which was looked at again since."""
    rows: dict[str, ArchivePlace] = {}
    for url in (A, B, C):  # each in a file of its own, where files are small
        (rows[url],) = archive.write([Exchange(fetched(BODY, url=url))])
    archive.write([Exchange(fetched(b"", url=B, status=304, started_at=LATER), rows[B])])
    assert set(rows.values()) == {rows[A]}
    return rows


def moved(rows: dict[str, ArchivePlace], found: Iterable[object]) -> dict[str, ArchivePlace]:
    """The rows of a frontier after the moves."""
    for rewritten in found:
        elsewhere = {**rewritten.moved, **rewritten.adopted}  # type: ignore[attr-defined]
        rows = {url: elsewhere.get(place, place) for url, place in rows.items()}
    return rows


def left_of(folder: Path, url: str) -> bool:
    """Whether anything names a URL."""
    return any(
        f" {url}\r\n".encode() in gzip.decompress(path.read_bytes()) for path in warcs(folder)
    )


@pytest.mark.parametrize("size", [1, 1 << 30])
def test_others_keep_the_body_of_a_page_that_is_forgotten(tmp_path: Path, size: int) -> None:
    with archive_in(tmp_path, max_file_bytes=size) as archive:
        rows = written(archive)
        rows = moved(rows, archive.forget(lambda url: url == A))
    for url in (B, C):
        assert read_record(tmp_path, rows[url]).body == BODY
    assert not left_of(tmp_path, A)
    assert states_of(tmp_path, Url(A)) == []
    first, last = states_of(tmp_path, Url(B))
    for state in (first, last):
        assert state.place is not None
        kept = read_record(tmp_path, ArchivePlace.parse(state.place))
        assert (kept.url, kept.body, kept.at) == (B, BODY, NOON)
    kinds = [(each.kind, each.url) for path in warcs(tmp_path) for each in seen_by_warcio(path)]
    assert [url for kind, url in kinds if kind == "response"] == [B, C]


@pytest.mark.parametrize("size", [1, 1 << 30])
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_a_forget_that_dies_is_made_again(tmp_path: Path, size: int, steps: int) -> None:
    with archive_in(tmp_path, max_file_bytes=size) as archive:
        rows = written(archive)
        going = archive.forget(lambda url: url == A)
        for _ in range(steps):
            if (done := next(going, None)) is not None:
                rows = moved(rows, [done])
        del going  # and here it dies, before it hears that the moves were taken up
    with archive_in(tmp_path, max_file_bytes=size) as archive:
        rows = moved(rows, archive.unfinished())
        rows = moved(rows, archive.forget(lambda url: url == A))
    for url in (B, C):
        assert read_record(tmp_path, rows[url]).body == BODY
    assert not left_of(tmp_path, A)


def test_whoever_shares_a_body_and_is_forgotten_too_is_gone(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        rows = written(archive)
        rows = moved(rows, archive.forget(lambda url: url in (A, B)))
    assert read_record(tmp_path, rows[C]).url == C
    assert not left_of(tmp_path, A)
    assert not left_of(tmp_path, B)
