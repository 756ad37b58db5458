"""Crawls of a world by the real frontier over SQLite, in virtual time, as fast as it hands out pages and settles them."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zlib import crc32

from bench.focus_cases.worlds import World

from gossamer.config import Budget, Crawl, Politeness
from gossamer.focus.hints import words_in
from gossamer.focus.link_arms import form_of
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Assignment, Ended, Lease, NewUrl, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.priority import MOST, UrlFacts, priority, promise
from gossamer.politeness.ranking import Ranking

START = datetime(2026, 1, 2, tzinfo=UTC)
SECONDS = timedelta(seconds=1.3)  # of a host's time for a page
HOSTS = 4
QUANTUM = 20  # pages of a host, then others
QUADS = 25  # of a wanted page; other kinds of pages have more or fewer


@dataclass(frozen=True)
class StaticRanking(Ranking):
    """A classifier of URLs by their words, trained beforehand on pages of which all is known, and never again."""

    weights: Mapping[str, float] | None = None

    @property
    def is_plain(self) -> bool:
        return False

    @property
    def at_once(self) -> int:
        return 1

    def rank(self, url: Url, depth: int, given: int, key: int) -> int:
        assert self.weights is not None
        if given >= MOST:
            return given
        words = words_in(str(url).partition("//")[2], most=8)
        total = sum(self.weights.get(word, 0.0) for word in words) / max(len(words), 1)
        return round(min(max(500 + 100 * total, 0), 999))


def trained(sample: World) -> Mapping[str, float]:
    """Logarithms of how much more often words are in URLs of wanted pages than in others (naive Bayes)."""
    from collections import Counter
    from math import log

    good: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    for url, page in sample.pages.items():
        (good if page.wanted else bad).update(words_in(str(url).partition("//")[2], most=8))
    goods, bads = sum(good.values()) + 1, sum(bad.values()) + 1
    return {
        word: log((good[word] + 0.5) / goods) - log((bad[word] + 0.5) / bads)
        for word in {*good, *bad}
    }


class WorldCrawl:
    """One crawl of a world."""

    def __init__(self, world: World, how: str, folder: Path, weights: Mapping[str, float]) -> None:
        self.world, self.how = world, how
        self.now = START
        self.gained: list[int] = []  # wanted pages so far, after each request
        store = SqliteStore(folder / f"{how}.db", lambda: self.now)
        ranking = Ranking.of(Crawl(strategy="best" if how == "best" else "breadth"))
        if how == "static":
            ranking = StaticRanking(weights=weights)
        self.store = store
        self.frontier = SqlFrontier(
            store,
            "one",
            Politeness(delay=timedelta(0)),
            budget=Budget(pages=1 << 30),
            ranking=ranking,
            lease_length=timedelta(days=365),
        )
        if how == "focus":
            self.frontier.focus_on(b"wanted", SECONDS.total_seconds())

    def run(self, most: int) -> list[int]:
        """Crawl so many pages, or all; wanted pages by requests."""
        with closing(self.store):
            self.frontier.add([NewUrl(url, priority=MOST, seed=True) for url in self.world.seeds])
            while len(self.gained) < most:
                leases = self.frontier.lease(HOSTS, pages=5)
                if not leases:
                    break
                for lease in leases:
                    self._visit(lease, most)
        return self.gained

    def _visit(self, lease: Lease, most: int) -> None:
        pages, left = list(lease.pages), QUANTUM
        while pages and len(self.gained) < most:
            asked, pages = pages[:left], pages[left:]
            for page in asked:
                self.now += SECONDS
                self.frontier.settle([self._settled(page)], {})
            left -= len(asked)
            if left <= 0:
                break
            pages = list(self.frontier.more(lease, min(left, QUANTUM)))
        self.frontier.release({lease.token: HostClock()}, pages)

    def _settled(self, page: Assignment) -> Settlement:
        said = self.world.pages[page.url]
        links = list(dict.fromkeys(url for url, _ in said.links))
        hints = dict(reversed(said.links))
        before = self.gained[-1] if self.gained else 0
        self.gained.append(before + said.wanted)
        quads = QUADS if said.wanted else crc32(form_of(page.url).encode()) % 40
        return Settlement(
            page=page,
            ended=Ended.CONTENT,
            links=links,
            priority=(
                promise(UrlFacts(depth=page.depth + 1, quads_per_page=quads))
                if self.how == "best"
                else priority(UrlFacts(depth=page.depth + 1))
            ),
            hints=hints,
            wanted=[(crc32(page.url.encode()), 1.0)] if said.wanted else (),
            spent=SECONDS.total_seconds(),
        )
