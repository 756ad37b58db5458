"""Turns to send: who wants to ask a host stands in its line until it may, and says how it went.

Whatever sends, or lets others send, takes its turns here: our own client, and leases for programs
outside. What may be done is decided in `politeness/`; this waits.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from gossamer.config import Config
from gossamer.politeness.delay import Delay
from gossamer.politeness.host_ledger import Expired, Go, Slot, Wait
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.outcome import Outcome
from gossamer.shared_limits import SharedLimits


class Turn(NamedTuple):
    """The right to send one request to a host, from now until its deadline."""

    go: Go
    delay: Delay  # that was waited out for it
    address: str | None  # of the host, where it has a limit
    started_at: datetime


class Turns:
    """Hands out the right to send. Each turn is ended once, by `finish` or `give_back`."""

    def __init__(self, config: Config, ledger: Ledger, now: Callable[[], datetime]) -> None:
        self.ledger = ledger
        self._config = config
        self._now = now
        self._limits = SharedLimits(config.politeness, now)
        # Who waits for what host, by the number of their slot.
        self._waiting: defaultdict[str, dict[int, asyncio.Future[None]]] = defaultdict(dict)

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

    async def take(
        self,
        host: str,
        address: str | None,
        patience: timedelta,
        *,
        client: str = "",
        lasting: timedelta | None = None,
    ) -> Turn | Wait:
        """Stand in line until it is our turn, but no longer than our patience.

        The line is fair among those who go by different names as `client`. What is sent may take
        as long as `lasting`, or as any request of ours.
        """
        now, longest = self._now(), lasting or self.longest_request
        if (turn := self.at_once(host, address, now, longest)) is not None:
            return turn
        slot = self.ledger.reserve(host, now, client=client, expires_at=now + patience)
        if isinstance(slot, Wait):
            return slot
        try:
            return await self._start(slot, address, longest, now)
        except BaseException:
            self.ledger.give_back(slot, self._now())
            self._call_next(host)
            raise

    def at_once(
        self, host: str, address: str | None, now: datetime, lasting: timedelta
    ) -> Turn | None:
        """A turn, where nobody waits for the host and its clock allows it: most of the time."""
        if not self._limits.has_room(address, now):
            return None
        if (went := self.ledger.go(host, now, now + lasting)) is None:
            return None
        go, delay = went
        self._limits.enter(address)
        return Turn(go, delay, address, now)

    def finish(
        self, turn: Turn, at: datetime, took: timedelta, outcome: Outcome, received: int = 0
    ) -> None:
        """Record that a request is over, how it went, and how many bytes came."""
        self._limits.leave(turn.address, received)
        self.ledger.finish(turn.go, at, took, outcome)
        if self._waiting:
            self._call_next(turn.go.host)

    def give_back(self, turn: Turn, at: datetime) -> None:
        """End a turn of which nothing is known but that it was over then."""
        self._limits.leave(turn.address)
        self.ledger.give_back(turn.go, at)
        self._call_next(turn.go.host)

    async def _start(
        self, slot: Slot, address: str | None, lasting: timedelta, now: datetime
    ) -> Turn | Wait:
        # Somebody without patience goes at the moment of asking, or the slot would be over by now.
        while True:
            if not self._limits.has_room(address, now):
                has_room = await self._limits.room(address, slot.expires_at)
                now = self._now()
                if not has_room:
                    return self._left(slot, now)
            delay = self.ledger.delay(slot.host)
            answer = self.ledger.start(slot, now, now + lasting)
            if isinstance(answer, Expired):
                self._call_next(slot.host)
                return Wait(now, delay)
            if isinstance(answer, Go):
                self._limits.enter(address)
                self._call_next(slot.host)  # where several may be in flight
                return Turn(answer, delay, address, now)
            await self._rest(slot, (answer.until - now).total_seconds())
            now = self._now()

    def _left(self, slot: Slot, now: datetime) -> Wait:
        """Leave the line of a host, which is not what was waited for."""
        self.ledger.give_back(slot, now)
        self._call_next(slot.host)
        return Wait(self._limits.next_moment(now), self.ledger.delay(slot.host))

    async def _rest(self, slot: Slot, seconds: float) -> None:
        """Wait, and no longer than until we are called: when a turn will come is a guess."""
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
        turn = self.ledger.next_turn(host, self._now())
        if turn is not None and turn[0] in self._waiting[host]:
            _call(self._waiting[host][turn[0]])


def _call(waiting: "asyncio.Future[None]") -> None:
    if not waiting.done():
        waiting.set_result(None)
