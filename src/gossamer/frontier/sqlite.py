"""`frontier.db`: the frontier's store as an SQLite file, with one writer, the folder's owner."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Final

import apsw

from gossamer.errors import DataFolderError, StorageFullError
from gossamer.folder.durable import sync
from gossamer.frontier.schema import LINE, PENDING, SETTLED, SQLITE_VERSIONS
from gossamer.frontier.store import LinkRow, Remembered, Row, T, Value
from gossamer.moments import from_microseconds, now_utc, to_microseconds
from gossamer.urls import site_of

MARK: Final = 0x476F7373  # "Goss": tells our files from other SQLite files
# Three times as much made nothing faster, at 400,000 URLs and at 1,400,000: what is not here, the
# system has at hand. But a crawl would grow for a long while until it has filled that.
CACHE_KIB: Final = 32 * 1024
# Rows are changed all over the file: fewer, larger checkpoints write each page less often.
CHECKPOINT_PAGES: Final = 64_000
BUSY_MS: Final = 10_000

_PRAGMAS: Final = (
    # Readers and the writer do not wait for each other, and kill -9 loses nothing committed.
    "journal_mode = WAL",
    # Nor does a power cut: a host that asked for an hour's rest is to get it.
    "synchronous = FULL",
    f"cache_size = -{CACHE_KIB}",
    f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
    "temp_store = MEMORY",
)
_CANNOT_GROW: Final = (apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_SHMSIZE)
_TYPES: Final = {"id": "INTEGER PRIMARY KEY", "blob": "BLOB"}

_REMEMBER: Final = f"""
INSERT INTO pages (host_id, key, url, depth, priority, hops, seed, state)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (host_id, key) DO UPDATE SET
    depth = min(depth, excluded.depth),
    priority = max(priority, excluded.priority),
    hops = min(hops, excluded.hops),
    seed = seed OR excluded.seed
WHERE excluded.depth < depth OR excluded.hops < hops OR (excluded.seed AND NOT seed)
    OR (excluded.priority > priority AND state <> {SETTLED})"""
# By number, whatever index the engine may think of.
_NEW: Final = """
SELECT host_id, state, count(*), max(priority), sum(length(url)) FROM pages NOT INDEXED WHERE id > ?
GROUP BY host_id, state"""

_TOKENS: Final = """
INSERT INTO tallies (node, name, n) VALUES ('', 'token', ?)
ON CONFLICT (node, name) DO UPDATE SET n = n + excluded.n RETURNING n"""


class SqliteStore:
    """One connection to the file; whoever has it owns the data folder."""

    is_shared = False

    def __init__(self, path: Path, now: Callable[[], datetime] = now_utc) -> None:
        self._path = path
        self._now = now
        self._database = open_database(path)

    def transact(self, work: Callable[["SqliteTransaction"], T], *, durable: bool = True) -> T:
        """Run work in one transaction."""
        with sqlite_errors(self._path):
            self._database.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        with sqlite_errors(self._path), transaction(self._database):
            return work(SqliteTransaction(self._database, to_microseconds(self._now())))

    def read(self, work: Callable[["SqliteTransaction"], T]) -> T:
        """Run work on the file as it is now."""
        with sqlite_errors(self._path), transaction(self._database, "BEGIN"):
            return work(SqliteTransaction(self._database, to_microseconds(self._now())))

    def close(self) -> None:
        """Close the file; what is in its log moves into it."""
        self._database.close()


class SqliteTransaction:
    """A transaction under way. See `store.Transaction`."""

    def __init__(self, database: apsw.Connection, now: int) -> None:
        self._database = database
        self.now = now

    def rows(self, sql: str, *values: Value) -> list[Row]:
        """Run a statement and take its rows."""
        return self._database.execute(_plain(sql), values).fetchall()

    def insert(
        self, table: str, columns: Sequence[str], values: Iterable[Row], then: str = ""
    ) -> list[Row]:
        """Insert rows one by one."""
        sql = _insert(table, tuple(columns), then)
        return self._database.executemany(sql, values).fetchall()

    def update(
        self,
        table: str,
        columns: Sequence[str],
        values: Iterable[Row],
        change: str,
        where: str,
        returning: str = "",
    ) -> list[Row]:
        """Update rows one by one."""
        sql = _update(table, tuple(columns), change, where, returning)
        return self._database.executemany(sql, values).fetchall()

    def any_of(self, sql: str, column: str, values: Sequence[Value]) -> list[Row]:
        """Ask for each of the values."""
        asked = _plain(sql.replace("{any}", "= ?"))
        return self._database.executemany(asked, [(value,) for value in values]).fetchall()

    def next_pages(
        self, columns: str, wanted: Sequence[tuple[int, int]], which: str = "TRUE"
    ) -> list[Row]:
        """Of each host so many pending pages in order."""
        return self._database.executemany(_next_pages(columns, which), wanted).fetchall()

    def next_of_arms(
        self, columns: str, wanted: Sequence[tuple[int, int, int]], which: str = "TRUE"
    ) -> list[Row]:
        """Of each host's arm so many pending pages in order."""
        return self._database.executemany(_next_of_arms(columns, which), wanted).fetchall()

    def remember(self, links: Sequence[LinkRow]) -> Remembered:
        """Insert what is new; a known page keeps the smaller depth and the higher priority.

        What comes of a link is not asked of its statement: RETURNING doubles its time.
        """
        ((newest,),) = self.rows("SELECT coalesce(max(id), 0) FROM pages")
        with self._update_rows() as pages:
            self._database.executemany(_REMEMBER, links)
        sql = "SELECT id, host_id, depth, priority, state, hops, ended FROM pages WHERE id {any}"
        return Remembered(self.rows(_NEW, newest), self.any_of(sql, "id", pages))

    @contextmanager
    def _update_rows(self) -> Iterator[list[int]]:
        """The numbers of the rows that are updated meanwhile."""
        numbers: list[int] = []

        def note(kind: int, _database: str, _table: str, number: int) -> None:
            if kind == apsw.SQLITE_UPDATE:
                numbers.append(number)

        self._database.set_update_hook(note)
        try:
            yield numbers
        finally:
            self._database.set_update_hook(None)

    def watch(self, host_ids: Sequence[int]) -> None:
        """Do nothing: SQLite has no other writer."""

    def unwatched(self, host_ids: Sequence[int]) -> set[int]:
        """All hosts: SQLite has no other writer."""
        return set(host_ids)

    def alone(self, name: str) -> None:
        """We are."""

    def tokens(self, count: int) -> list[int]:
        """Numbers that were never given out before."""
        last = self._database.execute(_TOKENS, (count,)).get
        assert isinstance(last, int)
        return list(range(last - count + 1, last + 1))

    def here(self, moment: int) -> datetime:
        """A moment of the store, by our clock: SQLite uses the same one."""
        return from_microseconds(moment)

    def deadline(self, moment: int) -> datetime:
        """A deadline of the store, by our clock."""
        return from_microseconds(moment)

    def there(self, moment: datetime) -> int:
        """A moment of our clock, as the store has it."""
        return to_microseconds(moment)


def open_database(path: Path) -> apsw.Connection:
    """The file, upgraded to the present version; made where there is none."""
    with sqlite_errors(path):
        database = apsw.Connection(str(path))
        try:
            database.set_busy_timeout(BUSY_MS)
            database.create_scalar_function("site_of", site_of, 1, deterministic=True)
            _upgrade(database, path)
        except BaseException:
            database.close()
            raise
    return database


def rewrite(path: Path) -> None:
    """Write the file anew, with nothing in it but what can be read; nobody else has it open.

    Rows that were removed, and what rows held before they were changed, stay in a file until their
    place is needed. Who is killed here leaves the file as it was, and a draft beside it.
    """
    draft = path.with_name(f"{path.name}.anew")
    draft.unlink(missing_ok=True)
    try:
        with sqlite_errors(path), closing(open_database(path)) as database:
            database.execute("VACUUM INTO ?", (str(draft),))
        draft.chmod(path.stat().st_mode & 0o777)
        sync(draft)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)  # where there is no room for it, it must not take any
        raise
    sync(path.parent)


@contextmanager
def transaction(database: apsw.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """A transaction: all of it is kept, or nothing."""
    database.execute(begin)
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        # A full disk ends the transaction by itself, and there is nothing to undo.
        with suppress(apsw.SQLError):
            database.execute("ROLLBACK")
        raise


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into sentences that say what to do."""
    try:
        yield
    except apsw.FullError:
        raise StorageFullError(
            f"The disk is full: {path} cannot grow. Nothing is lost; make room and go on."
        ) from None
    except apsw.IOError as error:
        if getattr(error, "extendedresult", None) not in _CANNOT_GROW:
            raise DataFolderError(
                f"{path} cannot be used: {error}. Is the disk in order?"
            ) from None
        raise StorageFullError(
            f"{path} cannot be written: the disk is over its quota or limit, or broken. "
            "Nothing is lost; make room and go on."
        ) from None
    except apsw.BusyError:
        raise DataFolderError(
            f"{path} is locked by another program. Close whatever has it open, and try again."
        ) from None
    except apsw.Error as error:
        raise DataFolderError(
            f"{path} cannot be used: {error}. Choose another folder with --data."
        ) from None


def _upgrade(database: apsw.Connection, path: Path) -> None:
    version, mark = _pragma(database, "user_version"), _pragma(database, "application_id")
    tables = database.execute("SELECT count(*) FROM sqlite_master").get
    if mark != MARK and (version or tables):
        raise DataFolderError(
            f"{path} is no file of Gossamer's. Choose another folder with --data."
        )
    if version > len(SQLITE_VERSIONS):
        raise DataFolderError(
            f"{path} was written by a newer Gossamer (version {version}, we know "
            f"{len(SQLITE_VERSIONS)}). Upgrade Gossamer, or choose another folder with --data."
        )
    for pragma in _PRAGMAS:
        database.execute(f"PRAGMA {pragma}")
    if version == len(SQLITE_VERSIONS):
        return
    with transaction(database):
        for number, statements in enumerate(SQLITE_VERSIONS[version:], version + 1):
            for statement in statements:
                database.execute(statement.format(**_TYPES))
            database.execute(f"PRAGMA user_version = {number}")
        database.execute(f"PRAGMA application_id = {MARK}")


def _pragma(database: apsw.Connection, name: str) -> int:
    value = database.execute(f"PRAGMA {name}").get
    assert isinstance(value, int)
    return value


@lru_cache
def _plain(sql: str) -> str:
    # One writer at a time: nothing to lock, nothing to skip.
    return re.sub(r"\{(lock|claim)\}", "", sql)


@lru_cache
def _insert(table: str, columns: tuple[str, ...], then: str) -> str:
    marks = ", ".join(f"?{place}" for place, _ in enumerate(columns, 1))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) {then}"


@lru_cache
def _update(table: str, columns: tuple[str, ...], change: str, where: str, returning: str) -> str:
    sql = f"UPDATE {table} SET {change} WHERE {where}"
    sql += f" RETURNING {returning}" if returning else ""
    return re.sub(r":(\w+)", lambda name: f"?{columns.index(name[1]) + 1}", sql)


@lru_cache
def _next_pages(columns: str, which: str) -> str:
    return f"""SELECT {columns} FROM pages WHERE host_id = ?1 AND state = {PENDING} AND {which}
        ORDER BY {LINE} LIMIT ?2"""


@lru_cache
def _next_of_arms(columns: str, which: str) -> str:
    return f"""SELECT {columns} FROM pages INDEXED BY pages_by_arm
        WHERE host_id = ?1 AND arm = ?2 AND state = {PENDING} AND {which} ORDER BY {LINE} LIMIT ?3"""
