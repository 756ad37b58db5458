"""What single words, tags and hosts tell of a link: how much visits of links with each of them brought.

A naive estimate from few sums, one pair a clue. It is for links whose arm was hardly visited, such as those of a new
host, and for which links of an arm come first; once an arm was visited, its own sums count.
"""

from array import array
from collections.abc import Iterable, Mapping
from math import exp, log
from typing import Final

from gossamer.focus.hints import CLUES

ALL: Final = 0  # the clue that every link has
REMEMBERED: Final = 4_000.0  # visits with a clue that count, about
_TRUST: Final = 3.0
_MOST_TELLING: Final = 4  # clues count together
_DAMPED: Final = 0.7  # clues are not independent of each other
_FARTHEST: Final = 5.0  # of the logarithm
UNKNOWN: Final = 0.05  # wanted things of a page, before anything is known
_LEAST: Final = 0.001
_HIGHEST, _DECADES = 2.0, 6.0  # of the scale of points


class ClueTable:
    """The sums of all clues."""

    def __init__(self, sums: Iterable[tuple[int, float, float]] = ()) -> None:
        self._visits = array("f", [0.0]) * CLUES
        self._gained = array("f", [0.0]) * CLUES
        self.set(sums)

    def set(self, sums: Iterable[tuple[int, float, float]]) -> None:
        """Take up sums as they are by now: clue, visits, and what these brought."""
        for clue, visits, gained in sums:
            if 0 <= clue < CLUES:
                self._visits[clue], self._gained[clue] = visits, gained

    @property
    def mean(self) -> float:
        """What a page brings, by all visits so far."""
        return (self._gained[ALL] + _TRUST * UNKNOWN) / (self._visits[ALL] + _TRUST)

    def estimate(self, clues: Iterable[int]) -> float:
        """What a page is likely to bring that is linked with these clues."""
        mean = self.mean
        told = sorted((self._tell(clue, mean) for clue in clues), key=abs, reverse=True)
        farthest = min(max(_DAMPED * sum(told[:_MOST_TELLING]), -_FARTHEST), _FARTHEST)
        return mean * exp(farthest)

    def telling(self, clues: Mapping[int, str]) -> list[tuple[str, float]]:
        """The clues that tell most, each with the factor that it stands for."""
        mean = self.mean
        told = [(name, self._tell(clue, mean)) for clue, name in clues.items()]
        told.sort(key=lambda each: -abs(each[1]))
        return [(name, exp(_DAMPED * each)) for name, each in told[:_MOST_TELLING] if each]

    def _tell(self, clue: int, mean: float) -> float:
        visits = self._visits[clue]
        if not visits:
            return 0.0
        brought = (self._gained[clue] + _TRUST * mean) / (visits + _TRUST)
        return log((brought + _LEAST) / (mean + _LEAST))


def points(worth: float) -> int:
    """Wanted things per second or page as points of a rank, 0 to 999: each tenfold is a sixth of them."""
    if worth <= 0:
        return 0
    decades = log(worth) / log(10) - _HIGHEST + _DECADES
    return round(min(max(999 * decades / _DECADES, 0), 999))
