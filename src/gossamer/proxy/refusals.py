"""What the proxy says itself: a status, a sentence, and the same in X-Gossamer-Reason. Pure."""

import re
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Final

from gossamer.fetch.names import Unreachable
from gossamer.http.wire.fields import Fields, Malformed
from gossamer.model import Cause
from gossamer.proxy.cache import status as cache_status
from gossamer.proxy.cache.protocol import CAUSE, REASON
from gossamer.proxy.permits import AWAY, BUSY, CLOCK, PAUSE, ROBOTS, Denied

# What we say may repeat what a site or a system said: nothing in it ends a line or moves a cursor.
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_SECOND: Final = timedelta(seconds=1)
# What is wrong with the request, and not with the server, which answers nothing for it.
_FORBIDDEN: Final = frozenset({Cause.REFUSED_ADDRESS, Cause.RESERVED_NAME, Cause.REFUSED_PORT})
_LATE: Final = frozenset(
    {Cause.TIMEOUT_CONNECT, Cause.TIMEOUT_FIRST_BYTE, Cause.TIMEOUT_TOTAL, Cause.SLOW}
)


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer of our own."""

    status: int
    why: str  # a sentence, or several
    fields: Fields = ()
    cause: str | None = None  # the word for it that the log has

    @property
    def body(self) -> bytes:
        """The sentence as people get it."""
        lines = [_CONTROL.sub(" ", line) for line in self.why.split("\n")]
        return "\n".join([*lines, ""]).encode(errors="replace")

    @property
    def block(self) -> bytes:
        """All header lines but those about the connection."""
        reason = _CONTROL.sub(" ", self.why).encode("ascii", "backslashreplace")
        fields = (
            (b"Content-Type", b"text/plain; charset=utf-8"),
            (b"Content-Length", b"%d" % len(self.body)),
            (b"Cache-Control", b"no-store"),
            (REASON, reason),
            *([] if self.cause is None else [(CAUSE, self.cause.encode("ascii"))]),
            *self.fields,
        )
        lines = b"".join([b"%s: %s\r\n" % field for field in fields])
        return lines + cache_status.nothing(self.cause or "refused")


ENDING: Final = Refused(
    503, "This proxy is being stopped. Try again in a moment.", ((b"Retry-After", b"5"),), "ending"
)
FAULT: Final = Refused(500, "This should not have happened; the log of the proxy says more.")


def of_malformed(bad: Malformed) -> Refused:
    """What is said to those who do not speak HTTP."""
    return Refused(bad.status, bad.why)


def of_denied(denied: Denied) -> Refused:
    """What is said where nothing is sent."""
    again = _again(denied.wait)
    if denied.rule == ROBOTS:
        return Refused(403, denied.why, again, ROBOTS)
    if denied.rule in (CLOCK, PAUSE, BUSY):
        return Refused(429, denied.why, again, denied.rule)
    if denied.rule == AWAY:
        return Refused(503, denied.why, again, AWAY)
    return of_trouble(denied.rule, denied.why)


def of_unreachable(trouble: Unreachable) -> Refused:
    """What is said where there is no way to the server."""
    return of_trouble(trouble.cause, trouble.why)


def of_trouble(cause: str, why: str) -> Refused:
    """A refusal by the name of its cause."""
    status = 403 if cause in _FORBIDDEN else 504 if cause in _LATE else 502
    return Refused(status, why, cause=cause)


def _again(wait: timedelta | None) -> Fields:
    if wait is None:
        return ()
    return ((b"Retry-After", b"%d" % max(ceil(wait / _SECOND), 1)),)
