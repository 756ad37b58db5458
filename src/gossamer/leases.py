"""Leases: the right of a program outside to send one request to a host, taken in turn with our own.

A lease is a turn (`turns.py`) that somebody else uses. It begins when it is given, never later, and
is over when it is reported, or at its deadline: then nobody knows what became of it, and the host
rests as if the request had lasted as long as it might. What is lent is on disk before anybody hears
of it, so that whoever owns the folder after us knows too.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sized
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from gossamer.check import AGAIN, permitted, resting, without_user_info
from gossamer.errors import GossamerError, StorageAwayError
from gossamer.events import Requested, RequestFailed
from gossamer.model import Cause, Refusal, Url
from gossamer.polite import PoliteClient
from gossamer.politeness.delay import LONGEST
from gossamer.politeness.host_ledger import Slot
from gossamer.politeness.outcome import Answered, Outcome, Reported
from gossamer.politeness.verdict import Verdict
from gossamer.turns import Turn
from gossamer.urls import host_of, seed

MOST_LEASES: Final = 10_000  # at once
MOST_REMEMBERED: Final = 10_000  # that lapsed
PURPOSE: Final = "lease"  # as the log has it, unless more is known
NO_TIME: Final = timedelta(0)
_LOOK_SECONDS: Final = 0.02
_LOOKS: Final = 100  # for what is out when we end: most requests take less

Lend = Callable[[str, datetime | None], Awaitable[None]]
"""Writes down until when somebody outside may send to a host; None where nobody may."""


class UnknownLeaseError(GossamerError):
    """There is no such lease, or it was reported before."""


class LapsedLeaseError(GossamerError):
    """The lease was over before it was reported."""


class LeasesClosedError(GossamerError):
    """Whoever gives leases is about to end."""


@dataclass(frozen=True, slots=True)
class Granted:
    """The right to send one request for a URL; it must be over by `valid_until`."""

    id: str
    url: Url
    host: str
    send_at: datetime
    valid_until: datetime


@dataclass(frozen=True, slots=True)
class _Asked:
    """A lease that somebody would like to have."""

    text: str
    patience: timedelta
    client: str
    purpose: str
    lasting: timedelta | None


@dataclass(slots=True)
class _Out:
    """A lease that is out, and what to let go when it is over."""

    granted: Granted
    turn: Turn
    holding: AsyncExitStack
    purpose: str
    lapsing: asyncio.Task[None] = field(init=False)  # once it is given


class Leases:
    """All leases that are out. Use it as `async with Leases(client, lend)`."""

    def __init__(self, client: PoliteClient, lend: Lend, most: int = MOST_LEASES) -> None:
        self._client = client
        self._lend = lend
        self._most = most
        self._out: dict[str, _Out] = {}
        self._lapsed: dict[str, Granted] = {}  # the latest of them, to say so
        self._waiting: set[asyncio.Task[Granted | Verdict]] = set()
        self._closed = False

    async def __aenter__(self) -> "Leases":
        return self

    async def __aexit__(self, broken: type[BaseException] | None = None, *_: object) -> None:
        """Let go of all hosts; what is out, and stays out, ends at its deadline: that is on disk."""
        self._closed = True
        waiting = [*self._waiting]
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        if broken is None:
            await come_back(self._out)
        for out in [*self._out.values()]:
            out.lapsing.cancel()
            await out.holding.aclose()

    async def lease(
        self,
        text: str,
        patience: timedelta,
        client: str = "",
        *,
        purpose: str = PURPOSE,
        lasting: timedelta | None = None,
    ) -> Granted | Verdict:
        """The right to send a request for a URL, waited for as long as our patience; or why not.

        The line before a host is fair among those who go by different names as `client`. The request
        may take as long as `lasting`, or as any of ours; `purpose` is what the log says it is for.
        """
        asked = _Asked(text, patience, client, purpose, lasting)
        waiting = asyncio.ensure_future(self._lease(asked))
        self._waiting.add(waiting)
        waiting.add_done_callback(self._waiting.discard)
        try:
            return await waiting
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if not self._closed or (caller and caller.cancelling()):
                raise
            raise LeasesClosedError("No more leases are given here; ask again.") from None

    async def _lease(self, asked: "_Asked") -> Granted | Verdict:
        url = seed(asked.text)
        if isinstance(url, Refusal):
            return Verdict(without_user_info(asked.text), url.why, None, url.rule)
        if len(self._out) >= self._most:
            return Verdict(url, f"{self._most:,} leases are out; report some of them.", AGAIN)
        async with AsyncExitStack() as holding:
            turn = await self._turn(holding, url, asked)
            if isinstance(turn, Verdict):
                return turn
            try:
                return await self._granted(holding, url, turn, asked.purpose)
            except BaseException:
                self._client.turns.give_back(turn, self._client.now())
                raise

    async def report(self, id_: str, report: Reported) -> Granted:
        """Take a lease back, with word of how it went; raises where there is none."""
        now, out = self._client.now(), self._out.get(id_)
        if out is None or now >= out.granted.valid_until:
            await self._late(id_, report, now)
        assert out is not None
        del self._out[id_]
        out.lapsing.cancel()
        try:
            self._told(out, report, now)
            await self._lend(out.granted.host, self._lent_until(out.granted.host))
        finally:
            await out.holding.aclose()
        return out.granted

    async def _turn(self, holding: AsyncExitStack, url: Url, asked: "_Asked") -> Turn | Verdict:
        """Wait for the host, its rules and its clock, in this order."""
        host, now = host_of(url), self._client.now
        give_up_at = now() + asked.patience
        wait = await holding.enter_async_context(self._client.holding(host, asked.patience))
        if wait is not None:
            return resting(url, wait, self._client.now())
        checked = await permitted(self._client, url, _left(give_up_at, now()))
        if not checked.verdict.allowed:
            return checked.verdict
        address = await self._client.address_of(url)
        turn = await self._client.turns.take(
            host,
            address,
            _left(give_up_at, now()),
            client=f"lease {asked.client}",
            lasting=asked.lasting,
        )
        return turn if isinstance(turn, Turn) else resting(url, turn, self._client.now())

    async def _granted(
        self, holding: AsyncExitStack, url: Url, turn: Turn, purpose: str
    ) -> Granted | Verdict:
        host, until = host_of(url), turn.go.ends_by
        # We may have stood in line for a while: the host has to be ours until the lease ends.
        wait = await holding.enter_async_context(self._client.holding(host, NO_TIME))
        if wait is not None:
            self._client.turns.give_back(turn, self._client.now())
            return resting(url, wait, self._client.now())
        granted = Granted(secrets.token_urlsafe(16), url, host, turn.started_at, until)
        # It counts as lent from now on: whoever reports meanwhile must not write that nothing is.
        out = self._out[granted.id] = _Out(granted, turn, holding, purpose)
        try:
            await self._lend(host, self._lent_until(host))
            if self._client.now() >= until:
                raise StorageAwayError("A lease could not be written down before its end.")
        except BaseException:
            del self._out[granted.id]
            raise
        out.holding = holding.pop_all()
        out.lapsing = asyncio.ensure_future(self._lapse(granted))
        return granted

    async def _lapse(self, granted: Granted) -> None:
        """Have a lease end at its deadline."""
        await asyncio.sleep(_left(granted.valid_until, self._client.now()).total_seconds())
        out = self._out.pop(granted.id)
        self._remember(granted)
        self._client.turns.give_back(out.turn, granted.valid_until)
        self._tell_failure(out, granted.valid_until, Cause.OTHER, "Nobody reported how it went.")
        with suppress(StorageAwayError):  # where the host is free when its lease lapses
            await out.holding.aclose()

    def _told(self, out: _Out, report: Reported, now: datetime) -> None:
        if not report.sent:
            self._client.turns.give_back(out.turn, now)
            return
        if report.broken_off is not None:
            self._client.turns.give_back(out.turn, now)
            self._tell_failure(out, now, Cause.STOPPED, report.broken_off)
            return
        outcome, took = report.outcome(now), report.lasted(now - out.granted.send_at)
        self._client.turns.finish(out.turn, now, took, outcome, report.received)
        self._tell(out, now, outcome, report.received)
        self._client.tell_if_parked(out.granted.host)

    async def _late(self, id_: str, report: Reported, now: datetime) -> None:
        granted = self._out[id_].granted if id_ in self._out else self._lapsed.pop(id_, None)
        if granted is None:
            raise UnknownLeaseError(
                "There is no lease with this id: it was reported before, or never given."
            )
        if report.sent and report.broken_off is None:
            await self._hear(granted.host, report.outcome(now), now)
        raise LapsedLeaseError(
            f"The lease was valid until {granted.valid_until.isoformat(timespec='milliseconds')}, "
            "and its host rests since then."
        )

    async def _hear(self, host: str, outcome: Outcome, now: datetime) -> None:
        """Take note of how a request went that counts as over: only a longer wait follows."""
        async with self._client.holding(host, NO_TIME) as wait:
            if wait is not None:
                return  # it rests for long, or others have it
            ledger = self._client.ledger
            slot = ledger.reserve(host, now, client=PURPOSE, expires_at=now + LONGEST)
            if isinstance(slot, Slot):
                ledger.finish(slot, now, NO_TIME, outcome)
                ledger.give_back(slot, now)

    def _lent_until(self, host: str) -> datetime | None:
        ends = (out.granted.valid_until for out in self._out.values() if out.granted.host == host)
        return max(ends, default=None)

    def _remember(self, granted: Granted) -> None:
        self._lapsed[granted.id] = granted
        if len(self._lapsed) > MOST_REMEMBERED:
            del self._lapsed[next(iter(self._lapsed))]

    def _tell(self, out: _Out, ended_at: datetime, outcome: Outcome, received: int) -> None:
        if not isinstance(outcome, Answered):
            self._tell_failure(out, ended_at, Cause.OTHER, "There was no answer.")
            return
        granted, delay = out.granted, out.turn.delay
        self._client.tell(
            Requested(
                host=granted.host,
                url=granted.url,
                purpose=out.purpose,
                started_at=granted.send_at,
                ended_at=ended_at,
                status=outcome.status,
                bytes=received,
                delay=delay.length,
                delay_source=delay.source,
            )
        )

    def _tell_failure(self, out: _Out, ended_at: datetime, cause: Cause, why: str) -> None:
        granted, delay = out.granted, out.turn.delay
        self._client.tell(
            RequestFailed(
                host=granted.host,
                url=granted.url,
                purpose=out.purpose,
                started_at=granted.send_at,
                ended_at=ended_at,
                cause=cause,
                message=why,
                delay=delay.length,
                delay_source=delay.source,
            )
        )


async def come_back(out: Sized) -> None:
    """Wait a moment for all that is out: what we do not hear of makes its host rest for long."""
    for _ in range(_LOOKS):
        if not out:
            return
        await asyncio.sleep(_LOOK_SECONDS)


def _left(until: datetime, now: datetime) -> timedelta:
    return max(until - now, NO_TIME)
