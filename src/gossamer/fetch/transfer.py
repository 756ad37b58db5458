"""One answer as it arrives: headers, then body, within limits of size and time. Bytes in; no socket here.

`Patience` decides about all four limits of time, so that one place names the cause; the
HTTP library's own time-outs cannot tell a slow connect from a slow answer.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from gossamer.model import BodyState, Cause, ResponseHead, Url

_STATUS_LINE: Final = re.compile(rb"HTTP/(\d(?:\.\d)?) +(\d{3})")
# RFC 9110 §5.5: these are dangerous inside a value; a recipient puts a space in their place.
_UNSAFE: Final = str.maketrans("\r\n\0", "   ")
# RFC 9110 §5.6.3: what may stand around a value. Left alone, `strip` would take the last byte of an
# à in UTF-8 with it, which in Latin-1 is a space that must not be broken.
_AROUND: Final = " \t"
MAX_UNREAD_BYTES: Final = 64 * 1024  # of an answer that is not read: a new connection costs more
# Each piece costs us a call and an object, and a server that sends chunks of a byte six bytes.
FREE_PIECES: Final = 16_384  # of any size; beyond them …
LEAST_PIECE_BYTES: Final = 64  # … they hold so much on average
_SUCCESS: Final = range(200, 300)
_FIRST_FINAL_STATUS: Final = 200
_BODILESS: Final = (204, 304)
Wanted = Callable[[ResponseHead], bool]


class TransferLimits(NamedTuple):
    """What one answer may bring."""

    max_header_bytes: int
    max_body_bytes: int
    first_bytes: int | None = None  # take this much of the body and leave the rest


@dataclass(frozen=True, slots=True)
class Stop:
    """Why we ended a transfer ourselves: a failure, or enough of the body."""

    reason: Cause | BodyState
    message: str = ""


@dataclass(slots=True)
class Patience:
    """What we have waited for so far, and how long we go on."""

    connect_by: float
    total_by: float
    first_byte: float  # seconds from the request to the first byte of the answer
    low_speed_bytes: int  # a second …
    low_speed_time: float  # … over this many seconds
    asked_at: float | None = None  # when the request went out
    answered_at: float | None = None  # when the first byte came
    window_at: float = 0.0  # since when speed is being measured
    window_received: int = 0  # what had been received then

    def asked(self, now: float) -> None:
        """The connection stands, and the request goes out."""
        self.asked_at = now

    def answered(self, now: float) -> None:
        """The first byte of the answer is here."""
        self.answered_at = self.window_at = now

    def verdict(self, now: float, received: int) -> Cause | float:
        """The limit that has run out, or when to look again."""
        if now >= self.total_by:
            return Cause.TIMEOUT_TOTAL
        if self.asked_at is None:
            return self._unless_late(now, self.connect_by, Cause.TIMEOUT_CONNECT)
        if self.answered_at is None:
            by = self.asked_at + self.first_byte
            return self._unless_late(now, by, Cause.TIMEOUT_FIRST_BYTE)
        return self._speed(now, received)

    def _unless_late(self, now: float, by: float, cause: Cause) -> Cause | float:
        if now >= by:
            return cause
        # A later phase may begin right after this look, and its limit may be shorter.
        return min(by, now + self.first_byte, now + self.low_speed_time, self.total_by)

    def _speed(self, now: float, received: int) -> Cause | float:
        if now >= self.window_at + self.low_speed_time:
            fast_enough = self.low_speed_bytes * (now - self.window_at)
            if received - self.window_received < fast_enough:
                return Cause.SLOW
            self.window_at, self.window_received = now, received
        return min(self.window_at + self.low_speed_time, self.total_by)


class Transfer:
    """Collects one answer. `add_…` say whether to go on; `stopped` says why not."""

    def __init__(
        self,
        url: Url,
        limits: TransferLimits,
        patience: Patience,
        ticks: Callable[[], float],
        wanted: Wanted | None = None,
    ) -> None:
        self.url = url
        self.patience = patience
        self.stopped: Stop | None = None
        self.request_headers: tuple[tuple[str, str], ...] = ()  # as they go out
        self.sent_again = False  # or would have been, had we let curl
        self.crash: Exception | None = None  # raised by `wanted`, which is the caller's code
        self.http_version = "1.1"
        self.head_complete = False
        self.received = 0
        self._limits = limits
        self._ticks = ticks
        self._wanted = wanted
        self._status = 0
        self._header_bytes = 0
        self._headers: list[tuple[str, str]] = []
        self._head: ResponseHead | None = None
        self._body: list[bytes] = []
        self._body_bytes = 0

    @property
    def head(self) -> ResponseHead:
        """Status and headers, as far as they have come."""
        if self._head is None or not self.head_complete:
            self._head = ResponseHead(self.url, self._status, tuple(self._headers))
        return self._head

    @property
    def body(self) -> bytes:
        """As much of the body as we took."""
        return b"".join(self._body)

    def asked(self) -> None:
        """The connection stands, and the request goes out."""
        self.patience.asked(self._ticks())

    def add_header(self, line: bytes) -> bool:
        """Take one line of the headers, the empty last one included."""
        if self.patience.asked_at is None:
            return True  # an upstream proxy's own answer: we have asked nothing yet
        if self.patience.answered_at is None:
            self.patience.answered(self._ticks())
        self.received += len(line)
        self._header_bytes += len(line)
        if self._header_bytes > self._limits.max_header_bytes:
            limit = f"{self._limits.max_header_bytes:,} bytes"
            return self.stop(Cause.HEADER_TOO_LARGE, f"The headers are larger than {limit}.")
        if self.head_complete:
            return True  # trailers, which say nothing we need
        self._read_header(line)
        return self._goes_on() if self.head_complete else True

    def add_body(self, chunk: bytes) -> bool:
        """Take a piece of the body."""
        self.received += len(chunk)
        self._body.append(chunk)
        self._body_bytes += len(chunk)
        if len(self._body) > FREE_PIECES and self._is_crumbs:
            return self.stop(
                Cause.BAD_RESPONSE, "The body comes in too many pieces of a few bytes."
            )
        if self._is_unread:
            return self._body_bytes <= MAX_UNREAD_BYTES or self._skip()
        first = self._limits.first_bytes
        if first is not None:  # the caller's own limit, smaller or larger than the usual one
            if self._body_bytes <= first:
                return True
            self._body = [self.body[:first]]
            return self.stop(BodyState.CUT)
        return self._body_bytes <= self._limits.max_body_bytes or self._stop_too_large()

    def stop(self, reason: Cause | BodyState, message: str = "") -> bool:
        """End the transfer for a reason of ours; the first one counts."""
        self.stopped = self.stopped or Stop(reason, message)
        return False

    def _read_header(self, line: bytes) -> None:
        text = line.decode("latin-1").rstrip("\r\n")
        if not text.isprintable():  # as nearly all are
            text = text.translate(_UNSAFE)
        if line.startswith(b"HTTP/") and (status := _STATUS_LINE.match(line)):
            # Interim answers (1xx) come first; the last head is the answer's.
            self.http_version, self._status = status[1].decode(), int(status[2])
            self._headers.clear()
        elif text[:1] in (" ", "\t") and self._headers:
            name, value = self._headers[-1]
            self._headers[-1] = (name, f"{value} {text.strip(_AROUND)}".strip(_AROUND))
        elif ":" in text:
            name, _, value = text.partition(":")
            self._headers.append((name.strip(_AROUND), value.strip(_AROUND)))
        elif not text:
            self.head_complete = self._status >= _FIRST_FINAL_STATUS

    def _goes_on(self) -> bool:
        """Now that the head is complete, decide by it alone whether to take the body."""
        if (length := self._announced_bytes()) == 0:
            return True  # without a body there is nothing to refuse, and the connection stays good
        is_long = self._is_unread and length > MAX_UNREAD_BYTES
        if is_long or not self._is_wanted():
            return self._skip()
        is_limited = not self._is_unread and self._limits.first_bytes is None
        too_large = is_limited and length > self._limits.max_body_bytes
        return self._stop_too_large() if too_large else True

    @property
    def _is_unread(self) -> bool:
        """Whether status and headers say all that anybody wants to know: an error, a redirect."""
        return self._status not in _SUCCESS

    @property
    def _is_crumbs(self) -> bool:
        return len(self._body) - FREE_PIECES > self._body_bytes // LEAST_PIECE_BYTES

    def _skip(self) -> bool:
        self._body.clear()
        return self.stop(BodyState.SKIPPED)

    def _announced_bytes(self) -> int:
        """How large the body will be; 1 where nobody says."""
        if self._status in _BODILESS:
            return 0
        length = self.head.content_length
        return 1 if length is None else length

    def _is_wanted(self) -> bool:
        try:
            return self._wanted is None or self._wanted(self.head)
        except Exception as error:  # the caller's own code: raised again where they await
            self.crash = error
            return False

    def _stop_too_large(self) -> bool:
        limit = f"{self._limits.max_body_bytes:,} bytes"
        return self.stop(Cause.TOO_LARGE, f"The body is larger than {limit}.")
