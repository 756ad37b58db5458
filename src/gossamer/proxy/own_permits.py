"""Permission from a folder that is ours: the host, its rules and its clock, in this order.

A permit is a turn (`turns.py`) like any other, and costs no write: while a host is held, its clock
lives in memory, and should we die, whoever owns the folder next knows that we held it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from gossamer.check import AGAIN, StillAsking, judged, resting
from gossamer.events import Requested, RequestFailed
from gossamer.inquiries import Inquiries
from gossamer.leases import Lend, come_back
from gossamer.log import Sink
from gossamer.model import Cause, Failed
from gossamer.polite import PoliteClient
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.outcome import Answered, Outcome, Reported
from gossamer.politeness.robots.rules import Rules
from gossamer.politeness.verdict import Verdict
from gossamer.proxy.batch import Batch
from gossamer.proxy.permits import (
    AWAY,
    CLOCK,
    NO_TIME,
    Denied,
    HandedOverError,
    Permit,
    Place,
    Wish,
)
from gossamer.turns import Turn
from gossamer.urls import host_of

_HANDED_OVER: Final = HandedOverError("The folder is somebody else's now.")
TAKEN: Final = (
    "Another process took the folder while this was under way: its end is the latest possible one."
)
HURRY: Final = timedelta(seconds=20)  # for what is under way when somebody else takes the folder


class Hold(Protocol):
    """A host in our hands, for one request."""

    def let_go(self) -> None:
        """The request is over."""


class Holder(Protocol):
    """Whoever makes sure that a host is ours to send to."""

    def hold(self, host: str, patience: timedelta) -> Awaitable[Hold | Wait]:
        """A host in our hands, or how long to wait."""

    def hold_at_once(self, host: str, now: datetime) -> Hold | None:
        """The same where nothing has to be done for it."""


class OwnPermits:
    """Gives permits on one polite client's clocks. Use it as `async with OwnPermits(…)`."""

    def __init__(self, client: PoliteClient, holder: Holder, lend: Lend) -> None:
        self._client = client
        self._holder = holder
        self._lend = lend
        self._inquiries = Inquiries(client)
        self._tell = Batch(client.tell)
        self._waiting: set[asyncio.Task[object]] = set()
        self._out: set[OwnPermit] = set()
        self._closed = False

    async def __aenter__(self) -> "OwnPermits":
        return self

    async def __aexit__(self, broken: type[BaseException] | None = None, *_: object) -> None:
        """Send those who wait elsewhere, and have the next owner know what stays under way."""
        self._closed = True
        for task in self._waiting:
            task.cancel()
        await self._inquiries.__aexit__()
        if broken is None:
            await come_back(self._out)
        now = self._client.now()
        while self._out:  # of which some may end meanwhile
            permit = next(iter(self._out))
            await self._lend(permit.host, permit.hurry(now + HURRY))
        self._tell.close()

    async def ask(self, wish: Wish) -> Permit | Denied:
        """Wait for a turn, as long as the wish's patience lasts."""
        task = asyncio.current_task()
        assert task is not None
        if self._closed:
            raise _HANDED_OVER
        self._waiting.add(task)
        try:
            return await self._asked(wish)
        except asyncio.CancelledError:
            self._unless_evicted(task)
            raise
        finally:
            self._waiting.discard(task)

    def ask_at_once(self, wish: Wish, place: Place) -> "OwnPermit | None":
        """A permit to send there, if nothing has to be waited for."""
        client = self._client
        now = client.now()
        if self._closed or (hold := self._holder.hold_at_once(place.host, now)) is None:
            return None
        rules = client.rules_at_hand(place.origin, place.host, now)
        if rules is not None and rules.policy.allows(wish.url):
            turn = client.turns.at_once(place.host, place.address, now, wish.lasting)
            if turn is not None:
                return self._permit(wish, turn, hold)
        hold.let_go()
        return None

    def _unless_evicted(self, task: asyncio.Task[object]) -> None:
        """Whoever was only sent elsewhere by us goes there."""
        if self._closed and task.uncancel() == 0:
            raise _HANDED_OVER from None

    async def _asked(self, wish: Wish) -> Permit | Denied:
        give_up_at, host = self._client.now() + wish.patience, host_of(wish.url)
        hold = await self._holder.hold(host, wish.patience)
        if isinstance(hold, Wait):
            return self._not_now(wish, hold)
        try:
            turn = await self._turn(wish, host, give_up_at)
        except BaseException:
            hold.let_go()
            raise
        if isinstance(turn, Denied):
            hold.let_go()
            return turn
        return self._permit(wish, turn, hold)

    def _permit(self, wish: Wish, turn: Turn, hold: Hold) -> "OwnPermit":
        permit = OwnPermit(wish, turn, hold, self._client, self._out, self._tell)
        self._out.add(permit)
        return permit

    async def _turn(self, wish: Wish, host: str, give_up_at: datetime) -> Turn | Denied:
        rules: Rules | Wait | Failed | None = self._client.known_rules(wish.url)
        if rules is None:
            rules = await self._rules(wish, give_up_at)
        if not (isinstance(rules, Rules) and rules.policy.allows(wish.url)):
            return denied(judged(wish.url, rules, self._client.now()).verdict)
        address = await self._client.address_of(wish.url)
        left = max(give_up_at - self._client.now(), NO_TIME)
        turn = await self._client.turns.take(
            host, address, left, client=f"proxy {wish.client}", lasting=wish.lasting
        )
        return turn if isinstance(turn, Turn) else self._not_now(wish, turn)

    async def _rules(self, wish: Wish, give_up_at: datetime) -> Rules | Wait | Failed:
        left = max(give_up_at - self._client.now(), NO_TIME)
        try:
            # Somebody who cannot wait for the clock can still wait for a robots.txt that comes.
            async with asyncio.timeout(max(left, AGAIN).total_seconds()):
                return await self._inquiries.rules(wish.url, left)
        except TimeoutError:
            delay = self._client.ledger.delay(host_of(wish.url))
            return StillAsking(self._client.now() + AGAIN, delay)

    def _not_now(self, wish: Wish, wait: Wait) -> Denied:
        return denied(resting(wish.url, wait, self._client.now()))


def denied(verdict: Verdict) -> Denied:
    """The same as the proxy has it."""
    assert verdict.error is not None
    return Denied(
        verdict.rule or (AWAY if verdict.wait is None else CLOCK), verdict.error, verdict.wait
    )


class OwnPermit:
    """A turn of ours that is out."""

    __slots__ = (
        "client",
        "ends_by",
        "hold",
        "host",
        "on_hurry",
        "out",
        "started_at",
        "tell",
        "turn",
        "wish",
    )

    def __init__(
        self,
        wish: Wish,
        turn: Turn,
        hold: Hold,
        client: PoliteClient,
        out: "set[OwnPermit]",
        tell: Sink,
    ) -> None:
        self.wish = wish
        self.turn = turn
        self.hold = hold
        self.client = client
        self.out = out  # all that are out
        self.tell = tell
        self.on_hurry: Callable[[datetime], None] | None = None  # of whoever sends
        self.host, _, self.ends_by = turn.go
        self.started_at = turn.started_at

    def end(self, report: Reported) -> None:
        """It is over, and how it went."""
        if not self._over():
            return
        self.on_hurry = None  # which knows of us, as we of it: the two would keep each other alive
        now = self.client.now()
        if not report.sent:
            # Nothing reached the host, so it needs no rest from it.
            self.client.turns.give_back(self.turn, self.started_at)
            self.hold.let_go()
            return
        outcome = report.outcome(now)
        took = report.lasted(now - self.started_at)
        self.client.turns.finish(self.turn, now, took, outcome, report.received)
        self._tell(now, outcome, report)
        if outcome.failed:
            self.client.tell_if_parked(self.host)
        self.hold.let_go()

    def abandon(self, why: str) -> None:
        """It is over, and nobody knows how it would have gone on."""
        if not self._over():
            return
        self.on_hurry = None
        now = self.client.now()
        self.client.turns.give_back(self.turn, now)
        self._failed(now, Cause.STOPPED, why)
        self.hold.let_go()

    def hurry(self, until: datetime) -> datetime:
        """Somebody else takes the folder: until when this may go on. Nothing is heard of it then."""
        self._over()
        self.ends_by = min(self.ends_by, until)
        self.client.turns.give_back(self.turn, self.client.now())
        # The log is the other's from here on. The host rests from this end, whenever it comes.
        self._failed(self.ends_by, Cause.STOPPED, TAKEN)
        if self.on_hurry is not None:
            self.on_hurry(self.ends_by)
        return self.ends_by

    def _over(self) -> bool:
        """Whether it ends now; it does so once."""
        if self not in self.out:
            return False
        self.out.remove(self)
        return True

    def _tell(self, now: datetime, outcome: Outcome, report: Reported) -> None:
        if not isinstance(outcome, Answered):
            self._failed(now, outcome.cause, "There was no answer.")
            return
        self.tell(
            Requested(
                host=self.host,
                url=self.wish.url,
                purpose=self.wish.purpose,
                started_at=self.started_at,
                ended_at=now,
                status=outcome.status,
                bytes=report.received,
                delay=self.turn.delay.length,
                delay_source=self.turn.delay.source,
            )
        )

    def _failed(self, now: datetime, cause: str, why: str) -> None:
        self.tell(
            RequestFailed(
                host=self.host,
                url=self.wish.url,
                purpose=self.wish.purpose,
                started_at=self.started_at,
                ended_at=now,
                cause=cause,
                message=why,
                delay=self.turn.delay.length,
                delay_source=self.turn.delay.source,
            )
        )


class CrawlHolds:
    """Holds hosts in turn with a crawl in this process."""

    def __init__(self, client: PoliteClient) -> None:
        self._client = client
        self._closing: set[asyncio.Task[None]] = set()

    async def hold(self, host: str, patience: timedelta) -> "Hold | Wait":
        """Make sure that a host is ours to send to."""
        holding = AsyncExitStack()
        wait = await holding.enter_async_context(self._client.holding(host, patience))
        if wait is None:
            return _CrawlHold(holding, self._closing)
        await holding.aclose()
        return wait

    def hold_at_once(self, host: str, now: datetime) -> "Hold | None":
        """The crawl has to be asked, each time."""
        return None


@dataclass(frozen=True, slots=True)
class _CrawlHold:
    holding: AsyncExitStack
    closing: set[asyncio.Task[None]]

    def let_go(self) -> None:
        """The request is over."""
        task = asyncio.ensure_future(self.holding.aclose())
        self.closing.add(task)
        task.add_done_callback(self.closing.discard)
