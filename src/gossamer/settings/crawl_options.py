"""What a crawl was asked to do: kept beside what it found, so that it can be resumed.

Limits on the time and the bytes of a run are not kept: they are for the run that they were given to.
Where many nodes share a frontier, they share what makes it one crawl: politeness, scope, limits. How
much a machine takes on, and what it reaches and keeps, is each node's own.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from gossamer.frontier.facts import FactStore
from gossamer.frontier.store import Transaction
from gossamer.settings.node import OpenFolder
from gossamer.settings.sources import keys

_NAME = "crawl"
_GRAPH_NAME: Final = "graph of all"
# Where quads go: each node may be told otherwise, but those that are told nothing do as the others.
GRAPH_KEYS: Final = (
    "index.url",
    "index.query_url",
    "index.update_url",
    "index.store_url",
    "frontier.local_graph",
)
SHARED: Final = frozenset(
    {
        "politeness",
        "scope",
        "urls",
        "traps",
        "transform",
        "budget",
        "crawl",
        "focus",
        "freshness",
        "sitemaps",
    }
)
OF_A_RUN: Final = frozenset({"crawl.max_time", "crawl.max_bytes"})
OF_A_NODE: Final = OF_A_RUN | {
    "crawl.min_free_disk",
    "crawl.max_disk",
    "crawl.concurrency",
    "crawl.workers",
}


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """The options that were given on the command line, by key, over all runs."""

    options: Mapping[str, object] = field(default_factory=dict)
    news: Mapping[str, object] = field(default_factory=dict)  # of them, what is not kept yet

    def with_options(self, given: Mapping[str, object]) -> "CrawlOptions":
        """All options once more were given; secrets and limits of one run are not for keeping."""
        public = {name: value for name, value in given.items() if not keys()[name].secret}
        lasting = without_run_limits(public)
        return CrawlOptions({**self.options, **lasting}, {**self.news, **lasting})


def is_shared(name: str) -> bool:
    """Whether a key is the same for all nodes of a crawl."""
    return name.partition(".")[0] in SHARED and name not in OF_A_NODE


def without_run_limits(options: Mapping[str, object]) -> dict[str, object]:
    """Options without the limits of one run, which earlier versions kept."""
    return {name: raw for name, raw in options.items() if name not in OF_A_RUN}


def stored_options(folder: OpenFolder) -> CrawlOptions:
    """The options of the crawl in this folder, over all runs so far."""
    known = FactStore(folder.store).of(_NAME)
    told = {} if known is None else json.loads(known)["options"]
    return CrawlOptions(without_run_limits({**told, **folder.node.options}))


def told_apart(
    folder: OpenFolder, crawl: CrawlOptions
) -> tuple[dict[str, object], dict[str, object]]:
    """The options of a crawl that all of its nodes share, and those that are kept for this one alone."""
    shared = {name for name in crawl.options if folder.is_shared and is_shared(name)}
    return (
        {name: raw for name, raw in crawl.options.items() if name in shared},
        {name: raw for name, raw in crawl.options.items() if name not in shared},
    )


def keep_options(folder: OpenFolder, crawl: CrawlOptions) -> None:
    """Keep options for the next run, and for other nodes."""
    if folder.is_shared:
        own = {name: value for name, value in crawl.options.items() if not is_shared(name)}
        folder.join(own)
        # Another node may have been told something else since the options were read.
        change_options(folder, {name: raw for name, raw in crawl.news.items() if is_shared(name)})
        return
    told = json.dumps({"options": dict(crawl.options)}, default=_plain)
    FactStore(folder.store).keep(_NAME, told.encode())


def stored_graph(folder: OpenFolder) -> Mapping[str, object]:
    """Where the nodes of this crawl keep their quads, as options; empty where nobody has said so."""
    known = FactStore(folder.store).of(_GRAPH_NAME)
    return {} if known is None else json.loads(known)


def keep_graph(folder: OpenFolder, options: Mapping[str, object]) -> None:
    """Tell nodes that join later where quads are kept."""
    FactStore(folder.store).keep(_GRAPH_NAME, json.dumps(dict(options)).encode())


def change_options(folder: OpenFolder, changes: Mapping[str, object | None]) -> None:
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

    folder.store.transact(run)


def _plain(value: object) -> object:
    assert isinstance(value, Iterable)
    return list(value)
