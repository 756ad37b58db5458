"""Which of many names was probably meant by one that is none of them. Pure."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

ALIKE: Final = 0.7  # of 1
MOST_NAMES: Final = 2_000  # that are compared, some 20 µs each
LONGEST: Final = 100  # characters of a name: comparing takes time with their square


def nearest_name(name: str, names: Iterable[str], alike: float = ALIKE) -> str | None:
    """Which of the names was meant, if it looks like one of them; capitals do not count."""
    if not name or len(name) > LONGEST:
        return None
    by_small: dict[str, str] = {}
    for each in names:
        if len(each) <= LONGEST:
            by_small.setdefault(each.lower(), each)
        if len(by_small) == MOST_NAMES:
            break
    found = get_close_matches(name.lower(), by_small, n=1, cutoff=alike)
    return by_small[found[0]] if found else None
