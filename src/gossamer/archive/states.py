"""States of pages in the archive: which record holds what a page was at a moment.

A page that was answered with content is as that record has it; one that redirected or was missing has none. Other
failures say nothing about a page. A revisit brings back the record that it refers to. States of all pages are gathered
in a temporary database: there may be more pages than memory holds.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import apsw

from gossamer.archive.cdxj import IndexEntry
from gossamer.archive.index import Tell, answers, answers_of
from gossamer.model import Url

_GONE: Final = frozenset({301, 302, 303, 307, 308, 404, 410})
_NOT_MODIFIED: Final = 304
_SCHEMA: Final = (
    """CREATE TABLE visits (
        url TEXT NOT NULL, at TEXT NOT NULL, place TEXT, has_content INTEGER NOT NULL,
        refers_url TEXT, refers_at TEXT, PRIMARY KEY (url, at)
    ) STRICT, WITHOUT ROWID""",
    # A visit that refers to another has its place; where that is not there, it says nothing.
    """CREATE VIEW states AS SELECT v.url, v.at, coalesce(v.place, r.place) AS place FROM visits v
        LEFT JOIN visits r ON r.url = v.refers_url AND r.at = v.refers_at
        WHERE NOT v.has_content OR v.place IS NOT NULL OR r.place IS NOT NULL""",
)
AT_ONCE: Final = 400  # pages in one portion


class PageAt(NamedTuple):
    """A state of a page: from a moment on."""

    url: Url
    at: datetime
    place: str | None  # where the archive has it; None where the page was gone


def states_of(archive: Path, url: Url, tell: Tell = lambda _: None) -> list[PageAt]:
    """The states of one page, the first one first; `tell` hears how many records were read."""
    own = answers_of(archive, url, tell)
    elsewhere = {each.refers[0] for each in own if each.refers and each.refers[0] != url}
    found = [*own, *(answer for other in elsewhere for answer in answers_of(archive, Url(other)))]
    with temporary_database(_SCHEMA) as database:
        _keep(database, found)
        rows = database.execute(
            "SELECT url, at, place FROM states WHERE url = ? ORDER BY at", (url,)
        )
        return [*map(_state, rows)]


class PageStates:
    """The states of all pages."""

    def __init__(self, database: apsw.Connection) -> None:
        self._database = database

    def as_of(self, moment: datetime) -> Iterator[list[PageAt]]:
        """The last state of each page by a moment, where it had content, some at a time."""
        after = ""
        while True:
            rows = self._database.execute(
                """SELECT url, max(at), place FROM states WHERE url > ? AND at <= ?
                    GROUP BY url ORDER BY url LIMIT ?""",
                (after, _written(moment), AT_ONCE),
            ).fetchall()
            if not rows:
                return
            after = str(rows[-1][0])
            yield [_state(row) for row in rows if row[2] is not None]


@contextmanager
def find_states(archive: Path, tell: Tell = lambda _: None) -> Iterator[PageStates]:
    """Look through the archive for all pages; `tell` hears how many records were read."""
    with temporary_database(_SCHEMA) as database:
        _keep(database, answers(archive, tell))
        yield PageStates(database)


@contextmanager
def temporary_database(schema: Iterable[str]) -> Iterator[apsw.Connection]:
    """A database on disk, for what memory may not have room for; gone when the block ends."""
    with (
        TemporaryDirectory(prefix="gossamer-") as folder,
        closing(apsw.Connection(str(Path(folder) / "temporary.db"))) as database,
    ):
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA journal_mode = OFF")
        for statement in schema:
            database.execute(statement)
        yield database


def _keep(database: apsw.Connection, found: Iterable[IndexEntry]) -> None:
    rows = (row for each in found if (row := _row(each)) is not None)
    with database:
        database.executemany("INSERT OR REPLACE INTO visits VALUES (?, ?, ?, ?, ?, ?)", rows)


def _row(answer: IndexEntry) -> tuple[Any, ...] | None:
    """What an answer says about its page; None where it says nothing."""
    head = (answer.url, _written(answer.at))
    if answer.status in _GONE:
        return (*head, None, False, None, None)
    is_content = 200 <= answer.status < 300
    if answer.refers is not None and (is_content or answer.status == _NOT_MODIFIED):
        return (*head, None, True, answer.refers[0], _written(answer.refers[1]))
    if answer.refers is None and is_content:
        return (*head, str(answer.place), True, None, None)
    return None


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _state(row: Sequence[Any]) -> PageAt:
    return PageAt(Url(row[0]), datetime.fromisoformat(row[1]), row[2])
