"""Small values that outlive a run: a crawl's seeds and options, and scope expressions added while it runs."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, NamedTuple

from gossamer.config import Scope
from gossamer.frontier.store import Store

Kind = Literal["include", "exclude"]


class FactStore:
    """Values by name."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, name: str) -> bytes | None:
        """What is kept under a name."""
        sql = "SELECT value FROM facts WHERE name = ?"
        rows = self._store.read(lambda txn: txn.rows(sql, name))
        return bytes(rows[0][0]) if rows else None

    def named(self, beginning: str) -> dict[str, bytes]:
        """What is kept under names that begin so."""
        sql = "SELECT name, value FROM facts WHERE substr(name, 1, CAST(? AS integer)) = ? ORDER BY name"
        rows = self._store.read(lambda txn: txn.rows(sql, len(beginning), beginning))
        return {name: bytes(value) for name, value in rows}

    def keep(self, name: str, value: bytes, *, durable: bool = True) -> None:
        """Put a value in the place of the one before; `durable` as for a transaction."""
        sql = """INSERT INTO facts (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value"""
        self._store.transact(lambda txn: txn.rows(sql, name, value), durable=durable)

    def drop(self, name: str) -> None:
        """Keep nothing under a name any more."""
        self._store.transact(lambda txn: txn.rows("DELETE FROM facts WHERE name = ?", name))


class ScopeExpression(NamedTuple):
    """One expression (RE2 syntax), and what it does to the URLs that match."""

    kind: Kind
    expression: str


class ScopeExpressions:
    """The expressions in force besides those of the configuration."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> list[ScopeExpression]:
        """All scope expressions, in the order they were added."""
        sql = "SELECT kind, expression FROM expressions ORDER BY added_at, kind, expression"
        return [ScopeExpression(*row) for row in self._store.read(lambda txn: txn.rows(sql))]

    def add(self, kind: Kind, expression: str) -> bool:
        """Add an expression; False where it was there before."""
        sql = """INSERT INTO expressions (kind, expression, added_at) VALUES (?, ?, ?)
            ON CONFLICT (kind, expression) DO NOTHING RETURNING kind"""
        return bool(self._store.transact(lambda txn: txn.rows(sql, kind, expression, txn.now)))

    def remove(self, kind: Kind, expression: str) -> bool:
        """Remove an expression; False where there was none."""
        sql = "DELETE FROM expressions WHERE kind = ? AND expression = ? RETURNING kind"
        return bool(self._store.transact(lambda txn: txn.rows(sql, kind, expression)))


def with_expressions(scope: Scope, added: Iterable[ScopeExpression]) -> Scope:
    """A scope and what was added to it; an expression that is there twice counts once."""
    include, exclude = dict.fromkeys(scope.include), dict.fromkeys(scope.exclude)
    for kind, expression in added:
        (include if kind == "include" else exclude)[expression] = None
    return replace(scope, include=tuple(include), exclude=tuple(exclude))
