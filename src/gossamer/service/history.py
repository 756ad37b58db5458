"""The last hour of a crawl, for charts: a few numbers every few seconds, in memory. Pure."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from gossamer.owner.messages import Record

EVERY_SECONDS: Final = 5.0
MOST: Final = 720  # of them: an hour

OF_RUN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "pages": "pages_per_second",
        "quads": "quads_per_second",
        "visits": "visits",
        "reading": "reading",
        "keeping": "keeping",
    }
)
RATES: Final = ("fetch", "read", "archive", "graph", "settle", "bytes", "cpu")
SERIES: Final = (*OF_RUN, *RATES, "left", "memory")
"""What is kept, by name."""


@dataclass(slots=True)
class History:
    """Points of time, the oldest first; nothing is noted while no crawl runs."""

    every: float = EVERY_SECONDS
    _points: deque[tuple[float, tuple[float | None, ...]]] = field(
        default_factory=lambda: deque(maxlen=MOST)
    )

    def note(self, told: Record) -> None:
        """Keep a snapshot, unless the one before was a moment ago."""
        at = told["at"]
        if told.get("run") is None or (self._points and at < self._points[-1][0] + self.every):
            return
        self._points.append((at, tuple(point(told).values())))

    def record(self) -> Record:
        """All of it, a column each."""
        columns = zip(*(values for _, values in self._points), strict=True)
        series = dict(zip(SERIES, columns, strict=False)) or dict.fromkeys(SERIES, ())
        return {
            "every": self.every,
            "at": [at for at, _ in self._points],
            "series": {name: list(values) for name, values in series.items()},
        }


def point(told: Record) -> dict[str, float | None]:
    """What charts show of a snapshot of a crawl that runs; None where it is not known."""
    return {
        **{name: told["run"][field] for name, field in OF_RUN.items()},
        **{name: told["rates"][name] for name in RATES},
        "left": told["left"],
        "memory": told["memory"],
    }
