"""What all hosts share: room at a network address, and the ceilings of the whole crawl.

The counting is in `politeness/`; this waits until there is room.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from gossamer.config import Politeness
from gossamer.politeness.ceiling import AddressLimit, Ceilings


class SharedLimits:
    """Ask for `room`, then `enter` without waiting in between, and `leave` when it is over."""

    def __init__(self, politeness: Politeness, now: Callable[[], datetime]) -> None:
        self._now = now
        self._addresses = AddressLimit(politeness.per_address)
        self._ceilings = Ceilings.of(politeness)  # empty, mostly: then there is nothing to count
        self._left = asyncio.Event()

    def configure(self, politeness: Politeness) -> None:
        """Take up other limits; a debt to the old ceilings is let go."""
        self._addresses.per_address = politeness.per_address
        self._ceilings = Ceilings.of(politeness)
        self._left.set()

    def has_room(self, address: str | None, now: datetime) -> bool:
        """Whether one more request may start now."""
        if address is not None and not self._addresses.admits(address):
            return False
        return self.next_moment(now) <= now

    def next_moment(self, now: datetime) -> datetime:
        """When the ceilings let one more request start."""
        return self._ceilings.next_moment(now)

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
            if not self._addresses.admits(address):
                self._left.clear()
                await self._left.wait()
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

    def leave(self, address: str | None, received: int = 0) -> None:
        """Count a request that is over, and bytes that came."""
        if address is not None:
            self._addresses.leave(address)
            self._left.set()
        if self._ceilings.received is not None:
            self._ceilings = self._ceilings.after_bytes(self._now(), received)
