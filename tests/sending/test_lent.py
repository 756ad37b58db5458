"""Leases in virtual time: whatever crawl, checks and programs outside do, no host is asked too soon."""

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.virtual_time import in_virtual_time, now
from tests.virtual_world import Scene, Visit, Web, beside, scene

from gossamer.config import Config, Politeness
from gossamer.errors import StorageAwayError, StorageFullError
from gossamer.events import Requested, RequestFailed
from gossamer.model import Url
from gossamer.politeness.audit import audited, sent_requests
from gossamer.politeness.outcome import Reported
from gossamer.politeness.permission import Permission
from gossamer.politeness.prospects import TimeLeft
from gossamer.sending.check import check_all
from gossamer.sending.lent import (
    LapsedLeaseError,
    LeasesClosedError,
    LentRight,
    LentRights,
    UnknownLeaseError,
)
from gossamer.sending.rights import NotNow

T = TypeVar("T")
A = "http://a.test/"
DELAYS = {"a.test": 1.0, "b.test": 6.0}
POLITENESS = Politeness(contact="me@example.org", delays={"b.test": timedelta(seconds=6)})
CONFIG = Config(politeness=POLITENESS)
SECOND = timedelta(seconds=1)
VALID = timedelta(seconds=70)  # as long as a request of ours may take


def played(
    folder: Path,
    work: Callable[[Scene], Awaitable[T]],
    *,
    web: Web | None = None,
    config: Config = CONFIG,
    crawling: bool = False,
) -> T:
    async def run() -> T:
        async with scene(folder / "frontier.db", config, web or Web(), crawling=crawling) as each:
            return await work(each)

    return in_virtual_time(run())


both = pytest.mark.parametrize("crawling", [False, True], ids=["alone", "crawling"])


async def granted(each: Scene, url: str = A, seconds: float = 10) -> LentRight:
    answer = await each.leases.lend(url, timedelta(seconds=seconds))
    assert isinstance(answer, LentRight), answer
    return answer


async def refused(each: Scene, url: str = A, seconds: float = 0) -> Permission:
    answer = await each.leases.lend(url, timedelta(seconds=seconds))
    assert isinstance(answer, Permission), answer
    return answer


@both
def test_a_lease_begins_now_and_waits_out_the_rest_after_our_own_question(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        assert (lease.url, lease.host) == (A, "a.test")
        assert lease.send_at == now()
        assert lease.valid_until == now() + VALID
        (robots,) = each.web.visits
        assert lease.send_at - robots.ended_at >= SECOND

    played(tmp_path, work, crawling=crawling)


@both
def test_while_a_lease_is_out_nobody_else_gets_one(tmp_path: Path, crawling: bool) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        verdict = await refused(each, f"{A}other")
        assert verdict.retry_after > 0
        assert "rests between requests" in (verdict.error or "")
        await asyncio.sleep(2)
        await each.leases.report(lease.id, Reported(status=200, took=SECOND))
        ended_at = now()
        second = await granted(each)
        assert second.id != lease.id
        assert second.send_at - ended_at >= SECOND

    played(tmp_path, work, crawling=crawling)


@both
def test_a_report_moves_the_clock(tmp_path: Path, crawling: bool) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        await asyncio.sleep(5)
        await each.leases.report(lease.id, Reported(status=200, took=4 * SECOND))
        assert 3000 < (await refused(each)).retry_after <= 4000
        lease = await granted(each)
        await each.leases.report(lease.id, Reported(status=429, retry_after="120"))
        verdict = await refused(each)
        assert 119_000 < verdict.retry_after <= 120_000
        assert "Retry-After, status 429" in (verdict.error or "")

    played(tmp_path, work, crawling=crawling)


@both
def test_without_a_status_there_was_no_answer_and_the_host_is_left_alone_by_the_third_url(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        for path in ("", "", "", "b", "c"):
            lease = await granted(each, f"{A}{path}")
            await each.leases.report(lease.id, Reported(took=SECOND))
        assert "back-off after 3 failures in a row" in ((await refused(each)).error or "")

    played(tmp_path, work, crawling=crawling)


@both
def test_a_lease_that_was_not_used_is_given_back(tmp_path: Path, crawling: bool) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        await asyncio.sleep(5)
        await each.leases.report(lease.id, Reported(sent=False))
        assert (await granted(each, seconds=0)).send_at == now(), "it costs the host nothing"
        assert [event.purpose for event in each.events if isinstance(event, Requested)] == [
            "robots"
        ]

    played(tmp_path, work, crawling=crawling)


@both
def test_a_request_that_was_broken_off_is_told_and_its_host_rests(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        await asyncio.sleep(4)
        await each.leases.report(lease.id, Reported(broken_off="The client left."))
        assert (await refused(each)).retry_after >= 1000
        assert "back-off" not in ((await refused(each)).error or "")
        (told,) = (event for event in each.events if isinstance(event, RequestFailed))
        assert (told.cause, told.message) == ("stopped", "The client left.")
        assert told.ended_at - told.started_at == 4 * SECOND

    played(tmp_path, work, crawling=crawling)


@both
def test_a_lease_that_nobody_reports_lapses_and_counts_for_all_its_time(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        await asyncio.sleep((lease.valid_until - now()).total_seconds() + 0.001)
        assert 69_000 < (await refused(each)).retry_after <= 70_000
        await asyncio.sleep(71)
        assert (await granted(each)).send_at >= lease.valid_until + VALID
        failed = [event for event in each.events if isinstance(event, RequestFailed)]
        assert [event.message for event in failed] == ["Nobody reported how it went."]

    played(tmp_path, work, crawling=crawling)


@both
def test_an_id_that_is_unknown_or_over_says_so(tmp_path: Path, crawling: bool) -> None:
    async def work(each: Scene) -> None:
        with pytest.raises(UnknownLeaseError, match="no lease with this id"):
            await each.leases.report("nothing", Reported(status=200))
        lease = await granted(each)
        await each.leases.report(lease.id, Reported(status=200))
        with pytest.raises(UnknownLeaseError, match="reported before"):
            await each.leases.report(lease.id, Reported(status=200))
        lapsed = await granted(each)
        await asyncio.sleep(VALID.total_seconds())
        with pytest.raises(LapsedLeaseError, match="was valid until 2026-01-02T00"):
            await each.leases.report(lapsed.id, Reported(status=200))

    played(tmp_path, work, crawling=crawling)


@both
def test_a_late_report_is_heard_where_it_makes_the_wait_longer(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        await asyncio.sleep(VALID.total_seconds() + 10)
        assert (await refused(each)).retry_after <= 60_000
        with pytest.raises(LapsedLeaseError):
            await each.leases.report(lease.id, Reported(status=503, retry_after="600"))
        assert (await refused(each)).retry_after > 590_000

    played(tmp_path, work, crawling=crawling)


@both
def test_what_robots_forbid_is_not_lent_and_waiting_is_no_use(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        verdict = await refused(each, f"{A}private", 10)
        assert verdict.retry_after == -1
        assert "Line 2 of robots.txt" in (verdict.error or "")
        assert (await refused(each, "ftp://a.test/")).retry_after == -1
        await granted(each)

    web = Web(robots={"a.test": b"User-agent: *\nDisallow: /private"})
    played(tmp_path, work, web=web, crawling=crawling)


def test_the_line_is_fair_among_clients(tmp_path: Path) -> None:
    async def work(each: Scene) -> list[str]:
        order: list[str] = []

        async def use(client: str) -> None:
            lease = await each.leases.lend(A, timedelta(seconds=60), client)
            assert isinstance(lease, LentRight)
            order.append(client)
            await each.leases.report(lease.id, Reported(status=200))

        async with asyncio.TaskGroup() as group:
            for client in ["greedy"] * 5 + ["modest"]:
                group.create_task(use(client))
        return order

    assert played(tmp_path, work).index("modest") <= 2


def test_whoever_stops_waiting_holds_nobody_up(tmp_path: Path) -> None:
    async def work(each: Scene) -> None:
        first = await granted(each)
        waiting = asyncio.ensure_future(each.leases.lend(A, timedelta(seconds=60)))
        await asyncio.sleep(0.5)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await each.leases.report(first.id, Reported(status=200, took=timedelta(0)))
        assert (await granted(each, seconds=1)).send_at <= first.send_at + 2 * SECOND

    played(tmp_path, work)


@both
def test_whoever_waits_when_leases_come_to_an_end_is_told(tmp_path: Path, crawling: bool) -> None:
    waiting: list[asyncio.Task[LentRight | Permission]] = []

    async def work(each: Scene) -> None:
        await granted(each)
        waiting.append(asyncio.create_task(each.leases.lend(A, timedelta(seconds=20))))
        await asyncio.sleep(1)
        await each.leases.__aexit__()
        with pytest.raises(LeasesClosedError, match="ask again"):
            await waiting[0]

    played(tmp_path, work, crawling=crawling)


@both
def test_what_is_reported_a_moment_after_the_end_counts(tmp_path: Path, crawling: bool) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        ending = asyncio.create_task(each.leases.__aexit__())
        await asyncio.sleep(1)
        assert not ending.done()
        await each.leases.report(lease.id, Reported(status=200, took=SECOND))
        ended_at = now()
        await ending
        assert now() - ended_at < SECOND
        (verdict,) = await check_all(each.client, [A], SECOND)
        assert 0 <= verdict.retry_after <= 1000

    played(tmp_path, work, crawling=crawling)


def test_a_lease_that_stays_out_is_not_waited_for_without_end(tmp_path: Path) -> None:
    async def work(each: Scene) -> None:
        await granted(each)
        began = now()
        await each.leases.__aexit__()
        assert now() - began <= 3 * SECOND
        began = now()
        await each.leases.__aexit__(asyncio.CancelledError)  # whoever is in a hurry
        assert now() == began

    played(tmp_path, work)


@both
def test_what_cannot_be_written_down_is_not_lent_and_the_host_is_free_again(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        async def slow(_host: str, _until: datetime | None) -> None:
            await asyncio.sleep(100)

        async def full(_host: str, _until: datetime | None) -> None:
            raise StorageFullError("No room.")

        kept = each.leases._write_down
        for lend in (slow, full):
            each.leases._write_down = lend
            with pytest.raises((StorageAwayError, StorageFullError)):
                await each.leases.lend(A, timedelta(minutes=5))
        each.leases._write_down = kept
        await granted(each, seconds=300)

    played(tmp_path, work, crawling=crawling)


@both
def test_a_lease_that_is_being_written_down_when_leases_come_to_an_end_is_free_on_disk_too(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        written: list[datetime | None] = []
        begun = asyncio.Event()

        async def on_disk_before_we_hear(_host: str, until: datetime | None) -> None:
            written.append(until)
            begun.set()
            await asyncio.sleep(1)

        async with LentRights(
            each.client.rights, each.client.hosts, on_disk_before_we_hear
        ) as leases:
            lending = asyncio.create_task(leases.lend(A, timedelta(seconds=20)))
            await begun.wait()
        with pytest.raises(LeasesClosedError):
            await lending
        assert written[0] is not None
        assert written[1:] == [None]

    played(tmp_path, work, crawling=crawling)


@both
def test_a_lease_that_comes_in_the_moment_in_which_its_client_leaves_is_taken_back(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        kept = each.leases._write_down

        async def leave(host: str, until: datetime | None) -> None:
            await kept(host, until)
            if until is not None:
                asyncio.get_running_loop().call_soon(leaving.cancel)  # before it hears of it

        each.leases._write_down = leave
        leaving = asyncio.create_task(each.leases.lend(A, timedelta(seconds=20)))
        with pytest.raises(asyncio.CancelledError):
            await leaving
        each.leases._write_down = kept
        began = now()
        await granted(each, seconds=5)
        assert now() - began <= SECOND

    played(tmp_path, work, crawling=crawling)


@both
def test_a_host_that_is_lent_is_wanted_while_somebody_waits_for_it(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        assert not each.leases.is_wanted("a.test")
        waiting = asyncio.create_task(each.leases.lend(A, timedelta(seconds=60)))
        await asyncio.sleep(1)
        assert each.leases.is_wanted("a.test")
        assert not each.leases.is_wanted("b.test")
        await each.leases.report(lease.id, Reported(status=200, took=SECOND))
        await waiting
        assert not each.leases.is_wanted("a.test")

    played(tmp_path, work, crawling=crawling)


@both
def test_who_waits_in_vain_for_a_host_that_is_lent_is_told_so(
    tmp_path: Path, crawling: bool
) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        waiting = asyncio.create_task(each.leases.lend(A, timedelta(seconds=30)))
        await asyncio.sleep(1)
        began = now()
        left = TimeLeft(timedelta(seconds=40), timedelta(seconds=120), 100_000, 1_100_000)
        each.leases.note_left("another", left)
        each.leases.note_left(lease.id, left)
        told = await waiting
        assert now() == began
        assert isinstance(told, NotNow)
        assert told.error is not None
        assert told.error.startswith("Somebody downloads from the host: 0.1 of 1.1 MB are here")
        assert told.wait is not None
        assert told.wait >= timedelta(seconds=120)
        await each.leases.report(lease.id, Reported(status=200, took=SECOND))

    played(tmp_path, work, crawling=crawling)


def test_leases_are_many_but_not_without_end(tmp_path: Path) -> None:
    async def work(each: Scene) -> None:
        each.leases._most = 2
        for host in "ab":
            await granted(each, f"http://{host}.test/", 20)
        assert "2 leases are out" in ((await refused(each, "http://c.test/")).error or "")

    played(tmp_path, work)


def test_a_crawl_goes_on_when_a_lease_is_over_and_leases_go_on_beside_it(tmp_path: Path) -> None:
    async def work(each: Scene) -> None:
        urls = [Url(f"{A}{number}") for number in range(200)]
        async with beside(each.crawl(urls)):
            for _ in range(20):
                lease = await granted(each, seconds=20)
                await asyncio.sleep(0.2)
                await each.leases.report(lease.id, Reported(status=200, took=SECOND / 5))
        pages = len(each.web.visits) - 1
        assert pages >= 10, "the crawl has its turns"

    played(tmp_path, work, crawling=True)


def test_programs_that_never_pause_do_not_keep_the_crawl_from_its_turns(tmp_path: Path) -> None:
    async def work(each: Scene) -> None:
        async def program(client: str) -> None:
            while now() < until:
                lease = await each.leases.lend(A, timedelta(seconds=20), client)
                if isinstance(lease, LentRight):
                    await asyncio.sleep(0.3)
                    await each.leases.report(lease.id, Reported(status=200, took=SECOND / 3))

        until = now() + timedelta(minutes=3)
        urls = [Url(f"{A}{number}") for number in range(200)]
        async with beside(each.crawl(urls)), asyncio.TaskGroup() as programs:
            for client in ("one", "two", "three"):
                programs.create_task(program(client))
        pages = len(each.web.visits) - 1
        assert pages >= 6, "it is there, if not as often: it does not wait for long"

    played(tmp_path, work, crawling=True)


@both
def test_the_next_owner_knows_what_the_last_had_lent(tmp_path: Path, crawling: bool) -> None:
    """The lock proves the owner dead, not those who have its leases."""

    async def run() -> None:
        async with AsyncExitStack() as life:
            file = tmp_path / "frontier.db"
            dead = await life.enter_async_context(scene(file, CONFIG, Web(), crawling=crawling))
            lease = await granted(dead)
            await asyncio.sleep(2)
            for next_one in (crawling, not crawling):
                alive = await life.enter_async_context(
                    scene(file, CONFIG, Web(), crawling=next_one)
                )
                left = (lease.valid_until + SECOND - now()) / timedelta(milliseconds=1)
                assert (await refused(alive)).retry_after >= left
                with pytest.raises(UnknownLeaseError):
                    await alive.leases.report(lease.id, Reported(status=200))

    in_virtual_time(run())


@both
def test_what_was_reported_is_nobodys_concern_any_more(tmp_path: Path, crawling: bool) -> None:
    async def work(each: Scene) -> None:
        lease = await granted(each)
        await each.leases.report(lease.id, Reported(status=200))

    async def then(each: Scene) -> None:
        await asyncio.sleep(60)  # each run begins at the same moment
        assert (await granted(each, seconds=0)).send_at < now() + SECOND

    played(tmp_path, work, crawling=crawling)
    played(tmp_path, then, crawling=crawling)


# Whatever happens


@dataclass(frozen=True)
class Step:
    """Something that somebody does at some moment."""

    at: float
    host: str
    what: str  # "check", or what becomes of a lease
    patience: float
    before_sending: float
    seconds: float  # that the request takes


steps = st.builds(
    Step,
    at=st.floats(0, 120),
    host=st.sampled_from(sorted(DELAYS)),
    what=st.sampled_from(["check", "report", "report", "429", "fail", "die", "unused"]),
    patience=st.sampled_from([0, 1, 10, 30]),
    before_sending=st.floats(0, 3),
    seconds=st.floats(0, 8),
)


@dataclass
class Outside:
    """A program that does as it is told."""

    each: Scene
    paused: list[tuple[str, datetime, datetime]]  # from when to when a host was to be left alone

    async def does(self, step: Step) -> None:
        await asyncio.sleep(step.at)
        url = f"http://{step.host}/"
        if step.what == "check":
            await check_all(self.each.client, [url])
            return
        lease = await self.each.leases.lend(url, timedelta(seconds=step.patience), step.what)
        if isinstance(lease, Permission):
            return
        if step.what == "unused":
            await self.each.leases.report(lease.id, Reported(sent=False))
            return
        await asyncio.sleep(step.before_sending)
        started_at = now()
        if step.what == "die":  # and its request goes on as long as it may
            self.saw(Visit(lease.host, started_at, lease.valid_until, "outside"))
            return
        await asyncio.sleep(step.seconds)
        self.saw(Visit(lease.host, started_at, now(), "outside"))
        took = timedelta(seconds=step.seconds)
        status = {"report": 200, "429": 429}.get(step.what)
        asks = "20" if status == 429 else None
        await self.each.leases.report(
            lease.id, Reported(status=status, took=took, retry_after=asks)
        )
        if status == 429:
            self.paused.append((lease.host, now(), now() + timedelta(seconds=20)))

    def saw(self, visit: Visit) -> None:
        self.each.web.visits.append(visit)


def check_gaps(visits: list[Visit], paused: list[tuple[str, datetime, datetime]]) -> None:
    for host, seconds in DELAYS.items():
        mine = sorted(
            (visit for visit in visits if visit.host == host), key=lambda each: each.started_at
        )
        for before, after in pairwise(mine):
            gap = after.started_at - before.ended_at
            took = before.ended_at - before.started_at
            assert gap >= timedelta(seconds=seconds), (before, after)
            assert gap >= took, (before, after)
        for paused_host, said_at, until in paused:
            early = [
                visit
                for visit in mine
                if paused_host == host and said_at < visit.started_at < until
            ]
            assert not early


@pytest.mark.parametrize("crawling", [False, True], ids=["alone", "crawling"])
@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(todo=st.lists(steps, max_size=12), seed=st.integers(0, 9))
def test_whatever_happens_no_gap_is_shortened_and_one_request_is_in_flight(
    crawling: bool, todo: list[Step], seed: int
) -> None:
    chance = random.Random(seed)
    web = Web(robots={"b.test": b"User-agent: *\nCrawl-delay: 2"}, seconds=chance.uniform(0, 4))
    paused: list[tuple[str, datetime, datetime]] = []

    async def work(each: Scene) -> None:
        outside = Outside(each, paused)
        async with AsyncExitStack() as life:
            if crawling:
                urls = [Url(f"http://{host}/{n}") for host in DELAYS for n in range(30)]
                await life.enter_async_context(beside(each.crawl(urls)))
            async with asyncio.TaskGroup() as group:
                for step in todo:
                    group.create_task(outside.does(step))
            await asyncio.sleep(60)
        log = [{"event": event.name, **event.record()} for event in each.events]
        for audit in audited(sent_requests(log)):
            assert audit.violations == 0, "the log tells the same"

    with tempfile.TemporaryDirectory() as folder:
        played(Path(folder), work, web=web, crawling=crawling)
    check_gaps(web.visits, paused)


@both
def test_a_lease_may_last_longer_and_be_for_another_purpose(tmp_path: Path, crawling: bool) -> None:
    async def work(each: Scene) -> None:
        hour = timedelta(hours=1)
        answer = await each.leases.lend(A, SECOND * 10, purpose="tunnel", lasting=hour)
        assert isinstance(answer, LentRight)
        assert answer.valid_until - answer.send_at == hour
        await each.leases.report(answer.id, Reported(status=200, received=99))
        told = [event for event in each.events if isinstance(event, Requested)]
        assert (told[-1].purpose, told[-1].bytes) == ("tunnel", 99)

    played(tmp_path, work, crawling=crawling)


@both
def test_why_there_is_no_lease_has_a_name(tmp_path: Path, crawling: bool) -> None:
    async def work(each: Scene) -> None:
        assert (await refused(each, f"{A}private")).rule == "robots"
        assert (await refused(each, "mailto:x")).rule == "url-scheme"
        await granted(each)
        assert (await refused(each)).rule == "busy"

    played(
        tmp_path, work, web=Web({"a.test": b"User-agent: *\nDisallow: /private"}), crawling=crawling
    )
