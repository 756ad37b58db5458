"""The shell that asks before it sends: robots, then the host's clock, then the network.

Everything that makes requests on its own account goes through here. What may be done is
decided in `politeness/`; this module reads the time, waits, sends and writes down.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime, timedelta
from typing import Final, Protocol
from weakref import WeakValueDictionary

from gossamer.config import Config
from gossamer.events import NoContact, Parked, Refused, Requested, RequestFailed, RobotsRead
from gossamer.fetch.decode import decode
from gossamer.fetch.handle import RequestHeaders
from gossamer.fetch.http import HttpFetcher
from gossamer.fetch.transfer import Wanted
from gossamer.log import Sink
from gossamer.model import BodyState, Cause, Failed, Fetched, Url
from gossamer.moments import now_utc
from gossamer.politeness.delay import Delay, bounded, longest
from gossamer.politeness.elsewhere import used_up
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.outcome import Answered, NoAnswer, Outcome
from gossamer.politeness.retry_after import retry_after
from gossamer.politeness.robots.lines import MAX_ROBOTS_BYTES
from gossamer.politeness.robots.record import RobotsRecord, needs_fetch
from gossamer.politeness.robots.response import RobotsRequest, RobotsResponse, after_response
from gossamer.politeness.robots.rules import KeptRules, Rules
from gossamer.turns import Turns
from gossamer.urls import host_of, origin_of, site_of

# Nothing reached the host, so it needs no rest from it.
NEVER_SENT: Final = frozenset(
    {
        Cause.REFUSED_ADDRESS,
        Cause.RESERVED_NAME,
        Cause.REFUSED_PORT,
        Cause.NO_SUCH_NAME,
        Cause.NAME_LOOKUP,
        Cause.BAD_URL,
    }
)


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


Holding = Callable[[str, timedelta], AbstractAsyncContextManager[Wait | None]]
"""Makes sure that a host is ours to send to while a request is made, or says how long to wait."""


@asynccontextmanager
async def not_needed(_host: str, _patience: timedelta) -> AsyncIterator[Wait | None]:
    """For whoever owns all the hosts there are."""
    yield None


class PoliteClient:
    """Sends requests when, and only when, robots.txt and clocks allow."""

    def __init__(
        self,
        config: Config,
        http: HttpFetcher,
        ledger: Ledger,
        robots: RobotsRecords,
        tell: Sink,
        *,
        holding: Holding = not_needed,
        now: Callable[[], datetime] = now_utc,
    ) -> None:
        self.ledger = ledger
        self.turns = Turns(config, ledger, now)
        self.holding = holding
        self.tell = tell
        self.now = now
        self._config = config
        self._http = http
        self._robots = robots
        self._warned = False
        self._kept = KeptRules(config.politeness.agent)
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def configure(self, config: Config) -> None:
        """Take up a changed configuration. Our name stays: rules were read for it."""
        self._config = config
        self.turns.configure(config)

    async def rules(self, url: Url, patience: timedelta) -> Rules | Wait | Failed:
        """The rules of the URL's origin, asked for if we have none that are fresh.

        `Wait` where the host's clock would not let us ask within our patience; `Failed`
        where the host cannot be asked at all, now or later.
        """
        if (known := self.known_rules(url)) is not None:
            return known
        origin = origin_of(url)
        # What was learned of a host before is at hand once the host is ours.
        async with self.holding(host_of(url), patience) as wait:
            if wait is not None:
                return wait
            async with self._asking.setdefault(origin, asyncio.Lock()):  # many wait; one asks
                asked = self._fresh(origin) or await self._ask_for_rules(origin, patience)
            return self._rules(asked, host_of(url)) if isinstance(asked, RobotsRecord) else asked

    def known_rules(self, url: Url) -> Rules | None:
        """The rules of the URL's origin, where we have some that are fresh."""
        return self.rules_at_hand(origin_of(url), host_of(url), self.now())

    def rules_at_hand(self, origin: str, host: str, now: datetime) -> Rules | None:
        """The rules of an origin of a host, where we have some that are fresh."""
        record = self._robots.of(origin)
        if record is None or now >= record.ask_at:
            return None
        # What is at hand was read, and its delay learned.
        return self._kept.at_hand(record) or self._rules(record, host)

    def _rules(self, record: RobotsRecord, host: str) -> Rules:
        self._learn_delay(host)
        return self._kept.of(record, self.now())

    def _fresh(self, origin: str) -> RobotsRecord | None:
        record = self._robots.of(origin)
        return None if record is None or needs_fetch(record, self.now()) else record

    async def get(
        self,
        url: Url,
        purpose: str,
        patience: timedelta,
        *,
        headers: RequestHeaders = (),
        wanted: Wanted | None = None,
        first_bytes: int | None = None,
    ) -> Fetched | Failed | Wait:
        """Ask for a URL when its host's turn has come; robots.txt is the caller's to heed.

        `headers`, `wanted` and `first_bytes` are those of `HttpFetcher.get`.
        """
        async with self.holding(host_of(url), patience) as wait:
            if wait is not None:
                return wait
            return await self._get(url, purpose, patience, headers, wanted, first_bytes)

    async def _get(
        self,
        url: Url,
        purpose: str,
        patience: timedelta,
        headers: RequestHeaders,
        wanted: Wanted | None,
        first_bytes: int | None,
    ) -> Fetched | Failed | Wait:
        host = host_of(url)
        address = await self.address_of(url)
        turn = await self.turns.take(host, address, patience)
        if isinstance(turn, Wait):
            return turn
        try:
            answer = await self._http.get(
                url, headers=headers, wanted=wanted, first_bytes=first_bytes
            )
        except BaseException:
            ended_at = self.now()
            self.turns.give_back(turn, ended_at)
            why = "We ended it ourselves."
            stopped = Failed(url, Cause.STOPPED, why, turn.started_at, ended_at)
            self.tell(_event(stopped, host, purpose, turn.delay))
            raise
        if isinstance(answer, Failed) and answer.cause in NEVER_SENT:
            self.turns.give_back(turn, answer.started_at)
            self.tell(Refused(url=url, rule=answer.cause, why=answer.message))
            return answer
        self._warn_once()
        received = len(answer.body) if isinstance(answer, Fetched) else 0
        self.turns.finish(turn, answer.finished_at, answer.took, _outcome(answer), received)
        self.tell(_event(answer, host, purpose, turn.delay))
        self.tell_if_parked(host)
        return answer

    async def _ask_for_rules(
        self, origin: str, patience: timedelta
    ) -> RobotsRecord | Wait | Failed:
        previous = self._robots.of(origin)
        step: RobotsRequest | RobotsRecord = RobotsRequest.first(origin, previous)
        while isinstance(step, RobotsRequest):
            response = await self._response(step, patience)
            if isinstance(response, Wait | Failed):
                return response
            step = after_response(step, response, self.now(), self._config.politeness)
            # Whoever gave up halfway would begin anew the next time, and never arrive.
            patience = max(patience, self._config.politeness.patience)
        step = await self._robots.put(step, self._config.budget.robots_bytes)
        self.tell(
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
        if site_of(host) != site and not await self._robots.count_elsewhere(site, most):
            return RobotsResponse(None, error=f"it leads to {host}, and {used_up(site, most)}")
        answer = await self.get(step.url, "robots", patience, first_bytes=MAX_ROBOTS_BYTES + 1)
        if isinstance(answer, Wait | Failed) and len(step.asked) == 1 and _not_asked(answer):
            return answer
        return _robots_response(answer, step.url)

    def _learn_delay(self, host: str) -> None:
        # http and https of one name share the clock: the slower wish of the two counts. Which
        # wish is ours depends on our name, so it is read anew with every run.
        now = self.now()
        policies = [self._kept.of(each, now).policy for each in self._robots.of_host(host)]
        asked = [policy.crawl_delay for policy in policies if policy.crawl_delay]
        delays = [bounded(delay.seconds, str(delay)) for delay in asked]
        self.ledger.learn(host, longest(*delays) if delays else None)

    def _warn_once(self) -> None:
        if not self._warned and self._config.politeness.contact is None:
            self.tell(NoContact())
        self._warned = True

    async def address_of(self, url: Url) -> str | None:
        """Where a URL's host lives; None where no limit applies."""
        return await self._http.address_of(url)

    def tell_if_parked(self, host: str) -> None:
        """Tell where a host asks for more patience than we have."""
        if parked := self.ledger.parked(host, self.now()):
            self.tell(Parked(host=host, until=parked.until, why=parked.why))


def _not_asked(answer: Wait | Failed) -> bool:
    """Whether nothing was sent, nor could have been at another attempt just now."""
    if isinstance(answer, Wait):
        return True
    return answer.cause in NEVER_SENT and not answer.cause.transient


def _outcome(answer: Fetched | Failed) -> Outcome:
    if isinstance(answer, Failed):
        return NoAnswer(answer.cause)
    asked = answer.header("retry-after")
    return Answered(answer.status, retry_after(asked, answer.finished_at) if asked else None)


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
        answer.status, location=answer.location, retry_after=answer.header("retry-after")
    )


def _robots_file(answer: Fetched) -> RobotsResponse:
    if answer.body_state is BodyState.TRUNCATED:
        # Half of the rules are no rules: the line that forbids may be in the other half.
        return RobotsResponse(None, error="the answer broke off")
    decoded = decode(answer.body, answer.content_encoding, MAX_ROBOTS_BYTES + 1)
    if decoded.broken and answer.body_state is not BodyState.CUT:
        return RobotsResponse(None, error=f"it cannot be unpacked: {decoded.problem}")
    return RobotsResponse(answer.status, decoded.body)


def _event(
    answer: Fetched | Failed, host: str, purpose: str, delay: Delay
) -> Requested | RequestFailed:
    if isinstance(answer, Failed):
        return RequestFailed(
            host=host,
            url=answer.url,
            purpose=purpose,
            started_at=answer.started_at,
            ended_at=answer.finished_at,
            cause=answer.cause,
            message=answer.message,
            delay=delay.length,
            delay_source=delay.source,
        )
    return Requested(
        host=host,
        url=answer.url,
        purpose=purpose,
        started_at=answer.started_at,
        ended_at=answer.finished_at,
        status=answer.status,
        bytes=len(answer.body),
        delay=delay.length,
        delay_source=delay.source,
    )
