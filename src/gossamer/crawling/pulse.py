"""How fast a crawl is just now: pages and quads a second, over the last ten seconds."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from gossamer.crawling.progress import Progress
from gossamer.frontier.protocol import Ended

WINDOW: Final = timedelta(seconds=10)
BEAT_SECONDS: Final = 0.5


class Beat(NamedTuple):
    """How much was done by a moment."""

    at: datetime
    pages: int
    quads: int


@dataclass(slots=True)
class Pulse:
    """Looks at the sums of a run from time to time."""

    progress: Progress
    now: Callable[[], datetime]
    _beats: deque[Beat] = field(default_factory=deque)

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            self.beat()
            await asyncio.sleep(BEAT_SECONDS)

    def beat(self) -> None:
        """Look now."""
        beats, now = self._beats, self.now()
        beats.append(Beat(now, self.progress.ended[Ended.CONTENT], self.progress.quads))
        while len(beats) > 2 and beats[1].at <= now - WINDOW:
            beats.popleft()

    def rates(self) -> tuple[float, float]:
        """Pages and quads a second."""
        if len(self._beats) < 2:
            return 0.0, 0.0
        first, last = self._beats[0], self._beats[-1]
        seconds = (last.at - first.at).total_seconds()
        if seconds <= 0:
            return 0.0, 0.0
        return (last.pages - first.pages) / seconds, (last.quads - first.quads) / seconds
