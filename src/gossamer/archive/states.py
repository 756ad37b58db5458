"""States of pages in the archive: which record holds what a page was at a moment.

All files are read once, and what is found is kept in a temporary database: there may be more pages than memory
holds. A page that was answered with content is as that record has it; one that redirected or was missing has none.
Other failures say nothing about a page. A revisit brings back the record that it refers to.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import apsw

from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.files import archive_files, failing, open_file
from gossamer.archive.folders import present_folders
from gossamer.archive.record import Damage, Record, members
from gossamer.model import Url

_GONE: Final = frozenset({301, 302, 303, 307, 308, 404, 410})
_NOT_MODIFIED: Final = 304
_SCHEMA: Final = """CREATE TABLE states (
    url TEXT NOT NULL, at TEXT NOT NULL, place TEXT, PRIMARY KEY (url, at)
) STRICT, WITHOUT ROWID"""
AT_ONCE: Final = 400  # pages in one portion


class PageAt(NamedTuple):
    """A state of a page: from a moment on."""

    url: Url
    at: datetime
    place: str | None  # where the archive has it; None where the page was gone


class PageStates:
    """All states that were found."""

    def __init__(self, database: apsw.Connection) -> None:
        self._database = database

    def of(self, url: str) -> list[PageAt]:
        """The states of one page, the first one first."""
        rows = self._database.execute(
            "SELECT url, at, place FROM states WHERE url = ? ORDER BY at", (url,)
        )
        return [*map(_state, rows)]

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

    def add(self, record: Record, place: ArchivePlace) -> None:
        """Take note of a record."""
        url, kind = record.url, record.kind
        if url is None or kind not in ("response", "revisit"):
            return
        status = _status(record)
        at = _written(datetime.fromisoformat(record.fields["warc-date"]))
        if status in _GONE:
            self._keep(url, at, None)
        elif kind == "revisit" and (200 <= status < 300 or status == _NOT_MODIFIED):
            fields = record.fields
            then = _written(datetime.fromisoformat(fields["warc-refers-to-date"]))
            earlier = self._database.execute(
                "SELECT place FROM states WHERE url = ? AND at = ?",
                (fields["warc-refers-to-target-uri"], then),
            ).get
            if earlier is not None:
                self._keep(url, at, str(earlier))
        elif kind == "response" and 200 <= status < 300:
            self._keep(url, at, str(place))

    def _keep(self, url: str, at: str, place: str | None) -> None:
        self._database.execute("INSERT OR REPLACE INTO states VALUES (?, ?, ?)", (url, at, place))


@contextmanager
def find_states(
    archive: Path, url: str | None = None, tell: Callable[[int], object] = lambda _: None
) -> Iterator[PageStates]:
    """Look through the archive for all pages, or for one; `tell` hears how many records were read."""
    with (
        TemporaryDirectory(prefix="gossamer-") as folder,
        closing(apsw.Connection(str(Path(folder) / "states.db"))) as database,
    ):
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA journal_mode = OFF")
        database.execute(_SCHEMA)
        states, count = PageStates(database), 0
        with database:
            for path in sorted(_files(archive), key=lambda each: each.name):
                with failing(path), open_file(path, os.O_RDONLY) as fd:
                    for each in members(fd):
                        if isinstance(each, Damage):
                            continue
                        count += 1
                        tell(count)
                        if url is None or each.record.url == url:
                            place = ArchivePlace(path.name, each.offset, each.length)
                            states.add(each.record, place)
        yield states


def _files(archive: Path) -> Iterator[Path]:
    for folder in present_folders(archive):
        yield from archive_files(folder)


def _status(record: Record) -> int:
    words = record.block[:64].split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _state(row: Sequence[Any]) -> PageAt:
    return PageAt(Url(row[0]), datetime.fromisoformat(row[1]), row[2])
