"""What a crawl was asked to do: kept beside what it found, so that it can be resumed.

Where many nodes share a frontier, they share what makes it one crawl: manners, scope, limits. How
much a machine takes on, and what it reaches and keeps, is each node's own.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from gossamer.frontier.facts import FactStore
from gossamer.frontier.store import Transaction
from gossamer.node import Place
from gossamer.settings import keys

_NAME = "crawl"
SHARED: Final = frozenset(
    {"politeness", "scope", "traps", "transform", "budget", "crawl", "sitemaps"}
)
OF_A_NODE: Final = frozenset(
    {
        "crawl.max_time",
        "crawl.max_bytes",
        "crawl.min_free_disk",
        "crawl.max_disk",
        "crawl.concurrency",
        "crawl.workers",
    }
)


@dataclass(frozen=True, slots=True)
class CrawlOrder:
    """The options that were given on the command line, by key, over all runs."""

    options: Mapping[str, object] = field(default_factory=dict)
    news: Mapping[str, object] = field(default_factory=dict)  # of them, what is not kept yet

    def with_options(self, given: Mapping[str, object]) -> "CrawlOrder":
        """The order once more options were given; secrets are not for keeping."""
        public = {name: value for name, value in given.items() if not keys()[name].secret}
        return CrawlOrder({**self.options, **public}, {**self.news, **public})


def is_shared(name: str) -> bool:
    """Whether a key is the same for all nodes of a crawl."""
    return name.partition(".")[0] in SHARED and name not in OF_A_NODE


def stored_order(place: Place) -> CrawlOrder:
    """What the crawl in this place was asked to do so far."""
    known = FactStore(place.store).of(_NAME)
    told = {} if known is None else json.loads(known)["options"]
    return CrawlOrder({**told, **place.node.options})


def keep_order(place: Place, order: CrawlOrder) -> None:
    """Keep it for the next run, and for other nodes."""
    if place.is_shared:
        own = {name: value for name, value in order.options.items() if not is_shared(name)}
        place.join(own)
        # Another node may have been told something else since the order was read.
        change_order(place, {name: raw for name, raw in order.news.items() if is_shared(name)})
        return
    told = json.dumps({"options": dict(order.options)}, default=_plain)
    FactStore(place.store).keep(_NAME, told.encode())


def change_order(place: Place, changes: Mapping[str, object | None]) -> None:
    """Change what all nodes are asked to do, as one of them; None takes an option back."""

    def run(txn: Transaction) -> None:
        txn.alone("order")
        known = txn.rows("SELECT value FROM facts WHERE name = ?", _NAME)
        told = json.loads(bytes(known[0][0]))["options"] if known else {}
        kept = {name: raw for name, raw in {**told, **changes}.items() if raw is not None}
        txn.rows(
            """INSERT INTO facts (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value""",
            _NAME,
            json.dumps({"options": kept}, default=_plain).encode(),
        )

    place.store.transact(run)


def _plain(value: object) -> object:
    assert isinstance(value, Iterable)
    return list(value)
