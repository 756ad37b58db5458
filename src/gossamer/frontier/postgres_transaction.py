"""A transaction on a PostgreSQL server: many rows travel as arrays, one statement for all.

Locks are taken in one order everywhere (rows by their numbers, pages by host and key), so
that transactions wait for each other in line; where they still meet head on, the server
ends one of them, and the store runs it again.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

import psycopg

from gossamer.frontier.postgres_arrays import Packed, pack
from gossamer.frontier.schema import LINE, PENDING, SETTLED, TYPES
from gossamer.frontier.store import LINK_COLUMNS, LinkRow, NewRow, Remembered, Row, Value
from gossamer.moments import from_microseconds, to_microseconds

_IMPROVES: Final = f"""(new.depth < pages.depth OR new.hops < pages.hops OR (new.seed AND NOT pages.seed)
    OR (new.priority > pages.priority AND pages.state <> {SETTLED}))"""
_TELLING: Final = (
    "host_id",
    "key",
    "depth",
    "priority",
    "hops",
    "seed",
)  # what tells if a link is news


class Skew(NamedTuple):
    """How far our clock is ahead of the server's: at least, and at most.

    Nodes may be minutes fast or slow, and their clocks need not agree. While the server told its time,
    our clock went from one moment to another; so the difference of the two is known within the time
    that took. Moments are whole microseconds since 1970.
    """

    least: int
    most: int

    @classmethod
    def measured(cls, before: int, server: int, after: int) -> "Skew":
        """The server said its time after our `before` and before our `after`."""
        return cls(before - server, max(before, after) - server)

    def here(self, moment: int) -> int:
        """A moment of the server in our time, as late as it may be: what is to be waited for."""
        return moment + self.most

    def deadline(self, moment: int) -> int:
        """A moment of the server in our time, as early as it may be: what is to be done by then."""
        return moment + self.least

    def there(self, moment: int) -> int:
        """A moment of ours in the server's time, as late as it may be.

        What was over when the server was asked is never after the time it told.
        """
        return moment - self.least


class PostgresTransaction:
    """A transaction under way. See `store.Transaction`."""

    def __init__(self, cursor: "psycopg.Cursor[Any]", now: int, skew: Skew) -> None:
        self._cursor = cursor
        self._skew = skew
        self.now = now

    def rows(self, sql: str, *values: Value) -> list[Row]:
        """Run a statement and take its rows."""
        return self._run(_marked(sql), values)

    def insert(
        self, table: str, columns: Sequence[str], values: Iterable[Row], then: str = ""
    ) -> list[Row]:
        """Insert all rows with one statement."""
        arrays = _arrays(columns, values)
        return self._run(_insert(table, tuple(columns), then), arrays) if arrays else []

    def update(
        self,
        table: str,
        columns: Sequence[str],
        values: Iterable[Row],
        change: str,
        where: str,
        returning: str = "",
    ) -> list[Row]:
        """Update all rows with one statement."""
        arrays = _arrays(columns, values)
        sql = _update(table, tuple(columns), change, where, returning)
        return self._run(sql, arrays) if arrays else []

    def any_of(self, sql: str, column: str, values: Sequence[Value]) -> list[Row]:
        """Ask for all of the values at once."""
        kind = TYPES[column]
        asked = _marked(sql.replace("{any}", f"= ANY (?::{kind}[])"))
        return self._run(asked, (pack(kind, values),)) if values else []

    def next_pages(
        self, columns: str, wanted: Sequence[tuple[int, int]], which: str = "TRUE"
    ) -> list[Row]:
        """Of each host so many pending pages in order, without those that others are changing."""
        arrays = _arrays(("host_id", "n"), wanted)
        return self._run(_next_pages(columns, which), arrays) if arrays else []

    def next_of_arms(
        self, columns: str, wanted: Sequence[tuple[int, int, int]], which: str = "TRUE"
    ) -> list[Row]:
        """Of each host's arm so many pending pages in order, without those that others are changing."""
        arrays = _arrays(("host_id", "arm", "n"), wanted)
        return self._run(_next_of_arms(columns, which), arrays) if arrays else []

    def remember(self, links: Sequence[LinkRow]) -> Remembered:
        """Insert what is new; a known page keeps the smaller depth and the higher priority.

        Most links are known and bring nothing new, so that is found out first, without a lock.
        """
        if not links:
            return Remembered([], [])
        telling = [(link[0], link[1], *link[3:7]) for link in links]
        known: dict[int, bool] = dict(self._run(_KNOWN, _arrays(_TELLING, telling)))
        unknown = [link for place, link in enumerate(links, 1) if place not in known]
        inserted = set(self._run(_INSERT, _arrays(LINK_COLUMNS, unknown))) if unknown else set()
        # What somebody else has inserted meanwhile may be improved by ours.
        better = [links[place - 1] for place, improves in known.items() if improves]
        better += [link for link in unknown if link[:2] not in inserted]
        return Remembered(
            _by_host([link for link in unknown if link[:2] in inserted]),
            self._run(_IMPROVE, _arrays(LINK_COLUMNS, sorted(better))) if better else [],
        )

    def watch(self, host_ids: Sequence[int]) -> None:
        """A lock that those who watch share, and that waits for whoever is putting a host away."""
        sql = "SELECT id FROM hosts WHERE id {any} ORDER BY id FOR KEY SHARE"
        self.any_of(sql, "id", sorted(host_ids))

    def unwatched(self, host_ids: Sequence[int]) -> set[int]:
        """The hosts whose locks nobody shares, locked so that nobody will."""
        sql = "SELECT id FROM hosts WHERE id {any} ORDER BY id FOR UPDATE SKIP LOCKED"
        return {row[0] for row in self.any_of(sql, "id", sorted(host_ids))}

    def alone(self, name: str) -> None:
        """Wait until we are."""
        self.rows("SELECT pg_advisory_xact_lock(hashtext(current_schema || ' ' || ?))", name)

    def tokens(self, count: int) -> list[int]:
        """Numbers that were never given out before."""
        sql = "SELECT nextval('tokens') FROM generate_series(1, ?)"
        return [row[0] for row in self.rows(sql, count)]

    def here(self, moment: int) -> datetime:
        """A moment of the server in our own time, as late as it may be."""
        return from_microseconds(self._skew.here(moment))

    def deadline(self, moment: int) -> datetime:
        """A moment of the server in our own time, as early as it may be."""
        return from_microseconds(self._skew.deadline(moment))

    def there(self, moment: datetime) -> int:
        """A moment of ours in the server's time, as late as it may be."""
        return self._skew.there(to_microseconds(moment))

    def _run(self, sql: str, values: Sequence[Value]) -> list[Row]:
        self._cursor.execute(sql, values, prepare=True, binary=True)
        return self._cursor.fetchall() if self._cursor.description is not None else []


def _by_host(links: Iterable[LinkRow]) -> list[NewRow]:
    """New pages by host and state."""
    count: Counter[tuple[int, int]] = Counter()
    best: dict[tuple[int, int], int] = {}
    size: Counter[tuple[int, int]] = Counter()
    for host_id, _, url, _, priority, _, _, state in links:
        size[host_id, state] += len(url)
        count[host_id, state] += 1
        best[host_id, state] = max(priority, best.get((host_id, state), priority))
    return [(*which, many, best[which], size[which]) for which, many in count.items()]


def _arrays(columns: Sequence[str], values: Iterable[Row]) -> list[Packed]:
    """Rows as one array for each column; nothing where there are no rows."""
    return [
        pack(TYPES[name], column)
        for name, column in zip(columns, zip(*values, strict=True), strict=False)
    ]


def _unnest(columns: Sequence[str]) -> str:
    return f"unnest({', '.join(f'%s::{TYPES[name]}[]' for name in columns)})"


@lru_cache
def _marked(sql: str) -> str:
    # Nobody refers to rows that are locked or claimed by their keys, but for those who add
    # pages to a host, and these may go on.
    sql = re.sub(r"instr\(([\w.]+), \?\)", r"position(?::bytea IN \1)", sql)
    sql = sql.replace("{lock}", "FOR NO KEY UPDATE")
    return sql.replace("{claim}", "FOR NO KEY UPDATE SKIP LOCKED").replace("?", "%s")


@lru_cache
def _insert(table: str, columns: tuple[str, ...], then: str) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) SELECT * FROM {_unnest(columns)} {then}"


@lru_cache
def _update(table: str, columns: tuple[str, ...], change: str, where: str, returning: str) -> str:
    named = re.sub(r":(\w+)", r"new.\1", f"UPDATE {table} SET {change} FROM {{new}} WHERE {where}")
    sql = named.replace("{new}", f"{_unnest(columns)} AS new ({', '.join(columns)})")
    return sql + (f" RETURNING {returning}" if returning else "")


@lru_cache
def _next_pages(columns: str, which: str) -> str:
    return f"""SELECT {columns} FROM unnest(%s::bigint[], %s::bigint[]) AS wanted (of_host, most),
        LATERAL (SELECT * FROM pages WHERE host_id = of_host AND state = {PENDING} AND {which}
            ORDER BY {LINE} LIMIT most FOR NO KEY UPDATE SKIP LOCKED) AS pages"""


@lru_cache
def _next_of_arms(columns: str, which: str) -> str:
    return f"""SELECT {columns} FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[])
            AS wanted (of_host, of_arm, most),
        LATERAL (SELECT * FROM pages WHERE host_id = of_host AND arm = of_arm AND state = {PENDING}
            AND {which} ORDER BY {LINE} LIMIT most FOR NO KEY UPDATE SKIP LOCKED) AS pages"""


def _links(columns: Sequence[str] = LINK_COLUMNS) -> str:
    return f"{_unnest(columns)} WITH ORDINALITY AS new ({', '.join(columns)}, place)"


_KNOWN: Final = f"""SELECT new.place, {_IMPROVES} FROM {_links(_TELLING)}
JOIN pages ON pages.host_id = new.host_id AND pages.key = new.key"""
# Numbers in order of arrival, locks in the order of the index.
_INSERT: Final = f"""
WITH new AS MATERIALIZED (SELECT nextval('pages_id_seq') AS id, new.* FROM {_links()})
INSERT INTO pages (id, {", ".join(LINK_COLUMNS)})
SELECT id, {", ".join(LINK_COLUMNS)} FROM new ORDER BY host_id, key
ON CONFLICT (host_id, key) DO NOTHING RETURNING host_id, key"""
_IMPROVE: Final = f"""
UPDATE pages SET
    depth = least(pages.depth, new.depth),
    priority = greatest(pages.priority, new.priority),
    hops = least(pages.hops, new.hops),
    seed = pages.seed OR new.seed
FROM {_links()}
WHERE pages.host_id = new.host_id AND pages.key = new.key AND {_IMPROVES}
RETURNING pages.id, pages.host_id, pages.depth, pages.priority, pages.state, pages.hops,
    pages.ended"""
