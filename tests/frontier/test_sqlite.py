import sqlite3
from pathlib import Path

import pytest

from gossamer.errors import DataFolderError
from gossamer.frontier.sqlite import MARK, VERSIONS, open_database, transaction


def test_a_new_file_has_the_present_version(tmp_path: Path) -> None:
    database = open_database(tmp_path / "frontier.db")
    assert database.execute("PRAGMA user_version").fetchone() == (len(VERSIONS),)
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    for _ in range(2):
        database = open_database(tmp_path / "frontier.db")
        schema = database.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
        database.close()
    assert any("hosts" in sql for (sql,) in schema if sql)


@pytest.mark.parametrize("version", range(len(VERSIONS)))
def test_every_older_file_is_upgraded(tmp_path: Path, version: int) -> None:
    old = sqlite3.connect(tmp_path / "frontier.db", isolation_level=None)
    for statements in VERSIONS[:version]:
        for statement in statements:
            old.execute(statement)
    old.execute(f"PRAGMA user_version = {version}")
    old.execute(f"PRAGMA application_id = {MARK}")
    old.close()
    database = open_database(tmp_path / "frontier.db")
    fresh = open_database(tmp_path / "fresh.db")
    schema = "SELECT name, sql FROM sqlite_master ORDER BY name"
    assert database.execute(schema).fetchall() == fresh.execute(schema).fetchall()
    database.close()
    fresh.close()


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "frontier.db"
    open_database(path).close()
    newer = sqlite3.connect(path, isolation_level=None)
    newer.execute(f"PRAGMA user_version = {len(VERSIONS) + 1}")
    newer.close()
    with pytest.raises(DataFolderError, match="newer Gossamer"):
        open_database(path)


def test_the_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "frontier.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA user_version = 1")
    other.close()
    with pytest.raises(DataFolderError, match="no file of Gossamer's"):
        open_database(path)
    path.unlink()
    unmarked = sqlite3.connect(path, isolation_level=None)
    unmarked.execute("CREATE TABLE theirs (x)")
    unmarked.close()
    with pytest.raises(DataFolderError, match="no file of Gossamer's"):
        open_database(path)
    path.write_bytes(b"this is not a database, however long one looks at it" * 100)
    with pytest.raises(DataFolderError, match="cannot be used"):
        open_database(path)


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    database = open_database(tmp_path / "frontier.db")
    insert = "INSERT INTO hosts VALUES (?, 1, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL)"
    with pytest.raises(sqlite3.IntegrityError), transaction(database):
        database.executemany(insert, [("a.test",), ("a.test",)])
    assert database.execute("SELECT count(*) FROM hosts").fetchone() == (0,)
    with transaction(database):
        database.execute(insert, ("a.test",))
    assert database.execute("SELECT count(*) FROM hosts").fetchone() == (1,)
    database.close()
