"""The journal of a graph on a server, in the crawl's database: of whom the graph says something else since when.

    a node     note ──▶ the graph takes it ──▶ confirm ──▶ the frontier settles the pages
                │                                │
                ▼                                ▼
    the rows   open: the graph may have it      in order: the graph has it, `seq` tells since when
                │                                ▲
                └── nobody confirms it for minutes: the node died; whoever looks confirms it

    a follower read what comes after its position ──▶ keep it ──▶ advance

A row is written before the graph changes and numbered after it, so whoever reads a row in order finds the
change in the graph, and a node that dies in between leaves a row that is put in order later. Numbers are
given under a lock until the commit: no lower one appears after a higher one. A row that names nothing new
costs a look.

Rows go when all followers are past them, when they are too old, or too many; then a follower that was away
for longer sees that it missed some, and begins anew.
"""

import secrets
import time
import zlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final, NamedTuple, Protocol

from gossamer.frontier.rows import microseconds
from gossamer.frontier.store import Store, T, Transaction
from gossamer.index.words.journal import Touched, lines_of, touched_of

OPEN_AGE: Final = timedelta(minutes=5)
"""After this a row that nobody confirmed is put in order: longer than a server may take for one update."""
MOST_AGE: Final = timedelta(days=7)
MOST_BYTES: Final = 2 * 1024 * 1024 * 1024
TRIM_SECONDS: Final = 60.0  # between two looks at what may go
BYTES_AT_ONCE: Final = 4 * 1024 * 1024  # of rows that are read together
ROWS_AT_ONCE: Final = 200
_COLUMNS: Final = ("node", "noted_at", "kept_bytes", "changes")


class JournalEnds(NamedTuple):
    """Which journal it is, the last number given, and the last that was removed."""

    mark: str = ""  # of none, where nobody has followed or noted anything yet
    seq: int = 0
    trimmed: int = 0


@dataclass(frozen=True, slots=True)
class JournalRead:
    """What a follower found: changes up to `seq`, unless some of them are gone."""

    ends: JournalEnds
    touched: Touched
    seq: int

    @property
    def is_all(self) -> bool:
        """Whether nothing is left to be read."""
        return self.seq >= self.ends.seq


class Noted(NamedTuple):
    """A row that is not confirmed."""

    row: int
    changes: bytes


class DatabaseCall(Protocol):
    """Runs a call that waits for the database, off the event loop."""

    def __call__(self, call: Callable[[], T], /) -> Awaitable[T]:
        """The result of the call."""


class JournalWriter:
    """The journal as a graph on a server knows it: its calls wait beside the event loop."""

    def __init__(self, journal: "GraphJournal", run: DatabaseCall) -> None:
        self._journal = journal
        self._run = run

    async def note(self, touched: Touched) -> None:
        """Return when these are in the journal, before the graph is changed."""
        await self._run(partial(self._journal.note, touched))

    async def confirm(self) -> None:
        """Say that the graph has all that was noted."""
        await self._run(self._journal.confirm)

    async def restart(self) -> None:
        """Have all followers begin anew."""
        await self._run(self._journal.restart)


class GraphJournal:
    """The journal, for one thread. Whatever fails may be done again."""

    def __init__(
        self,
        store: Store,
        node: str,
        *,
        open_age: timedelta = OPEN_AGE,
        most_age: timedelta = MOST_AGE,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._store = store
        self._node = node
        self._open_age, self._most_age = microseconds(open_age), microseconds(most_age)
        self._most_bytes = most_bytes
        self._noted: list[Noted] = []  # by us; those of an update that failed among them
        self._trim_at = 0.0

    # ---- for whoever writes the graph

    def note(self, touched: Touched) -> None:
        """Return when these are in the journal; then the graph is changed, then `confirm` called."""
        if not (lines := lines_of(touched)):
            return
        changes = zlib.compress(lines, 1)

        def work(txn: Transaction) -> int:
            row = (self._node, txn.now, len(changes), changes)
            ((number,),) = txn.insert("graph_journal", _COLUMNS, [row], "RETURNING id")
            return int(number)

        self._noted.append(Noted(self._store.transact(work), changes))

    def confirm(self) -> None:
        """Say that the graph has all that we noted."""
        if self._noted:
            noted = tuple(self._noted)
            self._store.transact(lambda txn: self._confirm(txn, noted))
            self._noted.clear()
        if time.monotonic() >= self._trim_at:
            self.trim()

    def _confirm(self, txn: Transaction, noted: Sequence[Noted]) -> None:
        last = _next_numbers(txn, len(noted))
        for number, each in enumerate(noted, last - len(noted) + 1):
            numbered = "UPDATE graph_journal SET seq = ? WHERE id = ? RETURNING id"
            if not txn.rows(numbered, number, each.row):  # it was old, and everybody past it
                row = (self._node, txn.now, len(each.changes), each.changes, number)
                txn.insert("graph_journal", (*_COLUMNS, "seq"), [row])

    def restart(self) -> None:
        """Have all followers begin anew: more has changed than is noted."""

        def work(txn: Transaction) -> None:
            number = _next_numbers(txn, 1)
            txn.rows("UPDATE graph_journal_ends SET trimmed = ?", number)
            txn.rows("DELETE FROM graph_journal WHERE seq <= ?", number)

        self._store.transact(work)

    # ---- for whoever follows

    def ends(self) -> JournalEnds:
        """Where the journal begins and ends, once it has what nobody confirmed in time."""
        self._adopt()
        return self._store.read(_known_ends)

    def begin(self, follower: str, instead_of: str | None = None) -> JournalEnds:
        """Keep from now on what this follower has not read; where it begins."""

        def work(txn: Transaction) -> JournalEnds:
            _lock(txn)
            ends = _ends(txn)
            if instead_of:
                txn.rows("DELETE FROM graph_followers WHERE follower = ?", instead_of)
            _put_follower(txn, follower, self._node, ends.seq)
            return ends

        return self._store.transact(work)

    def read(self, after: int) -> JournalRead:
        """What comes after a position, as much as is to be kept in memory."""
        self._adopt()
        return self._store.read(lambda txn: _read(txn, after))

    def advance(self, follower: str, seq: int) -> None:
        """Note that a follower has kept all up to here."""
        self._store.transact(
            lambda txn: _put_follower(txn, follower, self._node, seq), durable=False
        )
        if time.monotonic() >= self._trim_at:
            self.trim()

    def leave(self, follower: str) -> None:
        """Keep nothing for a follower any more."""
        sql = "DELETE FROM graph_followers WHERE follower = ?"
        self._store.transact(lambda txn: txn.rows(sql, follower))

    # ---- for both

    def trim(self) -> None:
        """Remove what all followers are past, and what is too old or too much."""
        self._trim_at = time.monotonic() + TRIM_SECONDS
        self._store.transact(self._trim)

    def _trim(self, txn: Transaction) -> None:
        _lock(txn)
        ends, oldest = _ends(txn), txn.now - self._most_age
        txn.rows("DELETE FROM graph_followers WHERE heard_at < ?", oldest)
        ((least,),) = txn.rows("SELECT min(seq) FROM graph_followers")
        last = ends.seq if least is None else int(least)
        sql = "SELECT max(seq) FROM graph_journal WHERE seq IS NOT NULL AND noted_at < ?"
        ((aged,),) = txn.rows(sql, oldest)
        last = max(last, int(aged or 0), self._beyond_bytes(txn))
        if last > ends.trimmed:
            txn.rows("DELETE FROM graph_journal WHERE seq <= ?", last)
            txn.rows("UPDATE graph_journal_ends SET trimmed = ? WHERE trimmed < ?", last, last)

    def _beyond_bytes(self, txn: Transaction) -> int:
        """The newest row of those for which there is no room."""
        ((total,),) = txn.rows("SELECT sum(kept_bytes) FROM graph_journal WHERE seq IS NOT NULL")
        if int(total or 0) <= self._most_bytes:
            return 0
        sql = """SELECT max(seq) FROM (SELECT seq, sum(kept_bytes) OVER (ORDER BY seq DESC) AS newer
            FROM graph_journal WHERE seq IS NOT NULL) AS ranked WHERE newer > ?"""
        ((last,),) = txn.rows(sql, self._most_bytes)
        return int(last or 0)

    def _adopt(self) -> None:
        """Put in order what nobody confirmed for minutes: whoever noted it is dead or stuck."""
        sql = "SELECT id FROM graph_journal WHERE seq IS NULL AND noted_at < ? ORDER BY id"

        def look(txn: Transaction) -> bool:
            return bool(txn.rows(sql + " LIMIT 1", txn.now - self._open_age))

        def work(txn: Transaction) -> None:
            _lock(txn)
            rows = [row for (row,) in txn.rows(sql, txn.now - self._open_age)]
            last = _next_numbers(txn, len(rows))
            for number, row in enumerate(rows, last - len(rows) + 1):
                txn.rows("UPDATE graph_journal SET seq = ? WHERE id = ?", number, row)

        if self._store.read(look):
            self._store.transact(work)


def _lock(txn: Transaction) -> None:
    """Have nobody else give numbers before we are done."""
    txn.alone("graph journal")


def _known_ends(txn: Transaction) -> JournalEnds:
    rows = txn.rows("SELECT mark, seq, trimmed FROM graph_journal_ends")
    return JournalEnds(rows[0][0], int(rows[0][1]), int(rows[0][2])) if rows else JournalEnds()


def _ends(txn: Transaction) -> JournalEnds:
    """Where the journal ends, which begins with whoever is the first to lock it."""
    if not (ends := _known_ends(txn)).mark:
        ends = JournalEnds(secrets.token_hex(8))
        txn.insert("graph_journal_ends", ends._fields, [ends])
    return ends


def _read(txn: Transaction, after: int) -> JournalRead:
    """Rows after a position, as of one moment."""
    ends = _known_ends(txn)
    touched, seq, size = Touched(), after, 0
    sql = "SELECT seq, changes FROM graph_journal WHERE seq > ? ORDER BY seq LIMIT ?"
    rows = txn.rows(sql, after, ROWS_AT_ONCE)
    for number, changes in rows:
        touched |= touched_of(zlib.decompress(bytes(changes)))
        seq, size = int(number), size + len(changes)
        if size >= BYTES_AT_ONCE:
            break
    else:
        if len(rows) < ROWS_AT_ONCE:
            seq = max(seq, ends.seq)
    return JournalRead(ends, touched, seq)


def _next_numbers(txn: Transaction, count: int) -> int:
    """The last of so many new numbers; nobody else gets one before this is committed."""
    _lock(txn)
    _ends(txn)
    sql = "UPDATE graph_journal_ends SET seq = seq + ? RETURNING seq"
    ((last,),) = txn.rows(sql, count)
    return int(last)


def _put_follower(txn: Transaction, follower: str, node: str, seq: int) -> None:
    txn.insert(
        "graph_followers",
        ("follower", "node", "seq", "heard_at"),
        [(follower, node, seq, txn.now)],
        "ON CONFLICT (follower) DO UPDATE SET seq = excluded.seq, heard_at = excluded.heard_at",
    )
