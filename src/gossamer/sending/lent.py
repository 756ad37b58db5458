"""Rights lent to programs outside and to other processes, until a report or a deadline.

A lent right begins when it is lent, never later, and is over when it is reported, or at its deadline:
then nobody knows what became of it, and the host rests as if the request had lasted as long as it
might. What is lent is on disk before anybody hears of it, so that whoever owns the folder after us
knows too. REST and its errors call a lent right a lease.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sized
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from gossamer.errors import GossamerError, StorageAwayError
from gossamer.model import Cause, Refusal, Url
from gossamer.politeness.delay import LONGEST
from gossamer.politeness.ledger import Slot, Wait
from gossamer.politeness.outcome import Outcome, Reported
from gossamer.politeness.permission import AGAIN
from gossamer.politeness.prospects import TimeLeft
from gossamer.sending.check import without_user_info
from gossamer.sending.hosts import HostInUse, HostSource
from gossamer.sending.right import Right, WayIn, tell_if_parked
from gossamer.sending.rights import NotNow, Rights
from gossamer.urls import seed

MOST_LENT: Final = 10_000  # at once
MOST_REMEMBERED: Final = 10_000  # that lapsed
PURPOSE: Final = "lease"  # as the log has it, unless more is known
NO_TIME: Final = timedelta(0)
_LOOK_SECONDS: Final = 0.02
_LOOKS: Final = 100  # for what is out when we end: most requests take less
_UNDO_SECONDS: Final = 2.0  # for a disk that may be full

WriteDown = Callable[[str, datetime | None], Awaitable[None]]
"""Writes down until when somebody outside may send to a host; None where nobody may."""


class UnknownLeaseError(GossamerError):
    """A lease that does not exist, or was reported before."""


class LapsedLeaseError(GossamerError):
    """The lease was over before it was reported."""


class LeasesClosedError(GossamerError):
    """Leases that nobody gives any more: the process is about to end."""


@dataclass(frozen=True, slots=True)
class LentRight:
    """May send one request for a URL; it must be over by `valid_until`."""

    id: str
    url: Url
    host: str
    send_at: datetime
    valid_until: datetime


@dataclass(slots=True)
class _Out:
    """A lent right that is out, and the host that is let go of when it is over."""

    lent: LentRight
    right: Right
    used: HostInUse
    lapsing: asyncio.Task[None] = field(init=False)  # once it is lent


class LentRights:
    """All rights that are lent. Use it as `async with LentRights(rights, hosts, lend)`."""

    def __init__(
        self, rights: Rights, hosts: HostSource, write_down: WriteDown, most: int = MOST_LENT
    ) -> None:
        self._rights = rights
        self._hosts = hosts
        self._write_down = write_down
        self._most = most
        self._way = WayIn(rights.tell)
        self._out: dict[str, _Out] = {}
        self._lapsed: dict[str, LentRight] = {}  # the latest of them, to say so
        self._waiting: set[asyncio.Task[LentRight | NotNow]] = set()
        self._closed = False

    async def __aenter__(self) -> "LentRights":
        return self

    async def __aexit__(self, broken: type[BaseException] | None = None, *_: object) -> None:
        """Let go of all hosts; what is out, and stays out, ends at its deadline: that is on disk."""
        self._closed = True
        waiting = [*self._waiting]
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await self._rights.rules.stop()
        if broken is None:
            await come_back(self._out)
        while self._out:
            out = self._out.popitem()[1]
            out.lapsing.cancel()
            out.right.hand_over(out.lent.valid_until)
            await out.used.release()

    async def lend(
        self,
        text: str,
        patience: timedelta,
        client: str = "",
        *,
        purpose: str = PURPOSE,
        lasting: timedelta | None = None,
        heeds_robots: bool = True,
    ) -> LentRight | NotNow:
        """The right to send a request for a URL, waited for as long as our patience; or why not.

        The line before a host is fair among those who go by different names as `client`. The request
        may take as long as `lasting`, or as any of ours; `purpose` is what the log says it is for.
        """
        lending = self._lend(text, patience, f"lease {client}", purpose, lasting, heeds_robots)
        waiting = asyncio.ensure_future(lending)
        self._waiting.add(waiting)
        waiting.add_done_callback(self._waiting.discard)
        try:
            return await waiting
        except asyncio.CancelledError:
            await self._take_back(waiting)
            caller = asyncio.current_task()
            if not self._closed or (caller and caller.cancelling()):
                raise
            raise LeasesClosedError("No more leases are given here; ask again.") from None

    def is_wanted(self, host: str) -> bool:
        """Whether somebody waits for a host that is lent, in its line or at another node."""
        out = (each for each in self._out.values() if each.lent.host == host)
        return any(each.right.is_wanted or each.used.is_wanted for each in out)

    def note_left(self, id_: str, left: TimeLeft) -> None:
        """Take note of how much longer a request lasts, for those who wait for its host."""
        if (out := self._out.get(id_)) is not None:
            out.right.note_left(left)

    async def report(self, id_: str, report: Reported) -> LentRight:
        """Take a lent right back, with word of how it went; raises where there is none."""
        now, out = self._rights.now(), self._out.get(id_)
        if out is None or now >= out.lent.valid_until:
            await self._hear_late(id_, report, now)
        assert out is not None
        del self._out[id_]
        out.lapsing.cancel()
        try:
            out.right.finish(report)
            await self._write_down(out.lent.host, self._lent_until(out.lent.host))
        finally:
            await out.used.release()
        return out.lent

    async def _lend(
        self,
        text: str,
        patience: timedelta,
        client: str,
        purpose: str,
        lasting: timedelta | None,
        heeds_robots: bool,
    ) -> LentRight | NotNow:
        url = seed(text)
        if isinstance(url, Refusal):
            return NotNow(without_user_info(text), url.why, None, url.rule)
        if len(self._out) >= self._most:
            return NotNow(url, f"{self._most:,} leases are out; report some of them.", AGAIN)
        right = await self._rights.take(
            url, purpose, patience, client, self._way, lasting=lasting, heeds_robots=heeds_robots
        )
        if isinstance(right, NotNow):
            return right
        used = right.keep_host()
        try:
            return await self._lent(right, used)
        except BaseException:
            right.unused()  # nobody has heard of it
            await used.release()
            raise

    async def _lent(self, right: Right, used: HostInUse) -> LentRight:
        """A right that is on disk before anybody outside hears of it."""
        host, until = right.host, right.ends_by
        lent = LentRight(secrets.token_urlsafe(16), right.url, host, right.started_at, until)
        # It counts as lent from now on: whoever reports meanwhile must not write that nothing is.
        out = self._out[lent.id] = _Out(lent, right, used)
        try:
            await self._write_down(host, self._lent_until(host))
            if self._rights.now() >= until:
                raise StorageAwayError("A lease could not be written down before its end.")
        except BaseException:
            del self._out[lent.id]
            await self._write_back(host)
            raise
        out.lapsing = asyncio.ensure_future(self._lapse(lent))
        return lent

    async def _take_back(self, lending: "asyncio.Task[LentRight | NotNow]") -> None:
        """Take a right back that was lent in the moment in which whoever asked for it left."""
        if not lending.done() or lending.cancelled() or lending.exception() is not None:
            return
        given = lending.result()
        if isinstance(given, LentRight) and given.id in self._out:
            with suppress(GossamerError):
                await self.report(given.id, Reported(sent=False))

    async def _write_back(self, host: str) -> None:
        """Write down what is lent without a right that nobody has heard of.

        What was to be written may be on disk although nobody waited for it: the next owner of the
        folder would leave the host alone until then.
        """
        with suppress(GossamerError, TimeoutError):
            async with asyncio.timeout(_UNDO_SECONDS):
                await self._write_down(host, self._lent_until(host))

    async def _lapse(self, lent: LentRight) -> None:
        """Have a lent right end at its deadline."""
        left = max(lent.valid_until - self._rights.now(), NO_TIME)
        await asyncio.sleep(left.total_seconds())
        out = self._out.pop(lent.id)
        self._remember(lent)
        out.right.abandon("Nobody reported how it went.", Cause.OTHER, lent.valid_until)
        with suppress(StorageAwayError):  # where the host is free when its lease lapses
            await out.used.release()

    async def _hear_late(self, id_: str, report: Reported, now: datetime) -> None:
        lent = self._out[id_].lent if id_ in self._out else self._lapsed.pop(id_, None)
        if lent is None:
            raise UnknownLeaseError(
                "There is no lease with this id: it was reported before, or never given."
            )
        if report.sent and report.broken_off is None:
            await self._hear(lent.host, report.outcome(now, lent.url), now)
        raise LapsedLeaseError(
            f"The lease was valid until {lent.valid_until.isoformat(timespec='milliseconds')}, "
            "and its host rests since then."
        )

    async def _hear(self, host: str, outcome: Outcome, now: datetime) -> None:
        """Take note of how a request went that counts as over: only a longer wait follows."""
        used = await self._hosts.acquire(host, NO_TIME)
        if isinstance(used, Wait):
            return  # it rests for long, or others have it
        try:
            ledger = self._rights.line.ledger
            slot = ledger.reserve(host, now, client=PURPOSE, expires_at=now + LONGEST)
            if isinstance(slot, Slot):
                ledger.finish(slot, now, NO_TIME, outcome)
                ledger.give_back(slot, now)
                tell_if_parked(host, ledger, now, self._rights.tell)
        finally:
            await used.release()

    def _lent_until(self, host: str) -> datetime | None:
        ends = (out.lent.valid_until for out in self._out.values() if out.lent.host == host)
        return max(ends, default=None)

    def _remember(self, lent: LentRight) -> None:
        self._lapsed[lent.id] = lent
        if len(self._lapsed) > MOST_REMEMBERED:
            del self._lapsed[next(iter(self._lapsed))]


async def come_back(out: Sized) -> None:
    """Wait a moment for all that is out: what we do not hear of makes its host rest for long."""
    for _ in range(_LOOKS):
        if not out:
            return
        await asyncio.sleep(_LOOK_SECONDS)
