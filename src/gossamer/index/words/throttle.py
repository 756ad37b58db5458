"""Throttles entities that take long to gather, such as the organisation that every page of a site names.

Gathering them is put off, so that they do not take up all our time; none is left out.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

SLOW_SECONDS: Final = 0.001  # what takes longer is not done each time …
REST_SECONDS: Final = 8.0  # … but after this time at the earliest, …
REST: Final = 10  # … and after so many times as long as all that is slow took together
MOST_SLOW: Final = 20_000  # of which we know when they were done


class _Slow(NamedTuple):
    seconds: float
    due: float


@dataclass(slots=True)
class WordsThrottle:
    """Which things are slow, and when each may be done again. A site may have thousands of them."""

    now: Callable[[], float] = time.monotonic
    _slow: dict[str, _Slow] = field(default_factory=dict)
    _seconds: float = 0.0  # that all of them take

    def is_due(self, iri: str) -> bool:
        """Whether it may be done now."""
        return iri not in self._slow or self.now() >= self._slow[iri].due

    def took(self, iri: str, seconds: float) -> None:
        """Note how long it took."""
        if before := self._slow.pop(iri, None):
            self._seconds -= before.seconds
        if seconds < SLOW_SECONDS:
            return
        if len(self._slow) >= MOST_SLOW:
            self._forget_those_due()
        self._seconds += seconds
        self._slow[iri] = _Slow(seconds, self.now() + max(REST_SECONDS, REST * self._seconds))

    def _forget_those_due(self) -> None:
        now = self.now()
        self._slow = {iri: each for iri, each in self._slow.items() if each.due > now}
        self._seconds = sum(each.seconds for each in self._slow.values())
