"""Visible text of pages, packed, by the name that a page has in the graph: kept for the search index.

The search index is made from it, here and on every machine that follows a shared crawl, and `gossamer reindex`
makes it anew. A page has one text; whoever brings another replaces it, and is told so.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from gossamer.frontier.store import Store, Transaction

_REPLACE: Final = "ON CONFLICT (key) DO UPDATE SET url = excluded.url, body = excluded.body"


class TextCounts(NamedTuple):
    """How much text is kept."""

    pages: int
    bytes: int  # packed


class TextStore:
    """The texts of pages in a frontier's database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def keep(self, texts: Mapping[str, bytes]) -> frozenset[str]:
        """Keep texts by the names of their pages; those that are other than before. Empty: the page has none."""
        if not texts:
            return frozenset()
        keyed = {_key(name): (name, body) for name, body in texts.items()}

        def run(txn: Transaction) -> frozenset[str]:
            before = {
                key: bytes(body)
                for key, url, body in _those(txn, sorted(keyed))
                if url == keyed[key][0]
            }
            changed = {
                key: (name, body)
                for key, (name, body) in keyed.items()
                if before.get(key, b"") != body
            }
            rows = [(key, name, body) for key, (name, body) in sorted(changed.items()) if body]
            if rows:
                txn.insert("page_texts", ("key", "url", "body"), rows, _REPLACE)
            _delete(txn, sorted(key for key, (_, body) in changed.items() if not body))
            return frozenset(name for name, _ in changed.values())

        # A page is settled after this: what a power cut undoes here is undone there, too.
        return self._store.transact(run, durable=False)

    def of(self, names: Sequence[str]) -> dict[str, bytes]:
        """The texts of these pages, of those that have one."""
        keys = sorted(map(_key, names))
        wanted = frozenset(names)
        found = self._store.read(lambda txn: _those(txn, keys)) if keys else []
        return {url: bytes(body) for _, url, body in found if url in wanted}

    def names_after(self, after: int, most: int) -> list[tuple[int, str]]:
        """Pages that have a text, in the sequence of their numbers, from the one after `after`."""
        sql = "SELECT id, url FROM page_texts WHERE id > ? ORDER BY id LIMIT ?"
        return [
            (int(number), url)
            for number, url in self._store.read(lambda txn: txn.rows(sql, after, most))
        ]

    def forget(self, names: Iterable[str]) -> None:
        """Remove the texts of these pages."""
        keys = sorted(map(_key, names))
        self._store.transact(lambda txn: _delete(txn, keys))

    def counts(self) -> TextCounts:
        """How much text there is; takes as long as it takes to look at all of it."""
        sql = "SELECT count(*), coalesce(sum(length(body)), 0) FROM page_texts"
        ((pages, size),) = self._store.read(lambda txn: txn.rows(sql))
        return TextCounts(int(pages), int(size))


def _key(name: str) -> int:
    """A short key of a name; of two names that share one, the page that came last has a text."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), signed=True)


def _those(txn: Transaction, keys: Sequence[int]) -> list[tuple[int, str, bytes]]:
    return [
        (key, url, body)
        for key, url, body in txn.any_of(
            "SELECT key, url, body FROM page_texts WHERE key {any}", "key", keys
        )
    ]


def _delete(txn: Transaction, keys: Sequence[int]) -> None:
    if keys:
        txn.any_of("DELETE FROM page_texts WHERE key {any}", "key", keys)
