"""JSON-LD contexts and RDFa vocabularies that were fetched for pages that ask for them.

They are kept compressed, and all of them together within a budget: where a new one does not fit,
those go that were not used for the longest time. Their size is a running sum (a tally), so that
nobody has to look through them.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from gossamer.config import MIB
from gossamer.frontier.schema import CONTEXT_BYTES, CONTEXT_ROW_BYTES
from gossamer.frontier.store import Store, Transaction
from gossamer.model import Refusal, Url
from gossamer.moments import from_microseconds, to_microseconds
from gossamer.urls import canonical

USUAL_BUDGET: Final = 64 * MIB
HOUR: Final = 3_600_000_000  # microseconds: the use of a context is noted no more often
AT_ONCE: Final = 64  # contexts looked at in one transaction
_PLAIN: Final = "contexts are packed"  # a fact: none is left as older versions kept them

_COLUMNS: Final = ("url", "body", "cause", "asked_at", "ask_at", "size", "kept_bytes", "used_at")
_REPLACE: Final = "ON CONFLICT (url) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in _COLUMNS[1:]
)
_SELECT: Final = "SELECT url, body, cause, asked_at, ask_at, size FROM contexts WHERE url = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A JSON-LD context or RDFa vocabulary fetched for pages that ask for it."""

    url: str
    body: bytes | None  # None where it could not be had
    cause: str
    asked_at: datetime
    ask_at: datetime


class ContextStore:
    """Contexts by address, with what came of asking for them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, url: str) -> Context | None:
        """What is known of a context, however old."""
        rows = self._store.read(lambda txn: txn.rows(_SELECT, url))
        return _context(*rows[0]) if rows else None

    def those(self, urls: Sequence[str], most_bytes: int) -> list[Context]:
        """What is known of some contexts, however old; bodies as far as all together fit."""
        return self._store.read(lambda txn: _those(txn, urls, most_bytes))

    def use(self, urls: Sequence[str], most_bytes: int) -> list[Context]:
        """Stored contexts by address, marked as used: those are the last to be dropped."""
        found = self.those(urls, most_bytes)
        if self._store.read(lambda txn: _unnoted(txn, urls)):
            # What a power cut undoes is noted again with the next use.
            self._store.transact(lambda txn: _note_use(txn, urls), durable=False)
        return found

    def keep(self, context: Context, budget: int = USUAL_BUDGET) -> None:
        """Put a context in the place of the one before; the least recently used make room for it."""
        packed = None if context.body is None else zlib.compress(context.body)
        size = None if context.body is None else len(context.body)

        def run(txn: Transaction) -> None:
            kept = _kept_bytes(context.url, packed)
            row = (
                context.url,
                packed,
                context.cause,
                to_microseconds(context.asked_at),
                to_microseconds(context.ask_at),
                size,
                kept,
                txn.now,
            )
            before = txn.rows("SELECT kept_bytes FROM contexts WHERE url = ?", context.url)
            txn.insert("contexts", _COLUMNS, [row], _REPLACE)
            total = _count(txn, kept - sum(each for (each,) in before))
            _make_room(txn, total - budget, context.url)

        self._store.transact(run)

    def pack_all(self, budget: int = USUAL_BUDGET) -> None:
        """Compress what older versions kept as it came, and drop what is beyond the budget."""
        while not self._store.read(_are_packed):
            self._store.transact(_pack_some)
        self._store.transact(lambda txn: _make_room(txn, _count(txn, 0) - budget))

    def forget(self, covers: Callable[[Url], bool]) -> None:
        """Remove the contexts at addresses that are covered."""

        def run(txn: Transaction) -> None:
            known = txn.rows("SELECT url, kept_bytes FROM contexts")
            # As pages wrote them: any spelling of an address.
            forms = [(url, kept, canonical(url)) for url, kept in known]
            gone = {
                url: kept
                for url, kept, form in forms
                if not isinstance(form, Refusal) and covers(form)
            }
            txn.any_of("DELETE FROM contexts WHERE url {any}", "url", sorted(gone))
            _count(txn, -sum(gone.values()))

        self._store.transact(run)


def _those(txn: Transaction, urls: Sequence[str], most_bytes: int) -> list[Context]:
    found, left = [], most_bytes
    for url in urls:
        for row in txn.rows(_SELECT, url):
            context = _context(*row)
            length = len(context.body or b"")
            found.append(context if length <= left else replace(context, body=None))
            left -= length if length <= left else 0
    return found


def _unnoted(txn: Transaction, urls: Sequence[str]) -> bool:
    sql = f"SELECT 1 FROM contexts WHERE url {{any}} AND used_at < {txn.now - HOUR}"
    return bool(txn.any_of(sql, "url", urls))


def _note_use(txn: Transaction, urls: Sequence[str]) -> None:
    sql = (
        f"UPDATE contexts SET used_at = {txn.now} WHERE url {{any}} AND used_at < {txn.now - HOUR}"
    )
    txn.any_of(sql, "url", sorted(urls))


def _make_room(txn: Transaction, too_much: int, but: str = "") -> None:
    """Drop the least recently used until so many bytes are free, and some more, to drop rarely."""
    while too_much > 0:
        oldest = txn.rows(
            f"""SELECT url, kept_bytes FROM contexts WHERE url <> ?
                ORDER BY used_at, url LIMIT {AT_ONCE}""",
            but,
        )
        if not oldest:
            return
        freed = sum(kept for _, kept in oldest)
        txn.any_of("DELETE FROM contexts WHERE url {any}", "url", sorted(url for url, _ in oldest))
        _count(txn, -freed)
        too_much -= freed


def _count(txn: Transaction, added: int) -> int:
    """Add to the bytes that all contexts take; how many that are."""
    ((total,),) = txn.rows(
        f"""INSERT INTO tallies (node, name, n) VALUES ('', '{CONTEXT_BYTES}', ?)
            ON CONFLICT (node, name) DO UPDATE SET n = tallies.n + excluded.n RETURNING n""",
        added,
    )
    return int(total)


def _are_packed(txn: Transaction) -> bool:
    return bool(txn.rows("SELECT 1 FROM facts WHERE name = ?", _PLAIN))


def _pack_some(txn: Transaction) -> None:
    plain = txn.rows(
        f"SELECT url, body FROM contexts WHERE size IS NULL AND body IS NOT NULL LIMIT {AT_ONCE // 8}"
    )
    for url, body in plain:
        packed = zlib.compress(body)
        kept = _kept_bytes(url, packed)
        rows = txn.rows("SELECT kept_bytes FROM contexts WHERE url = ? AND size IS NULL", url)
        txn.rows(
            "UPDATE contexts SET body = ?, size = ?, kept_bytes = ? WHERE url = ? AND size IS NULL",
            *(packed, len(body), kept, url),
        )
        _count(txn, sum(kept - before for (before,) in rows))
    if not plain:
        txn.rows(
            "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
            *(_PLAIN, b"yes"),
        )


def _kept_bytes(url: str, packed: bytes | None) -> int:
    return len(packed or b"") + len(url) + CONTEXT_ROW_BYTES


def _context(
    url: str, body: bytes | None, cause: str, asked_at: int, ask_at: int, size: int | None
) -> Context:
    # Without a size it is as an older version kept it: as it came.
    plain = body if body is None or size is None else zlib.decompress(body, bufsize=size)
    return Context(
        url=url,
        body=plain,
        cause=cause,
        asked_at=from_microseconds(asked_at),
        ask_at=from_microseconds(ask_at),
    )
