"""Ends an exchange when one of its time limits has run out, and remembers which."""

import asyncio
import time
from collections.abc import Callable
from datetime import datetime
from typing import Final, Protocol

from gossamer.config import Fetch
from gossamer.fetch.transfer import Patience
from gossamer.model import Cause
from gossamer.moments import now_utc
from gossamer.proxy.permits import Permit

WHY: Final = {
    Cause.TIMEOUT_CONNECT: "The request could not be sent in time.",
    Cause.TIMEOUT_FIRST_BYTE: "The server took too long to begin its answer.",
    Cause.TIMEOUT_TOTAL: "The request took too long.",
    Cause.SLOW: "The request or its answer came too slowly, or was taken too slowly.",
}
SOON: Final = 0.5  # seconds to the first look


class Watched(Protocol):
    """Something that should not take for ever."""

    def look(self) -> None:
        """Look at a request that has lasted for a while."""


class Watches:
    """All that was not looked at yet: one timer for it, since most of it is soon over."""

    def __init__(self, fetch: Fetch) -> None:
        limits = (fetch.first_byte_timeout, fetch.low_speed_time)
        self._soon = min(SOON, *[limit.total_seconds() for limit in limits])
        self._due: dict[Watched, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def add(self, watch: Watched, began: float) -> None:
        """Have something looked at, if it is not over soon."""
        self._due[watch] = due = began + self._soon
        if self._timer is None:
            self._ring_at(due)

    def remove(self, watch: Watched) -> None:
        """Stop watching a request that is over."""
        self._due.pop(watch, None)

    def _ring_at(self, due: float) -> None:
        wait = due - time.monotonic()
        self._timer = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        self._timer, now = None, time.monotonic()
        for watch in [each for each, due in self._due.items() if due <= now]:
            self.remove(watch)
            watch.look()
        if self._due and self._timer is None:
            self._ring_at(min(self._due.values()))


class Receiving(Protocol):
    """Where the answer comes."""

    received: int  # bytes in all


class ExchangeWatch:
    """Looks at one exchange from time to time. `cause` is set where it was ended."""

    __slots__ = (
        "_answered_at",
        "_asked_at",
        "_before",
        "_fetch",
        "_give_up",
        "_is_held_up",
        "_patience",
        "_permit",
        "_sent",
        "_timer",
        "_uploading",
        "_upstream",
        "_watches",
        "cause",
    )

    def __init__(
        self, fetch: Fetch, permit: Permit, watches: Watches, give_up: Callable[[], None]
    ) -> None:
        self.cause: Cause | None = None
        self._fetch = fetch
        self._permit = permit
        self._watches = watches
        self._give_up = give_up
        self._upstream: Receiving | None = None
        self._before = 0  # bytes that came over the same connection for others
        self._is_held_up = False  # by a client that takes its time
        self._asked_at: float | None = None
        self._answered_at: float | None = None
        self._patience: Patience | None = None  # from the first look on
        self._uploading: Patience | None = None  # from the first piece of a streamed body on
        self._sent = 0  # bytes of that body
        self._timer: asyncio.TimerHandle | None = None  # the same
        permit.on_hurry = self._hurry
        watches.add(self, time.monotonic())

    def note_connected(self, upstream: Receiving) -> None:
        """Note which server the request goes to."""
        self._upstream, self._before = upstream, upstream.received

    def count_sent(self, count: int) -> None:
        """Count bytes of a streamed body that went out: it holds the host meanwhile, so it has to be quick."""
        self._sent += count
        if self._uploading is None:
            self._uploading = self._begun_patience()
            self._uploading.asked(time.monotonic())
            self._uploading.answered(time.monotonic())

    def note_sent(self, at: float | None = None) -> None:
        """Note that all of the request was sent."""
        self._asked_at = at or time.monotonic()
        if self._patience is not None:
            self._patience.asked(self._asked_at)

    def note_answer(self) -> None:
        """Note that the answer has begun."""
        self._answered_at = time.monotonic()
        if self._patience is not None:
            self._patience.answered(self._answered_at)

    def pause(self) -> None:
        """Pause: nothing is read of the answer until the client has taken what is here."""
        self._is_held_up = True

    def resume(self, waited: float) -> None:
        """Resume after so many seconds, in which the speed of the answer was nobody's fault."""
        self._is_held_up = False
        if self._patience is not None:
            self._patience.window_at += waited
        elif self._answered_at is not None:
            self._answered_at += waited

    def close(self) -> None:
        """Look no more."""
        self._watches.remove(self)
        if self._timer is not None:
            self._timer.cancel()

    def look(self) -> None:
        """Give up, if it is time to; else look again when it may be."""
        if self._patience is None:
            self._patience = self._begun_patience()
        now = time.monotonic()
        verdict = self._verdict(self._patience, now)
        if isinstance(verdict, Cause):
            self.cause = verdict
            self._give_up()
        else:
            self._timer = asyncio.get_running_loop().call_later(verdict - now, self.look)

    def _verdict(self, patience: Patience, now: float) -> Cause | float:
        if self._is_held_up and now < patience.total_by:
            return min(now + patience.low_speed_time, patience.total_by)
        received = self._upstream.received - self._before if self._upstream else 0
        verdict = patience.verdict(now, received)
        if isinstance(verdict, Cause) or self._uploading is None or self._asked_at is not None:
            return verdict
        # An answer may come while the body is still sent: then it counts too.
        speed = self._uploading.verdict(now, self._sent + received)
        return speed if isinstance(speed, Cause) else min(verdict, speed)

    def _begun_patience(self) -> Patience:
        total_by = time.monotonic() + (self._permit.ends_by - now_utc()).total_seconds()
        patience = Patience(
            connect_by=total_by,  # which has a limit of its own
            total_by=total_by,
            first_byte=self._fetch.first_byte_timeout.total_seconds(),
            low_speed_bytes=self._fetch.low_speed_bytes,
            low_speed_time=self._fetch.low_speed_time.total_seconds(),
            asked_at=self._asked_at,
        )
        if self._answered_at is not None:
            patience.answered(self._answered_at)
        return patience

    def _hurry(self, until: datetime) -> None:
        self.close()
        if self._patience is None:
            self._patience = self._begun_patience()
        self._patience.total_by = time.monotonic() + (until - now_utc()).total_seconds()
        self.look()
