"""Names → addresses: each asked for once at a time, and kept as long as it holds.

What is found here is not yet permitted: `route.py` puts every address before the guard.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Final

from gossamer.fetch.guard import Address
from gossamer.fetch.names import Found, NameService, Unreachable
from gossamer.model import Cause

MAX_NAMES: Final = 10_000
# Some names are given out for no time at all. A minute spares the name servers; a host that
# moves is missed for no longer than that.
MIN_AGE: Final = timedelta(minutes=1)
MAX_AGE: Final = timedelta(hours=1)  # who says a week may still have to move today
USUAL_AGE: Final = timedelta(minutes=5)  # where nobody says how long an answer holds
FAILURE_AGE: Final = timedelta(seconds=30)  # so that a hiccup is not held against a host
MAX_AHEAD: Final = 64  # look-ups under way, from which on none is begun ahead of need
_STOPPED: Final = Unreachable(Cause.STOPPED, "We were closing.")

Resolution = tuple[Address, ...] | Unreachable


def age_of(answer: Found | Unreachable) -> timedelta:
    """How long an answer is kept."""
    if isinstance(answer, Unreachable):
        return FAILURE_AGE
    return USUAL_AGE if answer.ttl is None else min(max(answer.ttl, MIN_AGE), MAX_AGE)


class Resolver:
    """Looks names up, each once at a time, and remembers the answers."""

    def __init__(
        self,
        names: Callable[[], NameService],  # made when first needed: many a run asks for no name
        *,
        timeout: timedelta,
        max_names: int = MAX_NAMES,
        max_ahead: int = MAX_AHEAD,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._new_names = names
        self._names: NameService | None = None
        self._closed = False
        self._timeout = timeout
        self._max_names = max_names
        self._max_ahead = max_ahead
        self._ticks = ticks
        self._asked: dict[str, asyncio.Task[Found | Unreachable]] = {}
        self._kept: OrderedDict[str, tuple[float, Resolution]] = OrderedDict()

    async def addresses(self, name: str) -> Resolution:
        """The addresses of a name, best first; never empty."""
        if (known := self._known(name)) is not None:
            return known
        if self._closed:
            return _STOPPED
        asked = self._asked.get(name) or self._ask(name)
        # The look-up goes on when one of those who wait for it gives up.
        await asyncio.wait([asked], timeout=self._timeout.total_seconds())
        if not asked.done():
            return Unreachable(Cause.NAME_LOOKUP, f"Looking up {name} took too long.")
        return _STOPPED if asked.cancelled() else _resolution(asked.result())

    def ask_ahead(self, names: Iterable[str]) -> None:
        """Begin to look up names that will be needed soon, as far as there is room; wait for none."""
        for name in names:
            if self._closed or len(self._asked) >= self._max_ahead:
                return
            if name not in self._asked and self._known(name) is None:
                self._ask(name)

    def close(self) -> None:
        """Start no further look-up, and let go of those under way."""
        self._closed = True
        for asked in self._asked.values():
            asked.cancel()
        if self._names:
            self._names.close()

    def _known(self, name: str) -> Resolution | None:
        kept = self._kept.get(name)
        return kept[1] if kept and self._ticks() < kept[0] else None

    def _ask(self, name: str) -> asyncio.Task[Found | Unreachable]:
        if self._names is None:
            self._names = self._new_names()
        asked = asyncio.get_running_loop().create_task(self._names.look_up(name))
        self._asked[name] = asked
        asked.add_done_callback(lambda done: self._keep(name, done))
        return asked

    def _keep(self, name: str, done: asyncio.Task[Found | Unreachable]) -> None:
        del self._asked[name]
        if done.cancelled() or done.exception():
            return
        answer = done.result()
        until = self._ticks() + age_of(answer).total_seconds()
        self._kept[name] = (until, _resolution(answer))
        self._kept.move_to_end(name)
        while len(self._kept) > self._max_names:
            self._kept.popitem(last=False)


def _resolution(answer: Found | Unreachable) -> Resolution:
    return answer.addresses if isinstance(answer, Found) else answer
