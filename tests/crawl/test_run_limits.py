import asyncio
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.cases import NOW
from tests.crawl.crawls import hurried
from tests.crawl.sites import crawled_site

from gossamer.config import Budget, Config, Crawl, Politeness
from gossamer.crawl.admission import Admission, Scoping
from gossamer.crawl.progress import Progress
from gossamer.crawl.run_limits import (
    LEAST_SECONDS,
    LOOK_SHARE,
    FolderSize,
    Remaining,
    RunLimits,
    hold_to,
    hold_to_budget,
    hold_to_ranking,
    limits_of,
)
from gossamer.folder.data import DataFolder
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Limits, NewUrl
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.thread import FrontierThread
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.politeness.ranking import PLAIN, Ranking, read_rules
from gossamer.urls import SeedScope


def stops(folder: Path, *, after: float = 0, received: int = 0, **limits: Any) -> RunLimits:
    config = Config(crawl=Crawl(**{"min_free_disk": 0, **limits}))
    progress = Progress(NOW, received=received)
    moment = NOW + timedelta(seconds=after)
    return RunLimits(config, DataFolder(folder), progress, lambda: moment)


@pytest.mark.parametrize(
    ("kind", "found", "limits"),
    [
        (None, {"after": 59, "received": 1000}, {}),
        (None, {"after": 59}, {"max_time": timedelta(minutes=1)}),
        (EndKind.TIME, {"after": 60}, {"max_time": timedelta(minutes=1)}),
        (None, {"received": 1023}, {"max_bytes": 1024}),
        (EndKind.BYTES, {"received": 1024}, {"max_bytes": 1024}),
        (EndKind.DISK, {}, {"min_free_disk": 1 << 60}),
        (None, {}, {"max_disk": 1 << 60}),
        (EndKind.DISK, {}, {"max_disk": 0}),
    ],
)
def test_the_limits_of_a_run(
    kind: EndKind | None, found: dict[str, Any], limits: dict[str, Any], tmp_path: Path
) -> None:
    over = stops(tmp_path, **found, **limits).limit_reached()
    assert (over and over.kind) == kind


def test_the_sentence_names_the_limit(tmp_path: Path) -> None:
    assert (over := stops(tmp_path, after=60, max_time=timedelta(minutes=1)).limit_reached())
    assert over.why == "The time is up: 1min."
    assert (over := stops(tmp_path, received=2000, max_bytes=1024).limit_reached())
    assert over.why == "The limit of 1KiB received is reached, with 2,000 bytes."
    assert (over := stops(tmp_path, min_free_disk=1 << 60).limit_reached())
    assert over.why == "The disk has less room left than 1073741824GiB."


class Sitemaps:
    """Have nothing more to tell, and note how often they were asked."""

    asked = 0

    async def catch_up(self) -> bool:
        """Read what could not be read so far."""
        self.asked += 1
        return False


def test_sitemaps_are_looked_at_again_when_nothing_else_is_left_to_do(tmp_path: Path) -> None:
    sitemaps: Any = Sitemaps()
    config = Config(crawl=Crawl(min_free_disk=0))

    async def endings() -> list[Ending | None]:
        with (
            closing(SqliteStore(tmp_path / "frontier.db")) as store,
            FrontierThread("frontier") as frontier_thread,
        ):
            frontier = SqlFrontier(store, "test", Politeness())
            admission = Admission(config, SeedScope(config.scope, []))
            ends = Remaining(
                frontier,
                frontier_thread,
                RunLimits(config, DataFolder(tmp_path), Progress(NOW), now_utc),
                Scoping(frontier, frontier_thread, admission, now_utc),
                sitemaps,
            )
            frontier.add([NewUrl(Url("http://a.test/"))])
            frontier.park("a.test", now_utc() + timedelta(seconds=60), "asked us to")
            resting = [await ends.nothing_left() for _ in range(5)]
            assert sitemaps.asked == 0
            frontier.forget(host="a.test")
            return [*resting, await ends.nothing_left()]

    *resting, last = asyncio.run(endings())
    assert resting == [None] * 5
    assert last
    assert (last.kind, sitemaps.asked) == (EndKind.DONE, 1)


def test_what_the_frontier_keeps_of_the_limits() -> None:
    crawl = Crawl(depth=1, max_pages=2, pages_per_host=3, pages_per_site=4)
    assert limits_of(Config(crawl=crawl)) == Limits(depth=1, pages=2, per_host=3, per_site=4)


def pending_within(folder: Path, depth: int | None) -> int:
    """How many of three pages may be fetched, at depths 0, 1 and 2."""
    limits = Limits(depth=depth)
    with closing(SqliteStore(folder / "frontier.db")) as store:
        frontier = SqlFrontier(store, "test", Politeness(), limits=limits)
        hold_to(frontier, limits)
        frontier.add([NewUrl(Url(f"http://a.test/{number}"), number) for number in range(3)])
        return frontier.counts().pending


def test_a_frontier_is_held_to_the_limits_of_each_run(tmp_path: Path) -> None:
    found = [pending_within(tmp_path, depth) for depth in (1, 1, 0, None, 1)]
    assert found == [2, 2, 1, 3, 2]


@pytest.mark.parametrize(
    ("kind", "limits"),
    [
        (EndKind.PER_HOST, {"pages_per_host": 2}),
        (EndKind.PER_SITE, {"pages_per_site": 3}),
        (EndKind.BYTES, {"max_bytes": 1}),
        (EndKind.DONE, {"depth": 1, "links_per_page": 1}),
    ],
)
def test_the_limit_that_ended_a_crawl_is_named(
    kind: EndKind, limits: dict[str, Any], tmp_path: Path
) -> None:
    a, b = "http://a.site.test/", "http://b.site.test/"
    pages = {
        f"{host}{number}": f"<a href='{a}{number + 1}'>.</a><a href='{b}{number + 1}'>.</a>"
        for host in (a, b)
        for number in range(5)
    }
    config = hurried(crawl=Crawl(workers=1, **limits))
    found, site = crawled_site(tmp_path, pages, [f"{a}0", f"{b}0"], config)
    assert found.ended.kind is kind
    assert found.summary.ended == kind
    counts = {EndKind.PER_HOST: 4, EndKind.PER_SITE: 3, EndKind.DONE: 3}
    assert len(site.pages_asked) == counts.get(kind, len(site.pages_asked))
    assert len(site.pages_asked) < len(pages)


def test_a_budget_that_changed_between_runs_moves_sites(tmp_path: Path) -> None:
    seeds = [f"http://a.test/{number}" for number in range(5)]
    crawled_site(tmp_path, dict.fromkeys(seeds, "<p>"), seeds)
    with closing(SqliteStore(tmp_path / "frontier.db")) as store:
        queues = []
        for pages in (100, 4, 2, 100):
            hold_to_budget(SqlFrontier(store, "test", Politeness()), Budget(pages=pages))
            queues += store.read(lambda txn: txn.rows("SELECT queue FROM hosts"))
    assert queues == [(0,), (1,), (2,), (0,)]


def test_pages_are_ranked_anew_only_if_the_strategy_changed_between_runs(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "frontier.db")) as store:
        first = SqlFrontier(store, "test", Politeness())
        first.add([NewUrl(Url("http://a.test/1"), depth=1, priority=77)])
        ranks = []
        depth, news = Ranking("depth"), Ranking("depth", read_rules({"/1": 2000}))
        for ranking in (PLAIN, depth, depth, news, PLAIN):
            frontier = SqlFrontier(store, "test", Politeness())
            hold_to_ranking(frontier, ranking)
            assert frontier.ranking == ranking
            ranks += store.read(lambda txn: txn.rows("SELECT priority FROM pages"))
            ranks += store.read(lambda txn: txn.rows("SELECT best FROM hosts"))
            if ranking is depth:
                store.transact(lambda txn: txn.rows("UPDATE pages SET priority = 5"))
    assert ranks == [(n,) for n in (77, 77, 1, 1, 5, 1, 2001, 2001, 425, 425)]


def test_a_folder_is_measured_with_all_that_is_below_it(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_bytes(b"x" * 1_000)
    (tmp_path / "d").write_bytes(b"x" * 10)
    assert FolderSize(tmp_path).bytes() == 1_010


def test_it_is_measured_again_only_after_a_while(tmp_path: Path) -> None:
    now = 0.0
    size = FolderSize(tmp_path, lambda: now)
    assert size.bytes() == 0
    (tmp_path / "a").write_bytes(b"x")
    now = LEAST_SECONDS / 2
    assert size.bytes() == 0
    now = LEAST_SECONDS
    assert size.bytes() == 1


def test_what_takes_long_is_done_rarely(tmp_path: Path) -> None:
    times = iter([0.0, 1.0, LOOK_SHARE / 2, 1.0 + LOOK_SHARE, 1.0 + LOOK_SHARE])
    size = FolderSize(tmp_path, lambda: next(times))
    assert size.bytes() == 0
    (tmp_path / "a").write_bytes(b"x")
    assert [size.bytes(), size.bytes()] == [0, 1]
