"""A schedule of change: which pages of a world change, appear, move and vanish, and on which of its days.

A world without a day stands still. On day 0 and later every page that is not a front page has a life that
follows from its number alone: so what a crawl on one day finds changed since another is known to the last quad.
"""

from dataclasses import dataclass
from functools import lru_cache

from gossamer.demo.chance import mix

_LIFE = 31  # salt
_SPREAD = 3  # days over which things happen, from day 1
MOVED = "/moved"  # before the path of a page that has moved


@dataclass(frozen=True, slots=True)
class Life:
    """What happens to a page, and when."""

    changes_every: int | None = None  # days
    appears: int = 0
    moves: int | None = None
    vanishes: int | None = None

    def is_there(self, day: int | None) -> bool:
        """Whether the page is there on a day."""
        if day is None:
            return True
        return self.appears <= day and (self.vanishes is None or day < self.vanishes)

    def has_moved(self, day: int | None) -> bool:
        """Whether the page has its new address on a day."""
        return day is not None and self.moves is not None and day >= self.moves

    def edition(self, day: int | None) -> int:
        """How often what the page says has changed by a day."""
        return 0 if day is None or self.changes_every is None else day // self.changes_every


STEADY = Life()


@lru_cache(maxsize=50_000)
def life_of(seed: int, number: int, index: int) -> Life:
    """The life of page `number` of a world, the `index`th of its host; front pages stay as they are."""
    if index == 0:
        return STEADY
    draw = mix(seed, number, _LIFE)
    day = 1 + (draw >> 8) % _SPREAD
    match draw % 16:
        case 0 | 1 | 2 | 3:
            return Life(changes_every=day)
        case 4:
            return Life(appears=day)
        case 5:
            return Life(vanishes=day)
        case 6:
            return Life(moves=day)
    return STEADY
