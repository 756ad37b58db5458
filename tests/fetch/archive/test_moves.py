from pathlib import Path

from gossamer.fetch.archive.moves import (
    DRAFT,
    MOVES,
    Rewritten,
    beside,
    drop_moves,
    keep_moves,
    unfinished,
)
from gossamer.fetch.archive.place import ArchivePlace

from .exchanges import names

OLD, NEW = "gossamer-1.warc.gz", "gossamer-1-r1.warc.gz"
REWRITTEN = Rewritten(
    OLD, 3, {ArchivePlace(OLD, 9, 5): ArchivePlace(NEW, 4, 5)}, unreadable_bytes=1
)


def test_moves_that_nobody_noted_are_told_again_until_somebody_does(tmp_path: Path) -> None:
    (tmp_path / OLD).touch()
    (tmp_path / NEW).touch()
    keep_moves(tmp_path / NEW, REWRITTEN)
    assert next(unfinished(tmp_path)) == REWRITTEN  # and then the process died
    assert list(unfinished(tmp_path)) == [REWRITTEN]
    assert list(unfinished(tmp_path)) == []
    assert names(tmp_path) == [NEW]


def test_a_list_without_its_file_is_of_no_use(tmp_path: Path) -> None:
    (tmp_path / OLD).touch()
    beside(tmp_path / NEW, MOVES).write_bytes(b'{"torn')
    beside(tmp_path / NEW, DRAFT).write_bytes(b"half")
    assert list(unfinished(tmp_path)) == []
    assert names(tmp_path) == [OLD]


def test_a_list_that_has_served_is_dropped(tmp_path: Path) -> None:
    keep_moves(tmp_path / NEW, REWRITTEN)
    drop_moves(tmp_path / NEW)
    drop_moves(tmp_path / NEW)
    assert names(tmp_path) == []
