"""Rights lent by the process that owns the folder, over its socket (decision 31)."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from gossamer.errors import GossamerError
from gossamer.moments import now_utc
from gossamer.owner.messages import Answering, ask
from gossamer.owner.questions import IsWanted, LendRight, NoteTimeLeft, ReportRight
from gossamer.owner.told import LeaseRecord, LentOrNot
from gossamer.owner.unix_socket import NoOwnerError
from gossamer.politeness.outcome import Reported
from gossamer.politeness.permission import WAITING_IS_NO_USE, Permission
from gossamer.politeness.prospects import TimeLeft
from gossamer.proxy.permits import AWAY, Denied, Permit, Wish, denied
from gossamer.urls import host_of

AGAIN = timedelta(seconds=5)  # where the owner is busy with something else
GRACE: Final = timedelta(seconds=1)  # for a lease that is on its way to somebody who left
ON_THE_WAY: Final = timedelta(seconds=2)  # for question and answer, besides the wait itself
LOOK_AGAIN: Final = timedelta(seconds=1)
WORTH_TELLING: Final = timedelta(seconds=2)  # what is nearly over need not be told
NO_ANSWER: Final = "Whoever owns the data folder does not answer."


class LentPermits:
    """Asks for a lease for each request. Use it as `async with LentPermits(answering)`."""

    def __init__(self, answering: Answering, grace: timedelta = GRACE) -> None:
        self._answering = answering
        self._grace = grace
        self._reporting: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "LentPermits":
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*self._reporting, return_exceptions=True)

    async def ask(self, wish: Wish) -> Permit | Denied:
        """Wait for a right, as long as the wish's patience lasts."""
        question = LendRight(
            wish.url,
            patience=wish.patience,
            client=f"proxy {wish.client}",
            purpose=wish.purpose,
            lasting=wish.lasting,
            heeds_robots=wish.heeds_robots,
        )
        asking = asyncio.ensure_future(ask(self._answering, question))
        try:
            async with asyncio.timeout((wish.patience + ON_THE_WAY).total_seconds()):
                answer = await asyncio.shield(asking)
        except asyncio.CancelledError:
            self._go_on(self._heard_out(asking))
            raise
        except TimeoutError:  # there is no owner, or it does not get round to it
            self._go_on(self._heard_out(asking))
            return Denied(AWAY, NO_ANSWER, AGAIN)
        except NoOwnerError:
            return Denied(AWAY, NO_ANSWER, AGAIN)
        except GossamerError as error:
            return Denied(AWAY, str(error), AGAIN)
        lease = answer["lease"]
        return _denied(answer) if lease is None else self._permit(wish, lease)

    async def _heard_out(self, asking: "asyncio.Future[LentOrNot]") -> None:
        """Give a lease back that was given to somebody who left; nobody else would."""
        with suppress(TimeoutError, GossamerError, NoOwnerError):
            # No longer than it takes to come: whoever hangs up leaves the line of the owner.
            async with asyncio.timeout(self._grace.total_seconds()):
                answer = await asking
            if (lease := answer["lease"]) is not None:
                await self._reported(lease["id"], Reported(sent=False))

    def _permit(self, wish: Wish, lease: LeaseRecord) -> "LentPermit":
        now = now_utc()
        lasts = timedelta(milliseconds=lease["validFor"])
        host = host_of(wish.url)
        return LentPermit(
            lease["id"], host, now, now + lasts, self._report, self._look, self._note_left
        )

    def _report(self, lease: str, report: Reported) -> None:
        self._go_on(self._reported(lease, report))

    def _look(self, permit: "LentPermit") -> None:
        self._go_on(self._ask_who_waits(permit))

    async def _ask_who_waits(self, permit: "LentPermit") -> None:
        """Ask the owner whether somebody waits for a host, for a permit to say so when asked next."""
        with suppress(GossamerError, NoOwnerError, TimeoutError):
            async with asyncio.timeout(ON_THE_WAY.total_seconds()):
                answer = await ask(self._answering, IsWanted(permit.host))
                permit.was_wanted = answer["wanted"]

    def _note_left(self, lease: str, left: TimeLeft) -> None:
        self._go_on(self._noted(lease, left))

    async def _noted(self, lease: str, left: TimeLeft) -> None:
        with suppress(GossamerError, NoOwnerError, TimeoutError):
            async with asyncio.timeout(ON_THE_WAY.total_seconds()):
                await ask(self._answering, NoteTimeLeft(lease, left))

    def _go_on(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that nobody waits for."""
        task = asyncio.ensure_future(work)
        self._reporting.add(task)
        task.add_done_callback(self._reporting.discard)

    async def _reported(self, lease: str, report: Reported) -> None:
        # Another owner knows of it as lent, and lets the host rest for longer.
        with suppress(GossamerError, NoOwnerError):
            await ask(self._answering, ReportRight(lease, report))


@dataclass(slots=True)
class LentPermit:
    """A lease of somebody else's."""

    id: str
    host: str
    started_at: datetime
    ends_by: datetime
    report: Callable[[str, Reported], None]
    look: Callable[["LentPermit"], None]  # asks whether the host is wanted
    note: Callable[[str, TimeLeft], None]
    is_out: bool = True
    was_wanted: bool = False  # when the owner was last asked
    looked_at: datetime | None = None
    on_hurry: Callable[[datetime], None] | None = None  # which nobody calls: a lease stands

    @property
    def is_wanted(self) -> bool:
        """Whether somebody else waits for the host, by what its owner said; it is asked once a second."""
        now = now_utc()
        if self.looked_at is None or now - self.looked_at >= LOOK_AGAIN:
            self.looked_at = now
            self.look(self)
        return self.was_wanted

    def note_left(self, left: TimeLeft) -> None:
        """Say how much longer the request lasts, for those who wait for the host."""
        if self.is_out and left.least >= WORTH_TELLING:
            self.note(self.id, left)

    def finish(self, report: Reported) -> None:
        """End the request, and report how it went."""
        if self.is_out:
            self.is_out = False
            self.report(self.id, report)

    def abandon(self, why: str) -> None:
        """End the request without knowing how it would have gone on."""
        self.finish(Reported(broken_off=why))


def _denied(answer: LentOrNot) -> Denied:
    wait = answer["retryAfter"]
    left = None if wait == WAITING_IS_NO_USE else timedelta(milliseconds=wait)
    return denied(Permission(answer["url"], answer["error"], left, answer.get("rule")))
