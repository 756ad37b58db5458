"""Turns to send: who wants to ask a host stands in its line until it may, and says how it went.

Whatever sends, or lets others send, takes its turns here: our own client, and leases for programs
outside. What may be done is decided in `politeness/`; this waits.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from gossamer.config import Config
from gossamer.politeness.delay import Delay
from gossamer.politeness.host_ledger import Expired, Go, Slot, Wait
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.outcome import Outcome
from gossamer.shared_limits import SharedLimits


@dataclass(frozen=True, slots=True)
class Turn:
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
        self._configured = asyncio.Event()  # set, and replaced, with each change

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
        self._configured.set()  # who waits may have to wait for another moment now
        self._configured = asyncio.Event()

    async def take(
        self, host: str, address: str | None, patience: timedelta, *, client: str = ""
    ) -> Turn | Wait:
        """Stand in line until it is our turn, but no longer than our patience.

        The line is fair among those who go by different names as `client`.
        """
        now = self._now()
        slot = self.ledger.reserve(host, now, client=client, expires_at=now + patience)
        if isinstance(slot, Wait):
            return slot
        try:
            return await self._start(slot, address)
        except BaseException:
            self.ledger.give_back(slot, self._now())
            raise

    def finish(
        self, turn: Turn, at: datetime, took: timedelta, outcome: Outcome, received: int = 0
    ) -> None:
        """Record that a request is over, how it went, and how many bytes came."""
        self._limits.leave(turn.address)
        self._limits.received(received)
        self.ledger.finish(turn.go, at, took, outcome)

    def give_back(self, turn: Turn, at: datetime) -> None:
        """End a turn of which nothing is known but that it was over then."""
        self._limits.leave(turn.address)
        self.ledger.give_back(turn.go, at)

    async def _start(self, slot: Slot, address: str | None) -> Turn | Wait:
        while True:
            await self._limits.room(address)
            now, delay = self._now(), self.ledger.delay(slot.host)
            answer = self.ledger.start(slot, now, now + self.longest_request)
            if isinstance(answer, Expired):
                return Wait(now, delay)
            if isinstance(answer, Go):
                self._limits.enter(address)
                return Turn(answer, delay, address, now)
            await self._rest((answer.until - now).total_seconds())

    async def _rest(self, seconds: float) -> None:
        """Wait, and no longer than until the configuration changes."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._configured.wait()
