"""`changes.db` as a file: its tables, and how it is opened."""

from pathlib import Path
from typing import Final

import apsw

from gossamer.errors import DataFolderError
from gossamer.frontier.sqlite import sqlite_errors, transaction

MARK: Final = 0x476F7368  # "Gosh": tells our files from other SQLite files
VERSION: Final = 1
BUSY_MS: Final = 10_000
# Facts by name. No number of a change is given twice, whatever was removed.
LAST: Final = "last change"
DELIVERED: Final = "last change that was delivered"
LOST: Final = "changes that were removed undelivered"
NUMBER: Final = "number of this history"
_PRAGMAS: Final = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "cache_size = -8192",
    f"journal_size_limit = {16 * 1024 * 1024}",
    "temp_store = MEMORY",
)
_SCHEMA: Final = (
    # The state of a page; `said` is NULL where it says nothing, as after a 404.
    """CREATE TABLE pages (
        page TEXT PRIMARY KEY,
        host TEXT NOT NULL,
        at INTEGER NOT NULL,
        said BLOB,
        statements BLOB
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX pages_of_host ON pages (host)",
    """CREATE TABLE changes (
        id INTEGER PRIMARY KEY,
        page TEXT NOT NULL,
        host TEXT NOT NULL,
        at INTEGER NOT NULL,
        entity TEXT NOT NULL,
        kind TEXT NOT NULL,
        types TEXT NOT NULL,
        label TEXT,
        statements BLOB NOT NULL,
        size INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX changes_by_time ON changes (at, id)",
    "CREATE INDEX changes_of_host ON changes (host, at)",
    "CREATE INDEX changes_of_page ON changes (page, at)",
    "CREATE INDEX changes_of_entity ON changes (entity, at)",
    # Since when pages that appear on a host are news; NULL during its first crawl.
    "CREATE TABLE hosts (host TEXT PRIMARY KEY, since INTEGER) STRICT, WITHOUT ROWID",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE runs (started_at INTEGER PRIMARY KEY, ended_at INTEGER, counts TEXT NOT NULL) STRICT",
)


def open_changes(path: Path) -> apsw.Connection:
    """The file, made where there is none."""
    with sqlite_errors(path):
        database = apsw.Connection(str(path))
        try:
            database.set_busy_timeout(BUSY_MS)
            _prepare(database, path)
        except BaseException:
            database.close()
            raise
    return database


def fact_of(database: apsw.Connection, name: str) -> int | None:
    """The number that is kept under a name."""
    value: int | None = database.execute("SELECT value FROM facts WHERE name = ?", (name,)).get
    return value


def keep_fact(database: apsw.Connection, name: str, value: int) -> None:
    """Keep a number under a name."""
    database.execute("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, value))


def last_number(database: apsw.Connection) -> int:
    """The highest number that a change has had, whether it is still there or not."""
    highest: int | None = database.execute("SELECT max(id) FROM changes").get
    return max(highest or 0, fact_of(database, LAST) or 0)


def _prepare(database: apsw.Connection, path: Path) -> None:
    version, mark = database.pragma("user_version"), database.pragma("application_id")
    tables = database.execute("SELECT count(*) FROM sqlite_master").get
    if mark != MARK and (version or tables):
        raise DataFolderError(
            f"{path} is no file of Gossamer's. Choose another folder with --data."
        )
    if version > VERSION:
        raise DataFolderError(
            f"{path} was written by a newer Gossamer. Upgrade Gossamer, or choose another folder with --data."
        )
    for pragma in _PRAGMAS:
        database.execute(f"PRAGMA {pragma}")
    if version == VERSION:
        return
    with transaction(database):
        for statement in _SCHEMA:
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute(f"PRAGMA application_id = {MARK}")
