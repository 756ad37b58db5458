"""JSON-LD contexts and RDFa vocabularies that were fetched for pages that ask for them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from gossamer.frontier.store import Store, Transaction
from gossamer.model import Refusal, Url
from gossamer.politeness.clock_row import from_microseconds, to_microseconds
from gossamer.urls import canonical

_COLUMNS: Final = ("url", "body", "cause", "asked_at", "ask_at")
_REPLACE: Final = "ON CONFLICT (url) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in _COLUMNS[1:]
)

_SELECT: Final = f"SELECT {', '.join(_COLUMNS)} FROM contexts WHERE url = ?"


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

    def keep(self, context: Context) -> None:
        """Put a context in the place of the one before."""
        row = (
            context.url,
            context.body,
            context.cause,
            to_microseconds(context.asked_at),
            to_microseconds(context.ask_at),
        )
        self._store.transact(lambda txn: txn.insert("contexts", _COLUMNS, [row], _REPLACE))

    def forget(self, covers: Callable[[Url], bool]) -> None:
        """Remove the contexts at addresses that are covered."""

        def run(txn: Transaction) -> None:
            known = [url for (url,) in txn.rows("SELECT url FROM contexts")]
            # As pages wrote them: any spelling of an address.
            forms = [(url, canonical(url)) for url in known]
            gone = [url for url, form in forms if not isinstance(form, Refusal) and covers(form)]
            txn.any_of("DELETE FROM contexts WHERE url {any}", "url", sorted(gone))

        self._store.transact(run)


def _those(txn: Transaction, urls: Sequence[str], most_bytes: int) -> list[Context]:
    found, size = [], 0
    for url in urls:
        for row in txn.rows(_SELECT, url):
            context = _context(*row)
            length = len(context.body or b"")
            fits = size + length <= most_bytes
            size += length if fits else 0
            found.append(context if fits else replace(context, body=None))
    return found


def _context(url: str, body: bytes | None, cause: str, asked_at: int, ask_at: int) -> Context:
    return Context(
        url=url,
        body=body,
        cause=cause,
        asked_at=from_microseconds(asked_at),
        ask_at=from_microseconds(ask_at),
    )
