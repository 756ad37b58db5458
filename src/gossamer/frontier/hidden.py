"""Links that are hard to find, in scripts and forms: remembered as the last of all, and counted by what they yield.

A URL that was known already is no find. What is noted of the others is their keys, so that it can be counted
how many of them turn out to be pages, and how many of these have data.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from gossamer.frontier.adding import Candidates, collect
from gossamer.frontier.outlinks import add
from gossamer.frontier.store import Transaction
from gossamer.frontier.work import Work
from gossamer.model import Url
from gossamer.politeness.priority import LEAST
from gossamer.urls import host_of, origin_of, site_of


class HiddenWay(IntEnum):
    """Where a link was found."""

    SCRIPT = 1  # in attributes and scripts
    FORM = 2


class HiddenUrl(NamedTuple):
    """A link that is hard to find."""

    url: Url
    depth: int
    way: HiddenWay


class HiddenYield(NamedTuple):
    """What links of one kind came to."""

    found: int = 0  # that nothing else had led to
    pages: int = 0  # of them, with content
    with_data: int = 0  # of these, with statements


_FOUND, _PAGES, _WITH_DATA = "found", "pages", "with data"
_NAMES: Final = {HiddenWay.SCRIPT: "hidden", HiddenWay.FORM: "forms"}


def add_hidden(work: Work, links: Sequence[HiddenUrl]) -> int:
    """Remember links of pages; how many were new. Each site pays for what its pages have us keep."""
    new = _unknown(work, {link.url: link for link in links})
    for site in {site_of(host_of(url)) for url in new}:
        own = [link for url, link in new.items() if site_of(host_of(url)) == site]
        candidates: Candidates = {}
        collect(work.memory, [(link.url, link.depth, LEAST, 0, False) for link in own], candidates)
        add(work, candidates, site)
    for way in HiddenWay:
        work.tally[f"{_NAMES[way]} {_FOUND}"] += sum(link.way is way for link in new.values())
    keys = work.memory.keys.of_all(new)
    rows = [(key, int(link.way)) for key, link in zip(keys, new.values(), strict=True)]
    work.txn.insert("hidden_links", ("key", "way"), sorted(rows), "ON CONFLICT (key) DO NOTHING")
    return len(new)


def count_hidden(work: Work, settled: Mapping[Url, bool]) -> None:
    """Count the pages among these that such links alone led to; whether each has data."""
    keys = dict(zip(work.memory.keys.of_all(settled), settled.values(), strict=True))
    rows = work.txn.any_of(
        "DELETE FROM hidden_links WHERE key {any} RETURNING key, way", "key", sorted(keys)
    )
    for key, way in rows:
        name = _NAMES[HiddenWay(way)]
        work.tally[f"{name} {_PAGES}"] += 1
        work.tally[f"{name} {_WITH_DATA}"] += keys[key]


def hidden_yields(txn: Transaction) -> dict[HiddenWay, HiddenYield]:
    """What links in scripts and in forms came to so far."""
    counts: dict[str, int] = dict(txn.rows("SELECT name, sum(n) FROM tallies GROUP BY name"))
    return {
        way: HiddenYield(
            *(int(counts.get(f"{name} {each}", 0)) for each in (_FOUND, _PAGES, _WITH_DATA))
        )
        for way, name in _NAMES.items()
    }


def _unknown(work: Work, links: Mapping[Url, HiddenUrl]) -> dict[Url, HiddenUrl]:
    """The links to URLs that the frontier does not know."""
    left = dict(links)
    ids = work.ids_of_origins(map(origin_of, links))
    for host_id in set(ids.values()):
        own = [url for url in links if ids[origin_of(url)] == host_id]
        keys = dict(zip(work.memory.keys.of_all(own), own, strict=True))
        sql = f"SELECT key FROM pages WHERE host_id = {host_id} AND key {{any}}"
        for (key,) in work.txn.any_of(sql, "key", sorted(keys)):
            left.pop(keys[key], None)
    return left
