"""Whoever watches transfers, so that none outlasts our patience with it.

One alarm for all of them: a request begins and ends without touching it, as a rule, since those
that began before are to be looked at sooner.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, Generic, TypeVar

from gossamer.fetch.transfer import Transfer
from gossamer.model import Cause

SECONDS_BETWEEN: Final = 0.02  # two looks, at least: a thousand transfers have as many moments
_WHY: Final = {
    Cause.TIMEOUT_CONNECT: "Connecting took too long.",
    Cause.TIMEOUT_FIRST_BYTE: "The server took too long to begin its answer.",
    Cause.TIMEOUT_TOTAL: "The request took too long.",
    Cause.SLOW: "The answer came too slowly.",
}

Key = TypeVar("Key")


class Watch(Generic[Key]):
    """Looks at transfers in time, and ends by their keys those that take too long."""

    def __init__(self, under_way: Mapping[Key, Transfer], end: Callable[[Key], bool]) -> None:
        """`end` says whether there was anything to be ended: a transfer may be over by itself."""
        self._under_way = under_way
        self._end = end
        self._alarm: asyncio.TimerHandle | None = None

    def mind(self, key: Key, transfer: Transfer) -> None:
        """Watch one more, that has just begun."""
        loop = asyncio.get_running_loop()
        next_look = self._judged(key, transfer, loop.time())
        if next_look is not None and (self._alarm is None or next_look < self._alarm.when()):
            self._look_at(loop, next_look)

    def close(self) -> None:
        """Look no more."""
        if self._alarm:
            self._alarm.cancel()

    def _judged(self, key: Key, transfer: Transfer, now: float) -> float | None:
        """When to look at a transfer again; None where it was ended."""
        verdict = transfer.patience.verdict(now, transfer.received)
        if not isinstance(verdict, Cause):
            return verdict
        if self._end(key):
            transfer.stop(verdict, _WHY[verdict])
        return None

    def _look_at(self, loop: asyncio.AbstractEventLoop, moment: float) -> None:
        self.close()
        self._alarm = loop.call_at(moment, self._look)

    def _look(self) -> None:
        self._alarm = None
        loop = asyncio.get_running_loop()
        now = loop.time()
        looks = [self._judged(*each, now) for each in list(self._under_way.items())]
        if later := [look for look in looks if look is not None]:
            self._look_at(loop, max(min(later), now + SECONDS_BETWEEN))
