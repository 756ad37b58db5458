"""The line before each host: whoever wants to send waits in it until the host's clock allows it.

Fair among clients, no longer than the patience of whoever waits, and within the limits that all hosts
share: room at a network address, and the ceilings of the whole crawl. What may be done is decided and
counted in `politeness/`; this waits. Rights are made of it in `rights.py`.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from gossamer.config import Config, Politeness
from gossamer.politeness.ceiling import AddressLimit, Ceilings
from gossamer.politeness.delay import Delay
from gossamer.politeness.ledger import BusyHost, Expired, Go, Ledger, Slot, Wait
from gossamer.politeness.outcome import Outcome
from gossamer.politeness.prospects import Downloading, TimeLeft, vain_turns
from gossamer.sending.common_limits import CommonLimits


class SharedLimits:
    """Ask for `room`, then `enter` without waiting in between, and `leave` when it is over."""

    def __init__(
        self,
        politeness: Politeness,
        now: Callable[[], datetime],
        common: CommonLimits | None = None,
    ) -> None:
        self._now = now
        self._common = common
        self._addresses = AddressLimit(politeness.per_address)
        self._left = asyncio.Event()
        if common is not None:
            common.most_in_flight = self._addresses.most_in_flight
            common.changed = self._left.set
        self.configure(politeness)

    def configure(self, politeness: Politeness) -> None:
        """Take up other limits; a debt to the old ceilings is let go."""
        self._addresses.per_address = politeness.per_address
        # Empty, mostly: then there is nothing to count. Or it is counted with the other nodes.
        self._ceilings = Ceilings.of(politeness)
        if self._common is not None:
            self._common.configure(politeness)
            if self._common.counts:
                self._ceilings = Ceilings()
        self._left.set()

    def _admits(self, address: str, now: datetime) -> bool:
        if self._common is not None and self._common.counts:
            self._addresses.per_address = self._common.address_share(now)
        return self._addresses.admits(address)

    def has_room(self, address: str | None, now: datetime) -> bool:
        """Whether one more request may start now."""
        if address is not None and not self._admits(address, now):
            return False
        if self._common is not None and not self._common.has_room(now):
            return False
        return self._ceilings.next_moment(now) <= now

    def next_moment(self, now: datetime) -> datetime:
        """When the ceilings let one more request start."""
        moment = self._ceilings.next_moment(now)
        return moment if self._common is None else max(moment, self._common.next_moment(now))

    async def room(self, address: str | None, until: datetime) -> bool:
        """Wait until one more request may start, or until then; whether it may.

        None is an address without a limit.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout((until - self._now()).total_seconds()):
                await self._room(address)
                return True
        return False

    async def _room(self, address: str | None) -> None:
        while True:
            if address is not None and not self._admits(address, self._now()):
                self._left.clear()
                await self._left.wait()
            elif self._common is not None and not self._common.has_room(self._now()):
                await self._common.wait()
            elif (moment := self._ceilings.next_moment(self._now())) > self._now():
                await asyncio.sleep((moment - self._now()).total_seconds())
            else:
                return

    def enter(self, address: str | None) -> None:
        """Count a request that starts."""
        if address is not None:
            entered = self._addresses.enter(address)
            assert entered, "nothing may come between asking for room and entering"
        if self._ceilings.requests is not None:
            self._ceilings = self._ceilings.after_start(self._now())
        if self._common is not None:
            self._common.enter(self._now())

    def leave(self, address: str | None, received: int = 0) -> None:
        """Count a request that is over, and bytes that came."""
        if address is not None:
            self._addresses.leave(address)
            self._left.set()
        if self._ceilings.received is not None:
            self._ceilings = self._ceilings.after_bytes(self._now(), received)
        if self._common is not None:
            self._common.leave(self._now(), received)


class _KnownToLast(NamedTuple):
    """A request that is under way for a while yet."""

    earliest_end: datetime
    likely_end: datetime
    left: TimeLeft


class StartedRequest(NamedTuple):
    """A request that may be sent from now on."""

    go: Go
    delay: Delay  # that was waited out for it
    at: datetime


class HostLines:
    """Who waits for which host. What starts is ended once, by `finish`, `abandon` or `unused`."""

    def __init__(
        self,
        config: Config,
        ledger: Ledger,
        now: Callable[[], datetime],
        common: CommonLimits | None = None,
    ) -> None:
        self.ledger = ledger
        self._config = config
        self.now = now
        self._limits = SharedLimits(config.politeness, now, common)
        # Who waits for what host, by the number of their slot.
        self._waiting: defaultdict[str, dict[int, asyncio.Future[None]]] = defaultdict(dict)
        # Long downloads, by host and token.
        self._lasting: defaultdict[str, dict[int, _KnownToLast]] = defaultdict(dict)

    @property
    def longest_request(self) -> timedelta:
        """From the moment one may send to the end of the answer, whatever happens."""
        # Names are looked up before the fetcher's own clock starts.
        return self._config.fetch.total_timeout + self._config.fetch.connect_timeout

    def configure(self, config: Config) -> None:
        """Take up a changed configuration; it holds for those who wait, too."""
        self._config = config
        self.ledger.configure(config.politeness)
        self._limits.configure(config.politeness)
        for waiting in self._waiting.values():  # they may have to wait for another moment now
            for each in waiting.values():
                _call(each)

    def is_wanted(self, host: str) -> bool:
        """Whether somebody waits in the line of a host."""
        return host in self._waiting

    async def take(
        self,
        host: str,
        address: str | None,
        patience: timedelta,
        *,
        client: str = "",
        lasting: timedelta | None = None,
    ) -> StartedRequest | Wait:
        """Wait in line until the clock allows a request, but no longer than our patience.

        The line is fair among those who go by different names as `client`. What is sent may take
        as long as `lasting`, or as any request of ours.
        """
        now, longest = self.now(), lasting or self.longest_request
        if (went := self.at_once(host, address, now, longest)) is not None:
            return StartedRequest(*went, now)
        slot = self.ledger.reserve(host, now, client=client, expires_at=now + patience)
        if isinstance(slot, Wait):
            return slot
        self._call_in_vain(host, now)  # those who come after us now
        try:
            return await self._start(slot, address, longest, now)
        except BaseException:
            self.ledger.give_back(slot, self.now())
            self._call_next(host)
            raise

    def at_once(
        self, host: str, address: str | None, now: datetime, lasting: timedelta
    ) -> tuple[Go, Delay] | None:
        """Start a request where nobody waits for the host and its clock allows it: most of the time."""
        if not self._limits.has_room(address, now):
            return None
        if (went := self.ledger.go(host, now, now + lasting)) is not None:
            self._limits.enter(address)
        return went

    def note_left(self, go: Go, left: TimeLeft) -> None:
        """Take note of how much longer a request lasts: those who wait in vain are told so."""
        now = self.now()
        known = _KnownToLast(now + left.least, now + left.likely, left)
        self._lasting[go.host][go.token] = known
        self._call_in_vain(go.host, now)

    def finish(
        self,
        go: Go,
        address: str | None,
        at: datetime,
        took: timedelta,
        outcome: Outcome,
        received: int,
    ) -> None:
        """Record that a request is over, how it went, and how many bytes came."""
        self._limits.leave(address, received)
        self.ledger.finish(go, at, took, outcome)
        if self._lasting:
            self._forget_left(go)
        if self._waiting:
            self._call_next(go.host)

    def abandon(self, go: Go, address: str | None, ended_at: datetime) -> None:
        """Record that a request is over by then, of which nothing else is known."""
        self._limits.leave(address)
        self.ledger.give_back(go, self.now(), ended_at)
        self._forget_left(go)
        self._call_next(go.host)

    def unused(self, go: Go, address: str | None) -> None:
        """Take back a request that was certainly not sent."""
        self._limits.leave(address)
        self.ledger.unused(go, self.now())
        self._forget_left(go)
        self._call_next(go.host)

    async def _start(
        self, slot: Slot, address: str | None, lasting: timedelta, now: datetime
    ) -> StartedRequest | Wait:
        # Somebody without patience goes at the moment of asking, or the slot would be over by now.
        while True:
            if not self._limits.has_room(address, now):
                has_room = await self._limits.room(address, slot.expires_at)
                now = self.now()
                if not has_room:
                    return self._left(slot, now)
            delay = self.ledger.delay(slot.host)
            answer = self.ledger.start(slot, now, now + lasting)
            if isinstance(answer, Expired):
                self._call_next(slot.host)
                return self.ledger.wait(slot.host, now) or Wait(now, delay)
            if isinstance(answer, Go):
                self._limits.enter(address)
                self._call_next(slot.host)  # where several may be in flight
                return StartedRequest(answer, delay, now)
            in_vain = self._in_vain(slot, answer, now)
            is_guess = isinstance(answer, BusyHost) and now < slot.expires_at
            if in_vain is not None or (answer.until > slot.expires_at and not is_guess):
                self.ledger.give_back(slot, now)
                self._call_next(slot.host)
                return in_vain or answer
            await self._rest(slot, (min(answer.until, slot.expires_at) - now).total_seconds())
            now = self.now()

    def _in_vain(self, slot: Slot, answer: Wait, now: datetime) -> Wait | None:
        """What is to be said to somebody whose turn cannot come in time."""
        if not isinstance(answer, BusyHost):
            return None
        turn = self._vain_turns(slot.host, now).get(slot.token)
        if turn is None:
            return None
        until = max(turn, answer.until)
        lasting = self._lasting.get(slot.host)
        if not lasting:
            return replace(answer, until=until)
        first = min(lasting.values(), key=lambda known: known.likely_end)
        likely = until - first.earliest_end + first.likely_end
        return Downloading(max(until, likely), answer.delay, first.left)

    def _vain_turns(self, host: str, now: datetime) -> Mapping[int, datetime]:
        ledger, pace = self.ledger.line(host), self.ledger.pace(host)
        known = self._lasting.get(host, {})
        in_flight = [each.token for each in ledger.clock.in_flight]
        ends = (known[each].earliest_end if each in known else now for each in in_flight)
        return vain_turns(ledger, now, pace, min(ends, default=now))

    def _call_in_vain(self, host: str, now: datetime) -> None:
        """Have those look again whose turn cannot come in time."""
        if (waiting := self._waiting.get(host)) is None:
            return
        for token in self._vain_turns(host, now):
            if token in waiting:
                _call(waiting[token])

    def _forget_left(self, go: Go) -> None:
        if (lasting := self._lasting.get(go.host)) is not None:
            lasting.pop(go.token, None)
            if not lasting:
                del self._lasting[go.host]

    def _left(self, slot: Slot, now: datetime) -> Wait:
        """Leave the line of a host, which is not what was waited for."""
        self.ledger.give_back(slot, now)
        self._call_next(slot.host)
        return Wait(self._limits.next_moment(now), self.ledger.delay(slot.host))

    async def _rest(self, slot: Slot, seconds: float) -> None:
        """Wait, and no longer than until we are called: the moment is a guess."""
        loop = asyncio.get_running_loop()
        called = self._waiting[slot.host][slot.token] = loop.create_future()
        timer = loop.call_later(seconds, _call, called)
        try:
            await called
        finally:
            timer.cancel()
            del self._waiting[slot.host][slot.token]
            if not self._waiting[slot.host]:
                del self._waiting[slot.host]

    def _call_next(self, host: str) -> None:
        """Have whoever is next in a host's line look whether it may go."""
        if host not in self._waiting:
            return
        now = self.now()
        next_one = self.ledger.next_turn(host, now)
        if next_one is not None and next_one[0] in self._waiting[host]:
            _call(self._waiting[host][next_one[0]])
        self._call_in_vain(host, now)  # the host may have asked to be left alone


def _call(waiting: "asyncio.Future[None]") -> None:
    if not waiting.done():
        waiting.set_result(None)
