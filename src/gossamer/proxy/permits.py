"""Permission to send one request: asked of whoever owns the folder, and given back with word of it.

The owner may be us (`own_permits.py`) or another process (`lent_permits.py`), and that may change
while requests wait. Those who wait are not told; they wait on, elsewhere.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from gossamer.errors import GossamerError
from gossamer.model import Url
from gossamer.politeness.outcome import Reported

NO_TIME = timedelta(0)
ROBOTS = "robots"  # the rule that forbids a URL
CLOCK = "clock"  # that says: not now
PAUSE = "pause"  # the same of a host that failed, or asked to be left alone for a while
AWAY = "away"  # nobody can say
POLL_SECONDS = 0.1


class Wish(NamedTuple):
    """A request that somebody would like to send."""

    url: Url
    patience: timedelta  # how long it may wait for its turn
    client: str  # the line before a host is fair among clients
    lasting: timedelta  # how long it may take
    purpose: str = "proxy"  # as the log has it


class Place(NamedTuple):
    """Where a connection leads that stands."""

    host: str
    origin: str
    address: str | None  # that counts for limits; None where the user said where the host is


@dataclass(frozen=True, slots=True)
class Denied:
    """Why a request is not sent."""

    rule: str  # ROBOTS, CLOCK, PAUSE, AWAY, or the cause for which the host cannot be reached
    why: str  # a sentence
    wait: timedelta | None = None  # None: waiting does not help


class Permit(Protocol):
    """The right to send one request, from now until `ends_by`. It is ended once."""

    started_at: datetime
    ends_by: datetime
    on_hurry: Callable[[datetime], None] | None  # hears where it has to end sooner

    def end(self, report: Reported) -> None:
        """It is over, and how it went."""

    def abandon(self, why: str) -> None:
        """It is over, and nobody knows how it would have gone on."""


class Permitting(Protocol):
    """Whoever gives permission."""

    async def ask(self, wish: Wish) -> Permit | Denied:
        """Wait for a turn, as long as the wish's patience lasts."""


class PermittingAtOnce(Permitting, Protocol):
    """Whoever gives permission, and need not ask anybody for it."""

    def ask_at_once(self, wish: Wish, place: Place) -> Permit | None:
        """A permit to send there, if nothing has to be waited for."""


class HandedOverError(GossamerError):
    """Somebody else owns the folder now: ask there."""


class Permits:
    """Asks whoever owns the folder now."""

    def __init__(self, lent: Permitting, own: PermittingAtOnce | None = None) -> None:
        self.own = own  # while the folder is ours
        self.proxy: Callable[[], Mapping[str, object]] | None = None  # whom they are for
        self._lent = lent

    def shown(self) -> Mapping[str, object] | None:
        """What the proxy that has them says of itself, if there is one."""
        return self.proxy() if self.proxy else None

    async def ask(self, wish: Wish) -> Permit | Denied:
        """Wait for a turn, as long as the wish's patience lasts."""
        began = time.monotonic()
        while True:
            answer = await self._asked(wish)
            if answer is not None and not (isinstance(answer, Denied) and answer.rule == AWAY):
                return answer
            waited = timedelta(seconds=time.monotonic() - began)
            left = max(wish.patience - waited, NO_TIME)
            if answer is not None and not left:
                return answer
            wish, began = wish._replace(patience=left), time.monotonic()
            await asyncio.sleep(POLL_SECONDS)  # the folder is just changing hands

    def ask_at_once(self, wish: Wish, place: Place) -> Permit | None:
        """A permit to send there, if nothing and nobody has to be waited for."""
        return None if self.own is None else self.own.ask_at_once(wish, place)

    async def _asked(self, wish: Wish) -> Permit | Denied | None:
        """The answer of whoever owns the folder; None where that is somebody else now."""
        own = self.own
        if own is None:
            return await self._lent.ask(wish)
        try:
            return await own.ask(wish)
        except HandedOverError:
            if self.own is own:
                self.own = None
            return None
