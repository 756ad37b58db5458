import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.crawl.crawls import hurried
from tests.crawl.sites import Site, on_site
from tests.virtual_time import in_virtual_time

from gossamer.config import Config
from gossamer.crawl.handle import CrawlHandle, count_in_time
from gossamer.crawl.run_limits import Remaining
from gossamer.errors import GraphAwayError
from gossamer.frontier.endings import Ending, EndKind
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.model import Url

A, B, C = "http://a.site.test/", "http://b.site.test/", "http://c.other.test/"
LONG = 3600  # seconds of delay: a crawl that is not over when it is changed
PAGES = {
    A: "".join(f"<a href='{A}{number}'>.</a>" for number in range(8)) + f"<a href='{B}'>.</a>",
    **{f"{A}{number}": "<p>" for number in range(8)},
    B: f"<a href='{C}'>.</a>",
    C: "<p>",
}


def changed(config: Config, section: str, **values: Any) -> Config:
    return replace(config, **{section: replace(getattr(config, section), **values)})


def hurry_on(config: Config) -> Config:
    """The same with a delay of which nobody takes notice: the crawl may come to its end."""
    return changed(config, "politeness", delay=timedelta(0))


def crawled_with_a_change(
    folder: Path,
    config: Config,
    change: Callable[[CrawlHandle, Config], Awaitable[None]],
) -> tuple[Ending, list[str]]:
    """Crawl, and change the configuration as soon as the first request was made."""

    async def work(running: CrawlHandle, site: Site) -> tuple[Ending, list[str]]:
        crawling = asyncio.create_task(running.crawl.run())
        while not site.asked:  # noqa: ASYNC110 (the server knows of no events)
            await asyncio.sleep(0.001)
        await change(running, running.config)
        return await crawling, site.pages_asked

    return on_site(folder, PAGES, work, seeds=[A], config=config)


def test_a_shorter_delay_holds_at_once_for_hosts_that_rest(tmp_path: Path) -> None:
    async def hurry(running: CrawlHandle, config: Config) -> None:
        await running.configure(hurry_on(config))

    config = changed(hurried(delay=LONG), "scope", kind="host")
    ended, asked = crawled_with_a_change(tmp_path, config, hurry)
    assert ended.kind is EndKind.DONE
    assert len(asked) == 9


def test_a_wider_scope_takes_up_what_was_left_out(tmp_path: Path) -> None:
    async def widen(running: CrawlHandle, config: Config) -> None:
        await running.configure(hurry_on(changed(config, "scope", kind="any")))

    config = changed(hurried(delay=LONG), "scope", kind="host")
    _, asked = crawled_with_a_change(tmp_path, config, widen)
    assert sorted(asked) == sorted(PAGES)


def test_an_expression_keeps_out_what_is_not_asked_for_yet(tmp_path: Path) -> None:
    async def exclude(running: CrawlHandle, config: Config) -> None:
        await running.configure(hurry_on(changed(config, "scope", exclude=("site.test/[0-9]",))))

    _, asked = crawled_with_a_change(tmp_path, hurried(delay=LONG), exclude)
    assert set(asked) == {A, B, C}


def test_other_rules_of_priority_hold_at_once(tmp_path: Path) -> None:
    async def rank(running: CrawlHandle, config: Config) -> None:
        first = changed(config, "crawl", priority={"/[57]$": 1000, "/7$": 1})
        await running.configure(first)
        await running.configure(changed(first, "politeness", delay=timedelta(0)))

    config = changed(hurried(delay=3600), "scope", kind="host")
    _, asked = crawled_with_a_change(tmp_path, config, rank)
    assert asked == [A, *(f"{A}{number}" for number in (7, 5, 0, 1, 2, 3, 4, 6))]


def test_limits_can_be_set_and_taken_away(tmp_path: Path) -> None:
    async def limit(running: CrawlHandle, config: Config) -> None:
        await running.configure(hurry_on(changed(config, "crawl", max_pages=3)))

    ended, asked = crawled_with_a_change(tmp_path, hurried(delay=LONG), limit)
    assert (ended.kind, len(asked)) == (EndKind.PAGES, 3)

    async def lift(running: CrawlHandle, _: Site) -> tuple[Ending, Ending]:
        first = await running.crawl.run()
        await running.configure(changed(running.config, "crawl", max_pages=None))
        return first, await running.crawl.run()

    few = changed(hurried(), "crawl", max_pages=4)
    first, second = on_site(tmp_path, PAGES, lift, config=few)
    assert (first.kind, second.kind) == (EndKind.PAGES, EndKind.DONE)


def test_a_run_can_be_ended_by_a_limit_on_its_time(tmp_path: Path) -> None:
    async def end(running: CrawlHandle, config: Config) -> None:
        await running.configure(changed(config, "crawl", max_time=timedelta(0), concurrency=1))

    ended, asked = crawled_with_a_change(tmp_path, hurried(delay=LONG), end)
    assert ended.kind is EndKind.TIME
    assert len(asked) < len(PAGES)


def test_seeds_are_added_with_their_hosts(tmp_path: Path) -> None:
    new: list[int | None] = []

    async def add(running: CrawlHandle, config: Config) -> None:
        new.append(await running.add([Url(B), Url(A)]))
        await running.configure(hurry_on(config))

    config = changed(hurried(delay=LONG), "scope", kind="host")
    ended, asked = crawled_with_a_change(tmp_path, config, add)
    assert (ended.kind, new) == (EndKind.DONE, [1])
    assert set(asked) == PAGES.keys() - {C}


class Interrupted(Remaining):
    """Finds that nothing is left, and somebody comes with more before that is heard of."""

    def __init__(self, remaining: Remaining, come: Callable[[], Awaitable[None]]) -> None:
        super().__init__(**{each.name: getattr(remaining, each.name) for each in fields(remaining)})
        self._come = come

    async def nothing_left(self) -> Ending | None:
        """Whether anything is left to do, as it was before somebody came."""
        if (ended := await super().nothing_left()) is not None:
            await self._come()
        return ended


def test_seeds_that_come_while_the_end_is_being_decided_are_crawled(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, site: Site) -> tuple[int | None, list[str]]:
        new = None

        async def late() -> None:
            nonlocal new
            if new is None:
                new = await running.add([Url(C)])

        running.crawl.remaining = Interrupted(running.crawl.remaining, late)
        await running.crawl.run()
        assert await running.add([Url(B)]) is None
        assert await running.again(running.crawl.now()) is None
        return new, site.pages_asked

    config = changed(hurried(), "scope", kind="page")
    new, asked = on_site(tmp_path, PAGES, work, seeds=[A], config=config)
    assert (new, asked) == (1, [A, C])


def test_known_pages_can_be_asked_for_again_while_it_runs(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, site: Site) -> tuple[int | None, list[str]]:
        again = None

        async def late() -> None:
            nonlocal again
            if again is None:
                again = await running.again(running.crawl.now())

        running.crawl.remaining = Interrupted(running.crawl.remaining, late)
        await running.crawl.run()
        return again, site.pages_asked

    config = changed(hurried(), "scope", kind="page")
    assert on_site(tmp_path, PAGES, work, seeds=[A], config=config) == (1, [A, A])


def test_a_graph_that_never_says_how_much_it_has_does_not_hold_up_the_end() -> None:
    async def never() -> GraphCounts:
        await asyncio.Event().wait()
        raise AssertionError

    async def away() -> GraphCounts:
        raise GraphAwayError("It does not answer.")

    async def slow() -> GraphCounts:
        await asyncio.sleep(50)
        return GraphCounts(quads=7)

    async def work() -> None:
        assert await count_in_time(never) is None
        assert await count_in_time(away) is None
        assert await count_in_time(slow) == GraphCounts(quads=7)

    in_virtual_time(work())
