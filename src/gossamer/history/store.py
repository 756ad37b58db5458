"""`changes.db`: what each page said last, and what changed since: an SQLite file with one writer, the folder's owner.

**Exact, whatever is killed.** A difference is between two states that this file itself has had, one after the other, and
is written in one transaction with the new state, after the graph and before the page is settled. Who dies between the
two fetches the page again, finds what is here, and adds nothing.

**The first crawl is the beginning.** What pages of a host say when it is crawled for the first time is no news: it is
kept as their state. From the end of that crawl, or the first `--again`, new pages are told as new.

**Bounded.** Changes are kept for `history.keep` and within `history.max_bytes`; the oldest go first. States are kept
as long as the page has any.
"""

import json
import zlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import apsw

from gossamer.config import KeptHistory
from gossamer.frontier.sqlite import sqlite_errors, transaction
from gossamer.history.database import (
    DELIVERED,
    LAST,
    LOST,
    fact_of,
    keep_fact,
    last_number,
    open_changes,
)
from gossamer.history.difference import EntityChange, difference
from gossamer.history.finding import Run
from gossamer.history.visit import PageVisit
from gossamer.moments import to_microseconds
from gossamer.reading.readers_mark import MARK_BYTES

PACKING: Final = 1  # of zlib: most pages are read once and never again
ROW_BYTES: Final = 200  # of a change, beside its statements
BYTES: Final = "bytes of changes"
MOST_RUNS: Final = 100
PRUNED_AT_ONCE: Final = 2_000  # changes that go in one transaction


class ChangeHistory:
    """The history of a data folder, open. For one thread at a time."""

    def __init__(self, path: Path, database: apsw.Connection) -> None:
        self._path = path
        self._database = database

    @classmethod
    def open(cls, path: Path) -> "ChangeHistory":
        """Open the history in this file, made where there is none."""
        return cls(path, open_changes(path))

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    # ---- what a crawl writes

    def note(self, visits: Sequence[PageVisit], run: Run | None = None) -> int:
        """Keep what pages say now, and what that changes, in one transaction; how many changes."""
        with sqlite_errors(self._path), transaction(self._database):
            count = sum(self._note(visit) for visit in visits)
            if run is not None:
                self._note_run(run)
        return count

    def replace_states(self, visits: Sequence[PageVisit]) -> None:
        """Keep what pages say by today's readers, as no news: they were read anew and not fetched."""
        with sqlite_errors(self._path), transaction(self._database):
            for visit in visits:
                self._begin_host(visit, to_microseconds(visit.at))
                self._keep_state(visit)

    def end_run(self, run: Run, *, nothing_left: bool) -> None:
        """Keep the counts of a run that has ended; where nothing was left, first crawls are over."""
        with sqlite_errors(self._path), transaction(self._database):
            self._note_run(run)
            if nothing_left and run.ended_at is not None:
                self._begin_news(run.ended_at)

    def begin_news(self, now: datetime) -> None:
        """From now on, pages that appear on the hosts that we know are news."""
        with sqlite_errors(self._path), transaction(self._database):
            self._begin_news(now)

    def prune(self, kept: KeptHistory, now: datetime) -> int:
        """Remove what is older or more than is to be kept; how many changes."""
        oldest, gone = to_microseconds(now - kept.keep), 0
        while True:
            with sqlite_errors(self._path), transaction(self._database):
                rows = self._rows(
                    "SELECT id, size, at FROM changes ORDER BY at, id LIMIT ?", PRUNED_AT_ONCE
                )
                over = (fact_of(self._database, BYTES) or 0) - kept.max_bytes
                going: list[tuple[int]] = []
                freed = 0
                for number, size, at in rows:
                    if at >= oldest and freed >= over:
                        break
                    going.append((number,))
                    freed += size
                self._count_lost([number for (number,) in going])
                self._database.executemany("DELETE FROM changes WHERE id = ?", going)
                self._add_to_fact(BYTES, -freed)
            gone += len(going)
            if len(going) < PRUNED_AT_ONCE:
                return gone

    def forget(self, *, host: str | None = None, page: str | None = None) -> int:
        """Remove all that is known of a host's pages, or of one; how many rows. Then `compact`."""
        column, value = ("host", host) if page is None else ("page", page)
        gone = 0
        with sqlite_errors(self._path), transaction(self._database):
            ((size,),) = self._rows(
                f"SELECT coalesce(sum(size), 0) FROM changes WHERE {column} = ?", value
            )
            self._add_to_fact(BYTES, -size)
            for table in ("changes", "pages"):
                self._database.execute(f"DELETE FROM {table} WHERE {column} = ?", (value,))
                gone += self._database.changes()
            if page is None:
                self._database.execute("DELETE FROM hosts WHERE host = ?", (host,))
                gone += self._database.changes()
        return gone

    def compact(self) -> None:
        """Write the file anew, so that nothing that was removed stays in it."""
        with sqlite_errors(self._path):
            self._database.execute("VACUUM")
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    # ---- one page

    def _note(self, visit: PageVisit) -> int:
        at = to_microseconds(visit.at)
        since = self._begin_host(visit, at)
        known = self._rows("SELECT said, statements FROM pages WHERE page = ?", visit.url)
        before, packed = known[0] if known else (None, None)
        old, new = _unpack(packed), visit.nquads if visit.said is not None else b""
        if not known:
            if visit.said is None:
                return 0
            # The first time that we see it: news, unless that is so of its host or it was seen before us.
            is_news = since is not None and since <= at and not visit.was_known
        elif before == visit.said or (visit.said is not None and not visit.is_whole):
            return 0  # what could not be read as a whole is compared when it can be
        else:
            is_news = before is None or visit.said is None or _is_by_the_same(before, visit.said)
        self._keep_state(visit)
        changes = difference(visit.url, old, new) if is_news else []
        for change in changes:
            self._insert(visit, at, change)
        return len(changes)

    def _begin_host(self, visit: PageVisit, at: int) -> int | None:
        """Since when new pages of a page's host are news."""
        # Where a page was known before us, the host's first crawl was before us too.
        since = at if visit.was_known else None
        self._database.execute(
            """INSERT INTO hosts (host, since) VALUES (?, ?)
                ON CONFLICT (host) DO UPDATE SET since = excluded.since
                WHERE since IS NULL AND NOT EXISTS (SELECT 1 FROM pages WHERE page = ?)
                    AND excluded.since IS NOT NULL""",
            (visit.host, since, visit.url),
        )
        ((found,),) = self._rows("SELECT since FROM hosts WHERE host = ?", visit.host)
        return None if found is None else int(found)

    def _keep_state(self, visit: PageVisit) -> None:
        at = to_microseconds(visit.at)
        packed = None if visit.said is None else zlib.compress(visit.nquads, PACKING)
        self._database.execute(
            """INSERT INTO pages (page, host, at, said, statements) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (page) DO UPDATE SET at = excluded.at, said = excluded.said,
                statements = excluded.statements""",
            (visit.url, visit.host, at, visit.said, packed),
        )

    def _insert(self, visit: PageVisit, at: int, change: EntityChange) -> None:
        said = [[each.record() for each in lot] for lot in (change.added, change.removed)]
        packed = zlib.compress(json.dumps(said, ensure_ascii=False).encode(errors="replace"))
        size = len(packed) + ROW_BYTES
        number = last_number(self._database) + 1
        keep_fact(self._database, LAST, number)
        self._database.execute(
            """INSERT INTO changes (id, page, host, at, entity, kind, types, label, statements, size)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                *(number, visit.url, visit.host, at, change.entity, change.kind.value),
                *(" ".join(change.types), change.label, packed, size),
            ),
        )
        self._add_to_fact(BYTES, size)

    def _begin_news(self, now: datetime) -> None:
        self._database.execute(
            "UPDATE hosts SET since = ? WHERE since IS NULL", (to_microseconds(now),)
        )

    def _note_run(self, run: Run) -> None:
        ended_at = None if run.ended_at is None else to_microseconds(run.ended_at)
        started_at = to_microseconds(run.started_at)
        self._database.execute(
            "INSERT OR REPLACE INTO runs (started_at, ended_at, counts) VALUES (?, ?, ?)",
            (started_at, ended_at, json.dumps(dict(run.counts))),
        )
        self._database.execute(
            """DELETE FROM runs WHERE started_at <= (SELECT started_at FROM runs
                ORDER BY started_at DESC LIMIT 1 OFFSET ?)""",
            (MOST_RUNS,),
        )

    def _count_lost(self, going: Sequence[int]) -> None:
        """Count those that go before they were delivered (`undelivered`), where they are to be delivered."""
        if (delivered := fact_of(self._database, DELIVERED)) is not None:
            self._add_to_fact(LOST, sum(number > delivered for number in going))

    def _add_to_fact(self, name: str, more: int) -> None:
        self._database.execute(
            "INSERT INTO facts (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = value + ?2",
            (name, more),
        )

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._database.execute(sql, values).fetchall()


def _is_by_the_same(before: bytes, now: bytes) -> bool:
    """Whether one version of our readers has read both."""
    return before[:MARK_BYTES] == now[:MARK_BYTES]


def _unpack(packed: bytes | None) -> bytes:
    return b"" if packed is None else zlib.decompress(packed)
