import os
from pathlib import Path

import apsw
import pytest

from gossamer.errors import DataFolderError
from gossamer.proxy.cache.database import (
    clear_remains,
    held_alone,
    in_words,
    open_cache_file,
    rows,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "proxy-cache.db"


def test_one_process_has_it_and_gives_it_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "proxy-cache.db"
    lock = held_alone(path)
    with pytest.raises(DataFolderError, match="another proxy"):
        held_alone(path)
    os.close(lock)
    os.close(held_alone(path))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFolderError, match="cannot be made"):
        held_alone(tmp_path / "file" / "proxy-cache.db")


def test_it_is_made_once_and_opened_again(path: Path) -> None:
    for _ in range(2):
        database = open_cache_file(path)
        assert rows(database, "SELECT count(*) FROM responses") == [(0,)]
        database.close()


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"my thesis, chapter one. " * 1000)
    with pytest.raises(DataFolderError, match="Move it away"):
        open_cache_file(path)
    assert path.read_bytes().startswith(b"my thesis")


def test_somebody_elses_database_is_refused_and_left_alone(path: Path) -> None:
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE notes (text)")
    other.close()
    with pytest.raises(DataFolderError, match=r"no cache of Gossamer's.*Move it away"):
        open_cache_file(path)
    other = apsw.Connection(str(path))
    assert rows(other, "SELECT name FROM sqlite_master") == [("notes",)]
    other.close()


def test_a_file_of_a_newer_version_is_refused(path: Path) -> None:
    database = open_cache_file(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(DataFolderError, match="newer Gossamer"):
        open_cache_file(path)


def test_a_damaged_file_is_refused_and_left_alone(path: Path) -> None:
    open_cache_file(path).close()
    damaged = path.read_bytes()[:100] + b"\xff" * (path.stat().st_size - 100)
    path.write_bytes(damaged)
    with pytest.raises(DataFolderError, match="Move it away"):
        open_cache_file(path)
    assert path.read_bytes() == damaged


def test_bodies_without_heads_are_remains(path: Path) -> None:
    database = open_cache_file(path)
    database.execute("INSERT INTO bodies VALUES (1, 0, x'00')")
    clear_remains(database, path)
    assert rows(database, "SELECT count(*) FROM bodies") == [(0,)]
    database.close()


@pytest.mark.parametrize(
    ("error", "way_out"),
    [
        (apsw.FullError(), "Make room"),
        (apsw.BusyError(), "try again"),
        (apsw.CorruptError(), "Move it away"),
        (apsw.NotADBError(), "Move it away"),
        (apsw.IOError(), "Is the disk in order"),
    ],
)
def test_every_error_says_what_to_do(error: apsw.Error, way_out: str, path: Path) -> None:
    assert way_out in in_words(error, path)
    assert str(path) in in_words(error, path)


def test_it_is_for_its_owner_alone(path: Path) -> None:
    database = open_cache_file(path)
    database.execute("INSERT INTO bodies VALUES (1, 0, x'00')")
    modes = {each.name: each.stat().st_mode & 0o777 for each in path.parent.iterdir()}
    assert modes == {path.name + end: 0o600 for end in ("", "-wal", "-shm")}
    database.close()


def test_one_of_an_older_gossamer_is_made_anew(path: Path) -> None:
    database = open_cache_file(path)
    database.execute("CREATE TABLE secrets AS SELECT 'sid=alice' AS cookie")
    database.execute("PRAGMA user_version = 1")
    database.close()
    path.chmod(0o644)
    database = open_cache_file(path)
    database.close()
    assert b"sid=alice" not in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_older_one_that_cannot_be_replaced_is_named(path: Path) -> None:
    database = open_cache_file(path)
    database.execute("PRAGMA user_version = 1")
    database.execute("PRAGMA journal_mode = DELETE")  # so that SQLite itself needs no such file
    database.close()
    path.with_name("proxy-cache.db-shm").mkdir()
    with pytest.raises(DataFolderError, match="older Gossamer, and cannot be replaced"):
        open_cache_file(path)
