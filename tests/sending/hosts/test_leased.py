import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from tests.frontier.worlds import PlainClock
from tests.slowness import patience

from gossamer.config import Config, Fetch, Frontier, Politeness
from gossamer.frontier.frontier import LEASE, SqlFrontier
from gossamer.frontier.protocol import Ended, HostStage, NewUrl, Settled, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.thread import FrontierThread
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.politeness.ledger import Go, Ledger, Wait
from gossamer.politeness.outcome import Answered
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.sending.hosts.leased import SHARED, Holdings, lease_length, longest_request

T = TypeVar("T")
SOON = timedelta(seconds=5)
HURRIED = Politeness(delay=timedelta(0))
PAGES = [Url(f"http://a.test/{number}") for number in range(4)]


def held(
    folder: Path,
    work: Callable[[Holdings], Awaitable[T]],
    now: Callable[[], datetime] = now_utc,
) -> T:
    """Do the work with the holdings of a frontier that knows a few pages of `a.test`."""

    async def run() -> T:
        with (
            closing(SqliteStore(folder / "frontier.db", now)) as store,
            FrontierThread("test") as frontier_thread,
        ):
            frontier = SqlFrontier(store, "one", HURRIED)
            frontier.add([NewUrl(url) for url in PAGES])
            return await work(Holdings(frontier, frontier_thread, now, timedelta(seconds=10)))

    return asyncio.run(run())


@asynccontextmanager
async def holding(holdings: Holdings, host: str, patience: timedelta) -> AsyncIterator[Wait | None]:
    used = await holdings.acquire(host, patience)
    if isinstance(used, Wait):
        yield used
        return
    try:
        yield None
    finally:
        await used.release()


def stage(holdings: Holdings) -> HostStage:
    (host,) = holdings.frontier.hosts()
    return host.stage


def test_a_host_is_ours_from_taking_it_to_its_end(tmp_path: Path) -> None:
    async def work(holdings: Holdings) -> None:
        (lease,) = holdings.frontier.lease(5, pages=3)
        holdings.take(lease)
        assert stage(holdings) is HostStage.LEASED
        async with holding(holdings, "a.test", SOON) as wait:
            assert wait is None
        assert stage(holdings) is HostStage.LEASED
        await holdings.end(lease, lease.pages)
        assert stage(holdings) is HostStage.READY
        assert holdings.frontier.counts().pending == len(PAGES)
        assert not holdings.held
        assert not holdings.ledgers

    held(tmp_path, work)


def test_a_host_that_is_not_held_is_reserved_for_the_request_alone(tmp_path: Path) -> None:
    async def work(holdings: Holdings) -> None:
        async with holding(holdings, "b.test", SOON) as wait:
            assert wait is None
            assert "b.test" in holdings.ledgers
        assert not holdings.held

    held(tmp_path, work)


def test_a_host_in_use_is_given_back_when_the_last_request_is_over(tmp_path: Path) -> None:
    async def work(holdings: Holdings) -> None:
        (lease,) = holdings.frontier.lease(5, pages=1)
        holdings.take(lease)
        async with holding(holdings, "a.test", SOON):
            await holdings.end(lease, ())
            assert stage(holdings) is HostStage.LEASED
        assert stage(holdings) is HostStage.READY

    held(tmp_path, work)


def test_many_who_want_a_host_at_once_share_one_reservation(tmp_path: Path) -> None:
    async def work(holdings: Holdings) -> None:
        async def use() -> bool:
            async with holding(holdings, "b.test", SOON) as wait:
                await asyncio.sleep(0)
                return wait is None

        assert all(await asyncio.gather(*(use() for _ in range(20))))
        assert not holdings.held

    held(tmp_path, work)


def test_a_host_of_another_node_is_waited_for_and_no_longer_than_our_patience(
    tmp_path: Path,
) -> None:
    async def work(holdings: Holdings) -> Wait | None:
        with closing(SqliteStore(tmp_path / "frontier.db")) as store:
            other = SqlFrontier(store, "two", Politeness(delay=timedelta(0)))
            assert len(other.lease(5)) == 1
            async with holding(holdings, "a.test", timedelta(0)) as wait:
                assert not holdings._reserving, "nothing is kept for a host that has us wait"
                return wait

    assert isinstance(held(tmp_path, work), Wait)


def test_robots_records_are_at_hand_while_a_host_is_held_and_kept_for_later(
    tmp_path: Path,
) -> None:
    record = RobotsRecord(
        origin="http://a.test",
        meaning=Meaning.RULES,
        cause="answered 200",
        answered_at=now_utc(),
        ask_at=now_utc() + timedelta(days=1),
        body=b"User-agent: *\nDisallow: /x",
    )

    async def work(holdings: Holdings) -> None:
        (lease,) = holdings.frontier.lease(5)
        holdings.take(lease)
        assert holdings.of("http://a.test") is None
        assert await holdings.put(record, 1_000) == record
        assert holdings.of("http://a.test") == record
        assert holdings.of_host("a.test") == [record]
        await holdings.end(lease, lease.pages)
        assert holdings.of("http://a.test") is None
        (again,) = holdings.frontier.lease(5)
        assert [known.body for known in again.robots] == [record.body]

    held(tmp_path, work)


def test_renewing_pushes_the_deadline_and_tells_who_else_waits(tmp_path: Path) -> None:
    async def work(holdings: Holdings) -> None:
        (lease,) = holdings.frontier.lease(5)
        taken = holdings.take(lease)
        await asyncio.sleep(0.01)
        await holdings.renew()
        assert taken.until > lease.until
        assert not taken.wanted

    held(tmp_path, work)


def test_a_lease_is_renewed_for_a_request_only_where_it_could_outlast_it(tmp_path: Path) -> None:
    async def work(holdings: Holdings) -> None:
        (lease,) = holdings.frontier.lease(5, pages=1)
        host = holdings.take(lease)
        async with holding(holdings, "a.test", SOON):
            assert host.until == lease.until
        host.until = now_utc() + holdings.longest_request / 2
        async with holding(holdings, "a.test", SOON) as wait:
            assert wait is None
            assert host.until >= lease.until

    held(tmp_path, work)


def test_a_lease_outlasts_requests_however_long_they_may_take() -> None:
    for minutes in (1, 10):
        fetch = Fetch(total_timeout=timedelta(minutes=minutes))
        config = Config(fetch=fetch, frontier=Frontier(lease=timedelta(minutes=1)))
        # It is renewed when a quarter of it is over.
        assert lease_length(config) * 3 / 4 > longest_request(fetch)


def test_a_lease_lasts_as_long_as_it_is_configured_to() -> None:
    for minutes in (3, 30):
        lease = timedelta(minutes=minutes)
        assert lease_length(Config(frontier=Frontier(lease=lease))) == lease


def test_who_comes_to_a_host_that_was_shared_for_long_waits_for_those_whose_turn_it_is(
    tmp_path: Path,
) -> None:
    async def work(holdings: Holdings) -> None:
        async def newcomer() -> Wait | None:
            async with holding(holdings, "b.test", timedelta(0)) as wait:
                return wait

        async with holding(holdings, "b.test", SOON):
            assert await asyncio.create_task(newcomer()) is None
            holdings.held["b.test"].since -= SHARED
            assert await asyncio.create_task(newcomer()) is not None
            async with holding(holdings, "b.test", timedelta(0)) as wait:
                assert wait is None, "who asks it already may go on"
        assert not holdings.held
        assert await newcomer() is None

    held(tmp_path, work)


def test_leases_are_renewed_while_a_walk_through_all_pages_lasts(tmp_path: Path) -> None:
    clock = PlainClock()

    async def work(holdings: Holdings) -> Settled:
        frontier, loop = holdings.frontier, asyncio.get_running_loop()
        frontier.between = holdings.frontier_thread.between
        (lease,) = frontier.lease(5, pages=2)
        holdings.take(lease)
        aside, page = lease.pages
        outside = (Url("http://b.test/"),)
        frontier.settle([Settlement(page=aside, ended=Ended.ASIDE)], {})
        frontier.settle([Settlement(page=page, ended=Ended.CONTENT, outside=outside)], {})
        (page,) = frontier.more(lease, 1)

        def slowly(_: Url) -> bool:
            clock.now += LEASE * 2 / 3
            asyncio.run_coroutine_threadsafe(holdings.renew(), loop)
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(
                patience(10)
            )  # it has asked
            return False

        before = clock.now
        await holdings.frontier_thread.do(frontier.readmit, slowly)
        assert clock.now > before + LEASE
        return frontier.settle([Settlement(page=page, ended=Ended.CONTENT)], {})

    assert not held(tmp_path, work, clock).stale


# ---- a lease that lapsed, while the frontier was away or the machine asleep


def test_the_end_of_a_lease_that_lapsed_leaves_the_host_to_the_one_that_followed(
    tmp_path: Path,
) -> None:
    clock = PlainClock()

    async def work(holdings: Holdings) -> None:
        (first,) = holdings.frontier.lease(5, pages=1)
        holdings.take(first)
        clock.now += 2 * LEASE
        (second,) = holdings.frontier.lease(5, pages=1)
        taken = holdings.take(second)
        await holdings.end(first, first.pages)
        assert holdings.held["a.test"] is taken
        assert stage(holdings) is HostStage.LEASED
        await holdings.end(second, second.pages)
        assert not holdings.held
        assert stage(holdings) is HostStage.READY

    held(tmp_path, work, clock)


def test_who_asks_by_a_lease_that_lapsed_is_waited_for_and_reports_to_the_one_that_followed(
    tmp_path: Path,
) -> None:
    clock = PlainClock()

    async def work(holdings: Holdings) -> None:
        ledger = Ledger(HURRIED, holdings.ledgers)

        def send() -> Go:
            went = ledger.go("a.test", clock(), clock() + holdings.longest_request)
            assert went is not None
            return went[0]

        (first,) = holdings.frontier.lease(5, pages=1)
        holdings.take(first)
        async with holding(holdings, "a.test", SOON):
            late = send()
            clock.now += 2 * LEASE
            (second,) = holdings.frontier.lease(5, pages=1)
            holdings.take(second)
            ours = send()
            ledger.finish(late, clock(), SOON, Answered(200))
            (in_flight,) = holdings.ledgers["a.test"].clock.in_flight
            assert in_flight.token == ours.token, "the late answer is not the other request's"
            ledger.finish(ours, clock(), SOON, Answered(200))
            await holdings.end(first, ())
            await holdings.end(second, ())
            assert stage(holdings) is HostStage.LEASED
        assert not holdings.held
        assert stage(holdings) is not HostStage.LEASED

    held(tmp_path, work, clock)
