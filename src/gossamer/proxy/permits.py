"""Gets the proxy its rights to send: from its own clocks, or lent by the owner of the data folder.

Own rights come from `sending/rights.py`, lent ones from `lent_permits.py`.

The owner may change while requests wait. Those who wait are not told; they wait on at the new owner. What
is under way then goes on for a moment, and whoever owns the folder next knows until when.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple, Protocol

from gossamer.errors import GossamerError
from gossamer.log import Batch
from gossamer.model import Url
from gossamer.owner.cache_answers import OpenCache
from gossamer.politeness.outcome import Reported
from gossamer.politeness.prospects import TimeLeft
from gossamer.sending.lent import WriteDown, come_back
from gossamer.sending.right import Right, WayIn
from gossamer.sending.rights import Destination, NotNow, Rights
from gossamer.urls import host_of

NO_TIME = timedelta(0)
ROBOTS = "robots"  # the rule that forbids a URL
CLOCK = "clock"  # that says: not now
PAUSE = "pause"  # the same of a host that failed, or asked to be left alone for a while
BUSY = "busy"  # the same of a host that others have, or are in line for
AWAY = "away"  # nobody can say
POLL_SECONDS = 0.1
HURRY: Final = timedelta(seconds=20)  # for what is under way when somebody else takes the folder


class Wish(NamedTuple):
    """A request that somebody would like to send."""

    url: Url
    patience: timedelta  # how long it may wait for its right
    client: str  # the line before a host is fair among clients
    lasting: timedelta  # how long it may take
    purpose: str = "proxy"  # as the log has it
    heeds_robots: bool = True  # False where the operator has exempted the host


@dataclass(frozen=True, slots=True)
class Denied:
    """Why a request is not sent."""

    rule: str  # ROBOTS, CLOCK, PAUSE, BUSY, AWAY, or the cause for which the host cannot be reached
    why: str  # a sentence
    wait: timedelta | None = None  # None: waiting does not help


class Permit(Protocol):
    """The right to send one request, from now until `ends_by`, own or lent. It is ended once."""

    started_at: datetime
    ends_by: datetime
    on_hurry: Callable[[datetime], None] | None  # hears where it has to end sooner

    @property
    def is_wanted(self) -> bool:
        """Whether somebody else is known to wait for the host."""

    def note_left(self, left: TimeLeft) -> None:
        """Say how much longer the request lasts, for those who wait for the host."""

    def finish(self, report: Reported) -> None:
        """End the request, and report how it went."""

    def abandon(self, why: str) -> None:
        """End the request without knowing how it would have gone on."""


class Permitting(Protocol):
    """A source of rights to send."""

    async def ask(self, wish: Wish) -> Permit | Denied:
        """Wait for a right, as long as the wish's patience lasts."""


class PermittingAtOnce(Permitting, Protocol):
    """A source of rights that need not ask anybody."""

    def ask_at_once(self, wish: Wish, there: Destination) -> Permit | None:
        """A right to send there, if nothing has to be waited for."""


class HandedOverError(GossamerError):
    """Somebody else owns the folder now: ask there."""


class OwnRights:
    """Rights for the proxy from a folder that is ours. Use it as `async with OwnRights(…)`."""

    def __init__(self, rights: Rights, write_down: WriteDown) -> None:
        self._log = Batch(rights.tell)
        self.way = WayIn(self._log)
        self._rights = rights
        self._write_down = write_down
        self._waiting: set[asyncio.Task[object]] = set()
        self._closed = False

    async def __aenter__(self) -> "OwnRights":
        return self

    async def __aexit__(self, broken: type[BaseException] | None = None, *_: object) -> None:
        """Send those who wait elsewhere, and have the next owner know what stays under way."""
        self._closed = True
        for task in self._waiting:
            task.cancel()
        await self._rights.rules.stop()
        out = self.way.out
        if broken is None:
            await come_back(out)
        until = self._rights.now() + HURRY
        while out:  # of which some may end meanwhile
            right = next(iter(out))
            used = right.keep_host()
            await self._write_down(right.host, right.hand_over(until))
            await used.release()
        await self._rights.flush()
        self._log.close()

    async def ask(self, wish: Wish) -> Right | Denied:
        """Wait for a right, as long as the wish's patience lasts."""
        task = asyncio.current_task()
        assert task is not None
        if self._closed:
            raise _HANDED_OVER
        self._waiting.add(task)
        try:
            url, patience, client, lasting, purpose, heeds_robots = wish
            right = await self._rights.take(
                url,
                purpose,
                patience,
                f"proxy {client}",
                self.way,
                lasting=lasting,
                heeds_robots=heeds_robots,
            )
        except asyncio.CancelledError:
            self._raise_if_evicted(task)
            raise
        finally:
            self._waiting.discard(task)
        return denied(right) if isinstance(right, NotNow) else right

    def _raise_if_evicted(self, task: asyncio.Task[object]) -> None:
        """Raise `HandedOverError` where we cancelled the task ourselves, to hand the folder over."""
        if self._closed and task.uncancel() == 0:
            raise _HANDED_OVER from None

    def ask_at_once(self, wish: Wish, there: Destination) -> Right | None:
        """A right to send there, if nothing has to be waited for."""
        if self._closed:
            return None
        url, _, _, lasting, purpose, heeds_robots = wish
        return self._rights.take_at_once(
            url, purpose, there, lasting, self.way, heeds_robots=heeds_robots
        )


_HANDED_OVER: Final = HandedOverError("The folder is somebody else's now.")


def denied(verdict: NotNow) -> Denied:
    """A refusal in the words of the proxy."""
    assert verdict.error is not None
    return Denied(
        verdict.rule or (AWAY if verdict.wait is None else CLOCK), verdict.error, verdict.wait
    )


class Permits:
    """Asks whoever owns the folder now."""

    def __init__(self, lent: Permitting, own: PermittingAtOnce | None = None) -> None:
        self.own = own  # while the folder is ours
        self.proxy: Callable[[], Mapping[str, object]] | None = None  # whom they are for
        self.caches: list[OpenCache] = []  # of that proxy
        self._lent = lent
        self._waiting: Counter[str] = Counter()  # our own clients, by host

    def shown(self) -> Mapping[str, object] | None:
        """What the proxy that has them says of itself, if there is one."""
        return self.proxy() if self.proxy else None

    def is_wanted(self, host: str) -> bool:
        """Whether a client of ours waits for a host, whoever owns the folder."""
        return host in self._waiting

    async def ask(self, wish: Wish) -> Permit | Denied:
        """Wait for a right, as long as the wish's patience lasts."""
        host = host_of(wish.url)
        self._waiting[host] += 1
        try:
            return await self._ask(wish)
        finally:
            self._waiting[host] -= 1
            if not self._waiting[host]:
                del self._waiting[host]

    async def _ask(self, wish: Wish) -> Permit | Denied:
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

    def ask_at_once(self, wish: Wish, there: Destination) -> Permit | None:
        """A right to send there, if nothing and nobody has to be waited for."""
        return None if self.own is None else self.own.ask_at_once(wish, there)

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
