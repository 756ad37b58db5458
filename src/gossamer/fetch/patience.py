"""How long one transfer may take, phase by phase. Pure: times come in as seconds.

One place decides about all four limits, so that one place names the cause; the
HTTP library's own time-outs cannot tell a slow connect from a slow answer.
"""

from dataclasses import dataclass

from gossamer.model import Cause


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
