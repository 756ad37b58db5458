"""A throttle for log events: those that come too often are counted instead, so that a log cannot fill a disk."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

MOST: Final = 10  # of one kind …
PERIOD_SECONDS: Final = 60.0  # … in this time
MOST_KINDS: Final = 100


@dataclass(slots=True)
class Throttle:
    """Lets some of each kind through."""

    clock: Callable[[], float] = time.monotonic
    _since: float = float("-inf")
    _counts: dict[str, int] = field(default_factory=dict)

    def admits(self, kind: str) -> bool:
        """Whether one more event of this kind is logged."""
        now = self.clock()
        if now - self._since >= PERIOD_SECONDS:
            self._since = now
            self._counts.clear()
        if kind not in self._counts and len(self._counts) >= MOST_KINDS:
            return False
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        return count <= MOST
