"""Scope expressions that were added while a crawl runs; every node reads them here."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, NamedTuple

from gossamer.config import Scope
from gossamer.frontier.store import Store

Kind = Literal["include", "exclude"]


class ScopeExpression(NamedTuple):
    """One expression (RE2 syntax), and what it does to the URLs that match."""

    kind: Kind
    expression: str


def with_expressions(scope: Scope, added: Iterable[ScopeExpression]) -> Scope:
    """A scope and what was added to it; an expression that is there twice counts once."""
    include, exclude = dict.fromkeys(scope.include), dict.fromkeys(scope.exclude)
    for kind, expression in added:
        (include if kind == "include" else exclude)[expression] = None
    return replace(scope, include=tuple(include), exclude=tuple(exclude))


class ScopeExpressions:
    """The expressions in force besides those of the configuration."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> list[ScopeExpression]:
        """All of them, in the order they were added."""
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
