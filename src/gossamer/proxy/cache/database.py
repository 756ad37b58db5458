"""`proxy-cache.db`: an SQLite file with stored responses, and what is wrong with it, in a sentence.

Heads and bodies are two tables: a head is rewritten when it is validated or used, a body never
is. A body comes in parts, the last things written being its head, so that a body without one is
the remains of a download that did not end; those are removed when the file is opened.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import apsw

from gossamer.errors import DataFolderError
from gossamer.frontier.sqlite import transaction

MARK: Final = 0x476F7363  # "Gosc": tells our files from other SQLite files
# Before 2, what requests said was kept in clear text; before 3, cookies that were for one client;
# before 4, all other cookies, and pages that ask not to be kept.
VERSION: Final = 4
BUSY_MS: Final = 10_000

_PRAGMAS: Final = (
    # Readers and the writer do not wait for each other, and kill -9 loses nothing committed.
    "journal_mode = WAL",
    # A power cut may cost the last responses, never the file: they can be fetched again.
    "synchronous = NORMAL",
    "cache_size = -8192",
    f"journal_size_limit = {8 * 1024 * 1024}",
    "temp_store = MEMORY",
)
_SCHEMA: Final = (
    """CREATE TABLE responses (
        id INTEGER PRIMARY KEY,
        url TEXT NOT NULL,
        vary BLOB NOT NULL,
        selection BLOB NOT NULL,
        status INTEGER NOT NULL,
        block BLOB NOT NULL,
        born REAL NOT NULL,
        answered_at REAL NOT NULL,
        size INTEGER NOT NULL,
        marks INTEGER NOT NULL,
        cost INTEGER NOT NULL,
        used_at REAL NOT NULL
    ) STRICT""",
    "CREATE INDEX by_url ON responses (url)",
    "CREATE INDEX by_use ON responses (used_at)",
    """CREATE TABLE bodies (
        response INTEGER NOT NULL,
        part INTEGER NOT NULL,
        data BLOB NOT NULL
    ) STRICT""",
    "CREATE UNIQUE INDEX by_part ON bodies (response, part)",
)
# By the index alone: whoever opens a full cache does not wait until all of it was read.
_REMAINS: Final = """
DELETE FROM bodies WHERE response IN (
    SELECT response FROM bodies INDEXED BY by_part EXCEPT SELECT id FROM responses
)"""


class CacheInUseError(DataFolderError):
    """Another process has the file."""


def held_alone(path: Path) -> int:
    """Make sure that no other process has the file; a descriptor to be closed in the end.

    The kernel gives it back when we die, however we die. It is a file beside it, because SQLite's
    own locks would be lost with the first descriptor of the same file that is closed.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DataFolderError(f"{path} cannot be made: {error.strerror}.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise CacheInUseError(
            f"{path} is the cache of another proxy that is running. Stop that one, or start this "
            "one without a cache: --config proxy.cache_size=0"
        ) from None
    return lock


def open_cache_file(path: Path) -> apsw.Connection:
    """The file, made where there is none; refused where it is not ours or damaged.

    One that an older Gossamer wrote is made anew: all that is in it can be fetched again.
    """
    with sentences(path):
        database = _connected(path)
        try:
            if _is_older(database):
                database.close()
                _remove(path)
                database = _connected(path)
            _check(database, path)
        except BaseException:
            database.close()
            raise
    return database


def rows(database: apsw.Connection, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a statement and take its rows, as the schema has them."""
    return database.execute(sql, values).fetchall()


def clear_remains(database: apsw.Connection, path: Path) -> None:
    """Remove the bodies of downloads that did not end."""
    with sentences(path), transaction(database):
        database.execute(_REMAINS)


@contextmanager
def sentences(path: Path) -> Iterator[None]:
    """SQLite's errors as sentences that say what to do."""
    try:
        yield
    except apsw.Error as error:
        raise DataFolderError(in_words(error, path)) from None


def in_words(error: apsw.Error, path: Path) -> str:
    """What is wrong, and the way out."""
    if isinstance(error, apsw.FullError):
        return f"The disk is full: {path} cannot grow. Make room, or set proxy.cache_size lower."
    if isinstance(error, apsw.BusyError):
        return f"{path} is locked by another program. Close whatever has it open, and try again."
    if isinstance(error, apsw.CorruptError):
        return (
            f"{path} is damaged ({error}). Move it away: what was in it will be fetched again "
            "as it is asked for."
        )
    if isinstance(error, apsw.NotADBError):
        return f"{path} is no cache of Gossamer's, or damaged. Move it away, and try again."
    return f"{path} cannot be used: {error}. Is the disk in order, and is the file ours to write?"


def _connected(path: Path) -> apsw.Connection:
    # Pages and cookies of all clients are in it. SQLite gives the files beside it the same mode.
    with suppress(OSError):  # it is there, or else SQLite says what is wrong
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    database = apsw.Connection(str(path))
    database.set_busy_timeout(BUSY_MS)
    return database


def _is_older(database: apsw.Connection) -> bool:
    is_ours = _pragma(database, "application_id") == MARK
    return is_ours and _pragma(database, "user_version") < VERSION


def _remove(path: Path) -> None:
    try:
        for end in ("", "-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    except OSError as error:
        raise DataFolderError(
            f"{path} was written by an older Gossamer, and cannot be replaced: {error.strerror}."
        ) from None


def _check(database: apsw.Connection, path: Path) -> None:
    version, mark = _pragma(database, "user_version"), _pragma(database, "application_id")
    if mark != MARK and (version or _pragma(database, "schema_version")):
        raise DataFolderError(f"{path} is no cache of Gossamer's. Move it away, and try again.")
    if version > VERSION:
        raise DataFolderError(
            f"{path} was written by a newer Gossamer. Upgrade Gossamer, or move the file away: "
            "what was in it will be fetched again as it is asked for."
        )
    if not version:
        # Room that is no longer needed goes back to the disk when the limit is lowered.
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")
    for pragma in _PRAGMAS:
        database.execute(f"PRAGMA {pragma}")
    if not version:
        _make(database)


def _make(database: apsw.Connection) -> None:
    with transaction(database):
        for statement in _SCHEMA:
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute(f"PRAGMA application_id = {MARK}")


def _pragma(database: apsw.Connection, name: str) -> int:
    value = database.execute(f"PRAGMA {name}").get
    assert isinstance(value, int)
    return value
