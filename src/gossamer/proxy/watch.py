"""Ends an exchange when one of its time limits has run out, and remembers which."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final

from gossamer.config import Fetch
from gossamer.fetch.patience import Patience
from gossamer.model import Cause
from gossamer.moments import now_utc
from gossamer.proxy.permits import Permit
from gossamer.proxy.upstream import Upstream

WHY: Final = {
    Cause.TIMEOUT_CONNECT: "The request could not be sent in time.",
    Cause.TIMEOUT_FIRST_BYTE: "The server took too long to begin its answer.",
    Cause.TIMEOUT_TOTAL: "The request took too long.",
    Cause.SLOW: "The answer came too slowly, or was taken too slowly.",
}


SOON: Final = 0.5  # seconds to the first look


class Watch:
    """Looks at one exchange from time to time. `cause` is set where it was ended."""

    def __init__(self, fetch: Fetch, permit: Permit, give_up: Callable[[], None]) -> None:
        total_by = _ticks() + (permit.ends_by - permit.started_at).total_seconds()
        self.cause: Cause | None = None
        self._give_up = give_up
        self._upstream: Upstream | None = None
        self._before = 0  # bytes that came over the same connection for others
        self._patience = Patience(
            connect_by=total_by,  # which has a limit of its own
            total_by=total_by,
            first_byte=fetch.first_byte_timeout.total_seconds(),
            low_speed_bytes=fetch.low_speed_bytes,
            low_speed_time=fetch.low_speed_time.total_seconds(),
        )
        permit.on_hurry = self._hurry
        # Most are over before there is anything to be seen.
        soon = min(SOON, self._patience.first_byte, self._patience.low_speed_time)
        self._timer = asyncio.get_running_loop().call_later(soon, self._look)

    def connected(self, upstream: Upstream) -> None:
        """The request goes to this server now."""
        self._upstream, self._before = upstream, upstream.received

    def asked(self) -> None:
        """All of the request was sent."""
        self._patience.asked(_ticks())

    def answered(self) -> None:
        """The answer has begun."""
        self._patience.answered(_ticks())

    def close(self) -> None:
        """Look no more."""
        self._timer.cancel()

    def _look(self) -> None:
        received = self._upstream.received - self._before if self._upstream else 0
        verdict = self._patience.verdict(_ticks(), received)
        if isinstance(verdict, Cause):
            self.cause = verdict
            self._give_up()
        else:
            self._timer = asyncio.get_running_loop().call_at(verdict, self._look)

    def _hurry(self, until: datetime) -> None:
        self._patience.total_by = _ticks() + (until - now_utc()).total_seconds()
        self.close()
        self._look()


def _ticks() -> float:
    return asyncio.get_running_loop().time()
