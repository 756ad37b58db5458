"""Small things that outlive a run: a crawl's seeds and options, how far sitemaps were read."""

from gossamer.frontier.store import Store


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
