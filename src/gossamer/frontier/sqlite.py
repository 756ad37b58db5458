"""`frontier.db`: the SQLite file, its schema and its versions.

A version is a list of statements that lead to it from the one before. An older file is
upgraded when it is opened, in one transaction; a newer one is refused, because guessing
at its meaning could lose what it holds.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gossamer.errors import DataFolderError

VERSIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE hosts (
            host TEXT PRIMARY KEY,
            next_token INTEGER NOT NULL,
            round INTEGER NOT NULL,
            rested_from INTEGER NOT NULL,
            took INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            crawl_delay INTEGER,
            crawl_delay_source TEXT,
            pause_until INTEGER,
            pause_source TEXT,
            in_flight TEXT
        ) WITHOUT ROWID""",
        """CREATE TABLE robots (
            origin TEXT PRIMARY KEY,
            host TEXT NOT NULL,
            meaning TEXT NOT NULL,
            cause TEXT NOT NULL,
            answered_at INTEGER NOT NULL,
            ask_at INTEGER NOT NULL,
            body BLOB,
            body_at INTEGER,
            failures INTEGER NOT NULL
        )""",
        "CREATE INDEX robots_of_host ON robots (host)",
    ),
)
MARK = 0x476F7373  # "Goss": tells our files from other SQLite files


def open_database(path: Path) -> sqlite3.Connection:
    """The file, upgraded to the present version; made where there is none."""
    try:
        database = sqlite3.connect(path, isolation_level=None)
    except sqlite3.Error as error:
        raise _unusable(path, error) from None
    try:
        _upgrade(database, path)
    except sqlite3.Error as error:
        database.close()
        raise _unusable(path, error) from None
    except DataFolderError:
        database.close()
        raise
    return database


def _unusable(path: Path, error: sqlite3.Error) -> DataFolderError:
    return DataFolderError(f"{path} cannot be used: {error}. Choose another folder with --data.")


def _upgrade(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (mark,) = database.execute("PRAGMA application_id").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if mark != MARK and (version or tables):
        database.close()
        raise DataFolderError(
            f"{path} is no file of Gossamer's. Choose another folder with --data."
        )
    if version > len(VERSIONS):
        raise DataFolderError(
            f"{path} was written by a newer Gossamer (version {version}, we know {len(VERSIONS)}). "
            "Upgrade Gossamer, or choose another folder with --data."
        )
    # Readers and the writer do not wait for each other, and kill -9 loses nothing committed.
    database.execute("PRAGMA journal_mode = WAL")
    # Nor does a power cut: a host that asked for an hour's rest is to get it.
    database.execute("PRAGMA synchronous = FULL")
    with transaction(database):
        for number, statements in enumerate(VERSIONS[version:], version + 1):
            for statement in statements:
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {number}")
        database.execute(f"PRAGMA application_id = {MARK}")


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
