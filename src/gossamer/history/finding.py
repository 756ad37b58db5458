"""What people ask of the history of a data folder: changes, the last run. Reads only."""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import apsw

from gossamer.frontier.sqlite import sqlite_errors
from gossamer.history.asking import ChangeFilter, ChangePlace, ToldChange, moment_of, terms_of
from gossamer.history.database import open_changes
from gossamer.moments import from_microseconds, to_microseconds

ROWS_AT_ONCE: Final = 200  # that are looked at for an answer
CHANGE: Final = "id, at, page, entity, kind, types, label, statements"


class Run(NamedTuple):
    """A crawl and its counts, as far as it has come."""

    started_at: datetime
    counts: Mapping[str, int]
    ended_at: datetime | None = None


class Began(NamedTuple):
    """Since when there is a history of some hosts."""

    pages: int  # whose state is known
    hosts: int
    since: datetime | None  # when the first crawl of one of them was over; None: of none yet


class HistoryReader:
    """The history of a data folder, to be read. For one thread at a time."""

    def __init__(self, database: apsw.Connection) -> None:
        self._database = database

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator["HistoryReader"]:
        """Open the history in this file until the block ends."""
        with sqlite_errors(path), closing(open_changes(path)) as database:
            yield cls(database)

    def find(self, asked: ChangeFilter, now: datetime) -> list[ToldChange]:
        """Changes that are asked for, the latest first; raises `ValueError` on what is no age or date."""
        moments = [
            None if each is None else moment_of(each, now) for each in (asked.since, asked.until)
        ]
        place = None if asked.after is None else ChangePlace.parse(asked.after)
        types, found = terms_of(asked.types), list[ToldChange]()
        while len(found) < asked.limit:
            rows = self._some(asked, moments, place)
            for row in rows:
                change = told_change(*row)
                place = change.place
                if (suiting := change.suiting(types, asked.properties)) is not None:
                    found.append(suiting)
                    if len(found) == asked.limit:
                        break
            if len(rows) < ROWS_AT_ONCE:
                break
        return found

    def last_run(self) -> Run | None:
        """The last crawl, and its counts."""
        rows = self._rows(
            "SELECT started_at, ended_at, counts FROM runs ORDER BY started_at DESC LIMIT 1"
        )
        for started_at, ended_at, counts in rows:
            ended = None if ended_at is None else from_microseconds(ended_at)
            return Run(from_microseconds(started_at), json.loads(counts), ended)
        return None

    def began(self, hosts: Sequence[str] = ()) -> Began:
        """Since when there is a history, of all hosts or of these."""
        which, values = _any_of("host", hosts)
        where, known = (f" WHERE {which}", f" AND {which}") if which else ("", "")
        ((pages,),) = self._rows(
            f"SELECT count(*) FROM pages WHERE said IS NOT NULL{known}", *values
        )
        ((count, since),) = self._rows(f"SELECT count(*), min(since) FROM hosts{where}", *values)
        return Began(pages, count, None if since is None else from_microseconds(since))

    def _some(
        self,
        asked: ChangeFilter,
        moments: Sequence[datetime | None],
        place: ChangePlace | None,
    ) -> list[tuple[Any, ...]]:
        clauses: list[str] = []
        values: list[Any] = []
        for clause, moment in zip(("at >= ?", "at < ?"), moments, strict=True):
            if moment is not None:
                clauses.append(clause)
                values.append(to_microseconds(moment))
        if place is not None:
            clauses.append("(at, id) < (?, ?)")
            values += place
        for column, wanted in (
            ("host", asked.hosts),
            ("kind", asked.kinds),
            ("page", () if asked.page is None else (asked.page,)),
            ("entity", () if asked.entity is None else (asked.entity,)),
        ):
            which, those = _any_of(column, wanted)
            if which:
                clauses.append(which)
                values += those
        where = f"WHERE {' AND '.join(clauses)}" if clauses else ""
        return self._rows(
            f"SELECT {CHANGE} FROM changes {where} ORDER BY at DESC, id DESC LIMIT {ROWS_AT_ONCE}",
            *values,
        )

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._database.execute(sql, values).fetchall()


def _any_of(column: str, values: Sequence[str]) -> tuple[str, list[str]]:
    marks = ", ".join("?" for _ in values)
    return (f"{column} IN ({marks})" if values else ""), list(values)


def told_change(
    number: int,
    at: int,
    page: str,
    entity: str,
    kind: str,
    types: str,
    label: str | None,
    statements: bytes,
) -> ToldChange:
    """A row with the columns of `CHANGE` as a value."""
    added, removed = json.loads(zlib.decompress(statements))
    return ToldChange(
        ChangePlace(at, number),
        entity,
        kind,
        tuple(types.split()),
        label,
        page,
        from_microseconds(at),
        added,
        removed,
    )
