"""Nodes that send as fast as they may stay within the limits of the crawl together: real tables, virtual time."""

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest
from tests.slowness import patience
from tests.virtual_time import in_virtual_time, now

from gossamer.config import Config, Politeness
from gossamer.errors import StorageAwayError
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.limits import LimitStore
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.store import Store
from gossamer.frontier.thread import FrontierThread
from gossamer.moments import now_utc
from gossamer.sending.common_limits import GRACE, CommonLimits, limits_among_nodes, run_beside
from gossamer.sending.line import SharedLimits

P = ParamSpec("P")
T = TypeVar("T")
LONGEST = timedelta(seconds=10)
ADDRESS = "192.0.2.1"
SECOND = timedelta(seconds=1)
LATE = GRACE + timedelta(milliseconds=60)  # what a stretch's end and catching up allow


@dataclass
class Crawl:
    """What the nodes of a crawl did."""

    store: Store
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    starts: list[datetime] = field(default_factory=list)
    received: int = 0
    in_flight: int = 0
    most: int = 0

    def node(self, name: str, **politeness: object) -> "Node":
        """One more node."""
        return Node(self, name, Politeness(**politeness))  # type: ignore[arg-type] # as the test says


class Node:
    """A node whose senders send whenever they may."""

    def __init__(self, crawl: Crawl, name: str, politeness: Politeness) -> None:
        self.crawl = crawl
        self.is_dead = False
        store = LimitStore(crawl.store, name)
        self.common = CommonLimits(store, self, politeness, now, LONGEST)
        self.limits = SharedLimits(politeness, now, self.common)
        self.count = 0
        self._tasks = [asyncio.create_task(self.common.run())]

    async def at_once(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Take some time for a call, or fail where this node is gone."""
        await asyncio.sleep(self.crawl.chance.uniform(0.001, 0.05))
        if self.is_dead:
            raise StorageAwayError("It is gone.")
        return call(*args, **kwargs)

    def send(self, senders: int, took: float = 0.1, size: int = 0) -> None:
        """Have so many send, one request after the other."""
        self._tasks += [asyncio.create_task(self._sending(took, size)) for _ in range(senders)]

    async def die(self) -> None:
        """End as `kill -9` does: nothing is given back, and connections are closed."""
        self.is_dead = True
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError, StorageAwayError):
                await task

    async def _sending(self, took: float, size: int) -> None:
        crawl = self.crawl
        while True:
            if not await self.limits.room(ADDRESS, now() + 100 * SECOND):
                continue
            self.limits.enter(ADDRESS)
            crawl.starts.append(now())
            crawl.in_flight += 1
            crawl.most = max(crawl.most, crawl.in_flight)
            self.count += 1
            try:
                await asyncio.sleep(crawl.chance.uniform(0.5, 1.5) * took)
            finally:
                crawl.in_flight -= 1
                came = round(size * crawl.chance.uniform(0.2, 2))
                crawl.received += came
                self.limits.leave(ADDRESS, came)


@contextmanager
def crawling(folder: Path) -> Iterator[Crawl]:
    with closing(SqliteStore(folder / "frontier.db", now)) as store:
        yield Crawl(store)


def assert_within(starts: list[datetime], per_second: float) -> None:
    """No stretch of time has more requests than the rate allows, but for the first."""
    for (first, one), (last, other) in combinations(enumerate(starts), 2):
        allowed = per_second * (other - one + LATE).total_seconds() + 1
        assert last - first <= allowed, (one, other)


@pytest.mark.parametrize("rate", [0.5, 4.0, 50.0])
def test_requests_of_all_nodes_are_within_the_limit_while_nodes_die_and_join(
    rate: float, tmp_path: Path
) -> None:
    async def live() -> None:
        with crawling(tmp_path) as crawl:
            nodes = [crawl.node(name, requests_per_second=rate) for name in "abc"]
            for node in nodes:
                node.send(3)
            await asyncio.sleep(20)
            await nodes[0].die()
            await asyncio.sleep(10)
            nodes.append(crawl.node("d", requests_per_second=rate))
            nodes[-1].send(3)
            await asyncio.sleep(30)
            for node in nodes[1:]:
                await node.die()
            assert_within(crawl.starts, rate)
            assert len(crawl.starts) > 0.6 * rate * 60
            assert all(node.count for node in nodes)

    in_virtual_time(live())


def test_a_node_alone_has_the_whole_rate(tmp_path: Path) -> None:
    async def live() -> None:
        with crawling(tmp_path) as crawl:
            node = crawl.node("a", requests_per_second=20.0)
            node.send(8)
            await asyncio.sleep(20)
            await node.die()
            assert_within(crawl.starts, 20)
            assert len(crawl.starts) > 0.8 * 20 * 20

    in_virtual_time(live())


def test_bytes_of_all_nodes_are_within_the_limit_on_average(tmp_path: Path) -> None:
    async def live() -> None:
        with crawling(tmp_path) as crawl:
            limit, size = 100_000, 20_000
            nodes = [crawl.node(name, bytes_per_second=limit) for name in "abc"]
            for node in nodes:
                node.send(4, size=size)
            await asyncio.sleep(30)
            await nodes[0].die()
            await asyncio.sleep(30)
            at_once = 12 * 2 * size  # what was in flight when it was noticed
            assert crawl.received <= limit * 60 + at_once
            assert crawl.received >= 0.5 * limit * 60
            for node in nodes[1:]:
                await node.die()

    in_virtual_time(live())


@pytest.mark.parametrize("most", [1, 2, 5])
def test_an_address_is_asked_by_all_nodes_together_within_its_limit(
    most: int, tmp_path: Path
) -> None:
    async def live() -> None:
        with crawling(tmp_path) as crawl:
            nodes = [crawl.node(name, per_address=most) for name in "abc"]
            for node in nodes:
                node.send(4, took=0.5)
            await asyncio.sleep(20)
            await nodes[0].die()
            nodes.append(crawl.node("d", per_address=most))
            nodes[-1].send(4, took=0.5)
            await asyncio.sleep(60)
            assert crawl.most == most  # all of it is used, and never more
            before = len(crawl.starts)
            await asyncio.sleep(20)
            assert (
                len(crawl.starts) - before > 0.6 * most * 20 / 0.5
            )  # what the dead had, others have
            for node in nodes[1:]:
                await node.die()

    in_virtual_time(live())


def test_each_node_has_the_limit_for_itself_where_the_user_wants_that(tmp_path: Path) -> None:
    async def live() -> None:
        with crawling(tmp_path) as crawl:
            nodes = [
                crawl.node(name, limits_count="node", requests_per_second=4.0, per_address=1)
                for name in "abc"
            ]
            for node in nodes:
                node.send(2, took=0.01)
            await asyncio.sleep(10)
            assert all(39 <= node.count <= 42 for node in nodes)
            for node in nodes:
                node.common.configure(Politeness(requests_per_second=4.0))
                node.limits.configure(Politeness(requests_per_second=4.0))
            before = len(crawl.starts)
            await asyncio.sleep(10)
            assert 20 <= len(crawl.starts) - before <= 45
            for node in nodes:
                await node.die()

    in_virtual_time(live())


def test_nothing_is_sent_where_the_database_does_not_answer(tmp_path: Path) -> None:
    async def live() -> None:
        with crawling(tmp_path) as crawl:
            node = crawl.node("a", per_address=3)
            node.send(3)
            await asyncio.sleep(5)
            assert crawl.starts
            node.is_dead = True  # cut off
            await asyncio.sleep(30)
            before = len(crawl.starts)
            await asyncio.sleep(30)
            assert len(crawl.starts) == before
            node.is_dead = False
            await asyncio.sleep(5)
            assert len(crawl.starts) > before
            await node.die()

    in_virtual_time(live())


def test_two_nodes_share_a_rate_over_a_real_database(database: str) -> None:
    rate, starts, wanted = 40.0, list[datetime](), 50

    async def send(limits: SharedLimits) -> None:
        while len(starts) < wanted:
            if await limits.room(ADDRESS, now_utc() + 100 * SECOND) and len(starts) < wanted:
                limits.enter(ADDRESS)
                starts.append(now_utc())
                await asyncio.sleep(0)
                limits.leave(ADDRESS)

    async def live(address: str) -> None:
        politeness = Politeness(requests_per_second=rate, per_address=3)
        async with AsyncExitStack() as life:
            sending = []
            for name in "ab":
                store = life.enter_context(closing(PostgresStore(address)))
                thread = life.enter_context(FrontierThread(name))
                frontier = SqlFrontier(store, name, politeness)
                common = limits_among_nodes(
                    frontier, thread, Config(politeness=politeness), now_utc
                )
                await life.enter_async_context(run_beside(common))
                limits = SharedLimits(politeness, now_utc, common)
                sending += [send(limits) for _ in range(2)]
            async with asyncio.timeout(patience(60)):
                await asyncio.gather(*sending)
        with closing(PostgresStore(address)) as store:  # and nothing of them is left
            assert store.read(lambda txn: txn.rows("SELECT node FROM limit_parts")) == []

    asyncio.run(live(database))
    assert_within(starts, rate)
