"""All ways in side by side, in virtual time: own client, lent rights, the proxy; same hosts, same rules.

What was certainly not sent costs the host nothing; what may have been sent counts from the last moment at
which it may have ended.
"""

import asyncio
import random
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.virtual_time import in_virtual_time, now
from tests.virtual_world import Scene, Web, beside, scene

from gossamer.config import Config, Politeness
from gossamer.events import Event, Parked, Requested, RequestFailed
from gossamer.model import Cause, Failed, Fetched, Url
from gossamer.politeness.audit import audited, sent_requests
from gossamer.politeness.ledger import Wait
from gossamer.politeness.outcome import Reported
from gossamer.proxy.permits import Denied, OwnRights, Wish
from gossamer.sending.lent import LentRight

Way = Literal["own", "lent", "proxy"]
End = Literal["answer", "429", "no answer", "broken off", "unused", "silence"]
SECOND = timedelta(seconds=1)
LASTING = timedelta(seconds=70)
CONFIG = Config(politeness=Politeness(contact="me@example.org"))

ways = pytest.mark.parametrize("way", ["own", "lent", "proxy"])
both = pytest.mark.parametrize("crawling", [False, True], ids=["alone", "crawling"])


@dataclass
class Scripted(Web):
    """A web whose answers to our own client are told beforehand, one for each page."""

    script: list[tuple[End, float]] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)  # what nobody will wait for

    async def get(self, url: Url, **options: Any) -> Fetched | Failed:  # type: ignore[override]
        if url.endswith("/robots.txt") or not self.script:
            return await super().get(url, **options)
        (end, seconds), started_at = self.script.pop(0), now()
        if end == "unused":  # found out after a while, before anything was sent
            await asyncio.sleep(seconds)
            return Failed(url, Cause.NAME_LOOKUP, "No name.", started_at, now())
        self.seconds = seconds
        if end == "broken off":
            self.begun.set()
            self.seconds = 1000
        if end == "no answer":
            await super().get(url, **options)
            return Failed(url, Cause.OTHER, "There was no answer.", started_at, now())
        if end == "429":
            self.retry_after["a.test"] = "4000"
        return await super().get(url, **options)


@dataclass
class Players:
    """Whoever may want to send, on one client's clocks."""

    each: Scene
    web: Scripted
    proxy: OwnRights

    async def send(
        self,
        way: Way,
        end: End,
        seconds: float,
        patience: float = 100,
        host: str = "a.test",
        path: str = "",
    ) -> datetime | None:
        """Send a request that ends so after a while: when its right began, if there was one."""
        url, wait = Url(f"http://{host}/{path}"), timedelta(seconds=patience)
        if way == "own":
            return await self._own(url, wait, end, seconds)
        if way == "lent":
            return await self._lent(url, wait, end, seconds)
        return await self._proxied(url, wait, end, seconds)

    async def _own(self, url: Url, wait: timedelta, end: End, seconds: float) -> datetime | None:
        if isinstance(await self.each.client.rules(url, wait), Wait):
            return None
        self.web.script.append((end, seconds))
        asking = asyncio.create_task(self.each.client.get(url, "page", wait))
        if end == "broken off":
            await self.web.begun.wait()
            await asyncio.sleep(seconds)
            asking.cancel()
            with suppress(asyncio.CancelledError):
                await asking
            return None
        answer = await asking
        if isinstance(answer, Wait):
            self.web.script.clear()
            return None
        return answer.started_at

    async def _lent(self, url: Url, wait: timedelta, end: End, seconds: float) -> datetime | None:
        lent = await self.each.leases.lend(url, wait, lasting=LASTING)
        if not isinstance(lent, LentRight):
            return None
        await asyncio.sleep(seconds)
        if end != "silence":
            await self.each.leases.report(lent.id, report(end, seconds))
        return lent.send_at

    async def _proxied(
        self, url: Url, wait: timedelta, end: End, seconds: float
    ) -> datetime | None:
        right = await self.proxy.ask(Wish(url, wait, "anna", LASTING))
        if isinstance(right, Denied):
            return None
        await asyncio.sleep(seconds)
        if end == "broken off":
            right.abandon("The client left.")
        elif end != "silence":
            right.finish(report(end, seconds))
        return right.started_at


def report(end: End, seconds: float) -> Reported:
    took = timedelta(seconds=seconds)
    if end == "unused":
        return Reported(sent=False)
    if end == "broken off":
        return Reported(broken_off="The client left.")
    if end == "no answer":
        return Reported(took=took)
    if end == "429":
        return Reported(429, took, "4000")
    return Reported(200, took)


@asynccontextmanager
async def players(folder: Path, *, crawling: bool, web: Scripted) -> AsyncIterator[Players]:
    async with scene(folder / "frontier.db", CONFIG, web, crawling=crawling) as each:

        async def write_down(host: str, until: datetime | None) -> None:
            each.frontier.lend(host, until)

        async with OwnRights(each.client.rights, write_down) as proxy:
            yield Players(each, web, proxy)


def played(
    folder: Path, work: Callable[[Players], Awaitable[None]], *, crawling: bool
) -> list[Event]:
    async def run() -> list[Event]:
        async with players(folder, crawling=crawling, web=Scripted()) as all_ways:
            await work(all_ways)
        return all_ways.each.events

    return in_virtual_time(run())


async def rested(all_ways: Players) -> datetime:
    """When the host's robots.txt is known, and its rest after that over."""
    assert await all_ways.send("lent", "unused", 0) is not None
    return now()


@both
@ways
def test_what_was_certainly_not_sent_costs_the_host_nothing(
    tmp_path: Path, way: Way, crawling: bool
) -> None:
    async def work(all_ways: Players) -> None:
        await rested(all_ways)
        assert await all_ways.send(way, "unused", 5, patience=0) is not None
        assert await all_ways.send("lent", "unused", 0, patience=0) == now()

    events = played(tmp_path, work, crawling=crawling)
    sent = [each for each in events if isinstance(each, Requested | RequestFailed)]
    assert [each.purpose for each in sent] == ["robots"], "what was not sent is not logged as sent"


@both
@ways
def test_what_was_broken_off_counts_from_its_end_and_for_all_its_time(
    tmp_path: Path, way: Way, crawling: bool
) -> None:
    async def work(all_ways: Players) -> None:
        began = await rested(all_ways)
        await all_ways.send(way, "broken off", 5, patience=0)
        assert now() - began >= 5 * SECOND
        ended_at = now()
        next_one = await all_ways.send("lent", "unused", 0)
        assert next_one is not None
        assert next_one - ended_at >= 5 * SECOND

    events = played(tmp_path, work, crawling=crawling)
    (told,) = [each for each in events if isinstance(each, RequestFailed)]
    assert told.cause == "stopped"


@both
@ways
def test_without_word_of_a_cause_it_is_the_same_for_everybody(
    tmp_path: Path, way: Way, crawling: bool
) -> None:
    async def work(all_ways: Players) -> None:
        await rested(all_ways)
        assert await all_ways.send(way, "no answer", 1, patience=0) is not None

    events = played(tmp_path, work, crawling=crawling)
    (told,) = [each for each in events if isinstance(each, RequestFailed)]
    assert (told.cause, told.message) == ("other", "There was no answer.")


@both
@ways
def test_one_url_that_fails_leaves_its_host_to_others_and_three_urls_do_not(
    tmp_path: Path, way: Way, crawling: bool
) -> None:
    async def work(all_ways: Players) -> None:
        await rested(all_ways)
        for _ in range(5):
            assert await all_ways.send(way, "no answer", 1) is not None
        assert await all_ways.send("lent", "unused", 0, patience=2, path="good") is not None
        for path in ("bad", "worse"):
            assert await all_ways.send(way, "no answer", 1, patience=2, path=path) is not None
        ended_at = now()
        assert await all_ways.send("lent", "unused", 0, patience=9, path="good") is None
        next_one = await all_ways.send("lent", "unused", 0, path="good")
        assert next_one is not None
        assert next_one - ended_at >= CONFIG.politeness.backoff_first

    played(tmp_path, work, crawling=crawling)


@both
def test_the_failures_of_all_who_send_are_evidence_about_one_host(
    tmp_path: Path, crawling: bool
) -> None:
    every: tuple[Way, ...] = ("own", "lent", "proxy")

    async def work(all_ways: Players) -> None:
        await rested(all_ways)
        for way in every:
            assert await all_ways.send(way, "no answer", 1, patience=2, path=way) is not None
        assert await all_ways.send("lent", "unused", 0, patience=9) is None
        assert await all_ways.send("proxy", "answer", 1) is not None
        assert await all_ways.send("own", "no answer", 1, patience=2) is not None
        assert await all_ways.send("lent", "unused", 0, patience=2) is not None

    played(tmp_path, work, crawling=crawling)


@both
@ways
def test_a_host_that_asks_for_too_much_patience_is_told_of_once_a_request(
    tmp_path: Path, way: Way, crawling: bool
) -> None:
    async def work(all_ways: Players) -> None:
        await rested(all_ways)
        assert await all_ways.send(way, "429", 1, patience=0) is not None

    (parked,) = [
        each for each in played(tmp_path, work, crawling=crawling) if isinstance(each, Parked)
    ]
    assert "Retry-After" in parked.why


@both
@pytest.mark.parametrize("way", ["lent", "proxy"])
def test_what_is_out_when_the_folder_goes_to_somebody_else_counts_from_its_latest_end(
    tmp_path: Path, way: Way, crawling: bool
) -> None:
    began: list[datetime] = []

    async def run() -> None:
        async with players(tmp_path, crawling=crawling, web=Scripted()) as all_ways:
            await rested(all_ways)
            began_at = await all_ways.send(way, "silence", 0, patience=0)
            assert began_at is not None
            began.append(began_at)
        (told,) = [each for each in all_ways.each.events if isinstance(each, RequestFailed)]
        async with players(tmp_path, crawling=not crawling, web=Scripted()) as others:
            next_one = await others.send("lent", "unused", 0, patience=500)
            assert next_one is not None
            assert next_one - told.ended_at >= SECOND
        if way == "lent":  # which nobody can ask to hurry
            assert told.ended_at == began_at + LASTING

    in_virtual_time(run())


# Whatever happens


@dataclass(frozen=True)
class Step:
    """Something that somebody does at some moment."""

    at: float
    way: Way
    end: End
    patience: float
    seconds: float
    leaves_after: float | None  # gives up waiting, or is cancelled while it sends


steps = st.builds(
    Step,
    at=st.floats(0, 100),
    way=st.sampled_from(["lent", "proxy"]),
    end=st.sampled_from(["answer", "answer", "no answer", "broken off", "unused", "silence"]),
    patience=st.sampled_from([0.0, 1.0, 10.0, 30.0]),
    seconds=st.floats(0, 8),
    leaves_after=st.sampled_from([None, None, 0.0, 0.5, 3.0]),
)


@pytest.mark.parametrize("crawling", [False, True], ids=["alone", "crawling"])
@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(todo=st.lists(steps, max_size=14), seed=st.integers(0, 9))
def test_whoever_sends_no_gap_is_shortened(crawling: bool, todo: list[Step], seed: int) -> None:
    chance = random.Random(seed)

    async def does(all_ways: Players, step: Step) -> None:
        await asyncio.sleep(step.at)
        sending = asyncio.create_task(
            all_ways.send(step.way, step.end, step.seconds, step.patience)
        )
        await asyncio.wait([sending], timeout=step.leaves_after)
        if step.leaves_after is not None:
            sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)

    async def own(all_ways: Players) -> None:
        while True:
            await all_ways.each.client.get(Url("http://a.test/"), "page", 3 * SECOND)
            await asyncio.sleep(chance.uniform(0, 20))

    async def run(folder: Path) -> list[Event]:
        web = Scripted(seconds=chance.uniform(0, 4))
        async with (
            players(folder, crawling=crawling, web=web) as all_ways,
            AsyncExitStack() as life,
        ):
            await life.enter_async_context(beside(own(all_ways)))
            if crawling:
                urls = [Url(f"http://a.test/{number}") for number in range(30)]
                await life.enter_async_context(beside(all_ways.each.crawl(urls)))
            async with asyncio.TaskGroup() as group:
                for step in todo:
                    group.create_task(does(all_ways, step))
            await asyncio.sleep(200)
        return all_ways.each.events

    with tempfile.TemporaryDirectory() as folder:
        events = in_virtual_time(run(Path(folder)))
    log = [{"event": event.name, **event.record()} for event in events]
    for audit in audited(sent_requests(log)):
        assert audit.violations == 0
    sent = sorted(
        (each for each in events if isinstance(each, Requested | RequestFailed)),
        key=lambda each: each.started_at,
    )
    for before, after in pairwise(sent):
        assert after.started_at - before.ended_at >= SECOND, (before, after)
