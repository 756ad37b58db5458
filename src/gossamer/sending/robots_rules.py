"""Rules of origins: robots.txt as it is known, or asked for once however many wait.

robots.txt is asked for through its host's line, like anything else. A slow host does not hold up those
who ask about others: `ask_within` ends their wait while the question goes on, and nobody asks it anew.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Final, Protocol
from weakref import WeakValueDictionary

from gossamer.config import Config
from gossamer.events import RobotsRead
from gossamer.fetch.decode import decode
from gossamer.log import Sink
from gossamer.model import BodyState, Failed, Fetched, Url
from gossamer.politeness.budget import used_up
from gossamer.politeness.delay import bounded, longest
from gossamer.politeness.ledger import Ledger, Wait
from gossamer.politeness.permission import AGAIN, StillAsking
from gossamer.politeness.robots.groups import MAX_ROBOTS_BYTES
from gossamer.politeness.robots.record import KeptRules, RobotsRecord, Rules, needs_fetch
from gossamer.politeness.robots.response import RobotsRequest, RobotsResponse, after_response
from gossamer.sending.hosts import HostSource
from gossamer.sending.right import NEVER_SENT
from gossamer.urls import host_of, origin_of, site_of

WITHIN: Final = timedelta(seconds=10)  # that somebody waits for an answer, after any line

Get = Callable[[Url, timedelta], Awaitable[Fetched | Failed | Wait]]
"""Asks for the first bytes of a robots.txt, through the line of its host."""


class RobotsRecords(Protocol):
    """What is known of robots.txt files, wherever it is kept."""

    def of(self, origin: str) -> RobotsRecord | None:
        """What is known of an origin, however old."""

    def of_host(self, host: str) -> list[RobotsRecord]:
        """What is known of all origins of a host."""

    async def put(self, record: RobotsRecord, most_bytes: int) -> RobotsRecord:
        """Put a record in the place of the one before; the record as it is kept.

        It has no file where those of its site would take more than so many bytes.
        """

    async def count_elsewhere(self, site: str, most: int) -> bool:
        """Count a request that a site causes at another; False if there are so many today."""

    async def expire(self, host: str | None, now: datetime) -> int:
        """Have robots.txt of a host, or of all, asked for before its next use; how many that are."""


class RobotsRules:
    """The rules of all origins; also `gossamer.sending.check.RulesAndClocks`, for many who ask."""

    def __init__(
        self,
        config: Config,
        records: RobotsRecords,
        ledger: Ledger,
        hosts: HostSource,
        get: Get,
        tell: Sink,
        now: Callable[[], datetime],
    ) -> None:
        self.ledger = ledger
        self.now = now
        self._config = config
        self._records = records
        self._hosts = hosts
        self._get = get
        self._tell = tell
        self._kept = KeptRules(config.politeness.agent)
        self._hits = self._misses = 0
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._going_on: dict[str, asyncio.Task[Rules | Wait | Failed]] = {}

    def configure(self, config: Config) -> None:
        """Take up a changed configuration. Our name stays: rules were read for it."""
        self._config = config

    def figures(self) -> Mapping[str, int]:
        """How often rules were at hand or had to be asked for, and how many are read."""
        return {"hits": self._hits, "misses": self._misses, "entries": len(self._kept)}

    async def expire(self, host: str | None = None) -> int:
        """Have robots.txt of a host, or of all, asked for before its next use; how many that are."""
        self._kept.clear()
        return await self._records.expire(host, self.now())

    def known(self, url: Url) -> Rules | None:
        """The rules of the URL's origin, where we have some that are fresh."""
        return self.at_hand(origin_of(url), host_of(url), self.now())

    def at_hand(self, origin: str, host: str, now: datetime) -> Rules | None:
        """The rules of an origin of a host, where we have some that are fresh."""
        record = self._records.of(origin)
        if record is None or now >= record.ask_at:
            return None
        self._hits += 1
        # What is at hand was read, and its delay learned.
        return self._kept.at_hand(record) or self._read(record, host)

    async def ask(self, url: Url, patience: timedelta) -> Rules | Wait | Failed:
        """The rules of the URL's origin, asked for if we have none that are fresh.

        `Wait` where the host's clock would not let us ask within our patience; `Failed`
        where the host cannot be asked at all, now or later.
        """
        if (known := self.known(url)) is not None:
            return known
        origin, host = origin_of(url), host_of(url)
        # What was learned of a host before is at hand once the host is ours.
        used = await self._hosts.acquire(host, patience)
        if isinstance(used, Wait):
            return used
        try:
            async with self._locks.setdefault(origin, asyncio.Lock()):  # many wait; one asks
                record = self._fresh(origin) or await self._fetch(origin, patience)
            return self._read(record, host) if isinstance(record, RobotsRecord) else record
        finally:
            await used.release()

    async def ask_within(
        self, url: Url, patience: timedelta, within: timedelta = WITHIN
    ) -> Rules | Wait | Failed:
        """The rules of the URL's origin, or `StillAsking` after a while; the question goes on then."""
        origin, began = origin_of(url), self.now()
        others = self._going_on.get(origin)
        task = others or self._begin(origin, url, patience)
        await asyncio.wait([task], timeout=within.total_seconds())
        if not task.done() or task.cancelled():  # as it is when we are about to end
            return StillAsking(self.now() + AGAIN, self.ledger.delay(host_of(url)))
        found, took = task.result(), self.now() - began
        if others and isinstance(found, Wait) and found.until <= began + patience:
            # Whoever began the question had less patience than we have.
            return await self.ask_within(url, patience - took, within - took)
        return found

    async def rules(self, url: Url, patience: timedelta) -> Rules | Wait | Failed:
        """The rules of the URL's origin, as those want them who check many URLs."""
        return await self.ask_within(url, patience)

    async def stop(self) -> None:
        """Break off questions that go on; whoever waits for them hears so."""
        going_on = [*self._going_on.values()]
        for task in going_on:
            task.cancel()
        await asyncio.gather(*going_on, return_exceptions=True)

    def _begin(
        self, origin: str, url: Url, patience: timedelta
    ) -> "asyncio.Task[Rules | Wait | Failed]":
        task = asyncio.ensure_future(self.ask(url, patience))
        self._going_on[origin] = task
        task.add_done_callback(lambda _: self._over(origin, task))
        return task

    def _over(self, origin: str, task: "asyncio.Task[Rules | Wait | Failed]") -> None:
        if self._going_on.get(origin) is task:
            del self._going_on[origin]
        if not task.cancelled():
            task.exception()  # which nobody may be waiting for any more

    def _fresh(self, origin: str) -> RobotsRecord | None:
        record = self._records.of(origin)
        return None if record is None or needs_fetch(record, self.now()) else record

    def _read(self, record: RobotsRecord, host: str) -> Rules:
        self._learn_delay(host)
        return self._kept.of(record, self.now())

    def _learn_delay(self, host: str) -> None:
        # http and https of one name share the clock: the slower wish of the two counts. Which
        # wish is ours depends on our name, so it is read anew with every run.
        now = self.now()
        policies = [self._kept.of(each, now).policy for each in self._records.of_host(host)]
        asked = [policy.crawl_delay for policy in policies if policy.crawl_delay]
        delays = [bounded(delay.seconds, str(delay)) for delay in asked]
        self.ledger.learn(host, longest(*delays) if delays else None)

    async def _fetch(self, origin: str, patience: timedelta) -> RobotsRecord | Wait | Failed:
        self._misses += 1
        previous = self._records.of(origin)
        step: RobotsRequest | RobotsRecord = RobotsRequest.first(origin, previous)
        while isinstance(step, RobotsRequest):
            response = await self._response(step, patience)
            if isinstance(response, Wait | Failed):
                return response
            step = after_response(step, response, self.now(), self._config.politeness)
            # Whoever gave up halfway would begin anew the next time, and never arrive.
            patience = max(patience, self._config.politeness.patience)
        step = await self._records.put(step, self._config.budget.robots_bytes)
        self._tell(
            RobotsRead(
                origin=step.origin, meaning=step.meaning, cause=step.cause, expires_at=step.ask_at
            )
        )
        return step

    async def _response(
        self, step: RobotsRequest, patience: timedelta
    ) -> RobotsResponse | Wait | Failed:
        """What comes of one request for robots.txt; the last two where nobody could be asked."""
        site, host = site_of(host_of(step.asked[0])), host_of(step.url)
        most = self._config.budget.requests_elsewhere
        if site_of(host) != site and not await self._records.count_elsewhere(site, most):
            return RobotsResponse(None, error=f"it leads to {host}, and {used_up(site, most)}")
        answer = await self._get(step.url, patience)
        if isinstance(answer, Wait | Failed) and len(step.asked) == 1 and _not_asked(answer):
            return answer
        return _robots_response(answer, step.url)


def _not_asked(answer: Wait | Failed) -> bool:
    """Whether nothing was sent, nor could have been at another attempt just now."""
    if isinstance(answer, Wait):
        return True
    return answer.cause in NEVER_SENT and not answer.cause.transient


def _robots_response(answer: Fetched | Failed | Wait, url: Url) -> RobotsResponse:
    if isinstance(answer, Wait):
        # The origin itself was asked, and must not be asked again before this host can be.
        error = f"{host_of(url)}, where it leads, has to rest"
        return RobotsResponse(None, error=error, rests_until=answer.until)
    if isinstance(answer, Failed):
        return RobotsResponse(None, error=answer.message.rstrip("."))
    if 200 <= answer.status < 300:
        return _robots_file(answer)
    return RobotsResponse(  # whose body says nothing, in whatever state it is
        answer.status,
        location=answer.location,
        retry_after=answer.header("retry-after"),
        cache_control=_cache_control(answer),
    )


def _robots_file(answer: Fetched) -> RobotsResponse:
    if answer.body_state is BodyState.TRUNCATED:
        # Half of the rules are no rules: the line that forbids may be in the other half.
        return RobotsResponse(None, error="the answer broke off")
    decoded = decode(answer.body, answer.content_encoding, MAX_ROBOTS_BYTES + 1)
    if decoded.broken and answer.body_state is not BodyState.CUT:
        return RobotsResponse(None, error=f"it cannot be unpacked: {decoded.problem}")
    return RobotsResponse(answer.status, decoded.body, cache_control=_cache_control(answer))


def _cache_control(answer: Fetched) -> str:
    return ", ".join(answer.header_values("cache-control"))
