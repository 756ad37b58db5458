"""Types that nothing has, where somebody searches for things of a type: which one was meant."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from gossamer.index.entities import short_name
from gossamer.index.words.asked import Search
from gossamer.owner.messages import Record

ALIKE: Final = 0.7  # of 1


async def unknown_types(
    types: Sequence[str], search: Callable[[Search], Awaitable[Record]]
) -> list[Record]:
    """Those of the types that nothing has, whatever else is asked for; each with the nearest.

    `near` is None where none of the common types looks like it, `count` how many things are of
    that.
    """
    wrong = [each for each in types if not (await search(Search(types=(each,), limit=1)))["total"]]
    known = (await search(Search(limit=1)))["facets"]["types"] if wrong else {}
    return [
        {"type": each, "near": near, "count": known[near] if near else 0}
        for each in wrong
        for near in [nearest(short_name(each) or each, known)]
    ]


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Which of the names was meant, if it looks like one of them; capitals do not count."""
    by_small = {each.lower(): each for each in names}
    found = get_close_matches(name.lower(), by_small, n=1, cutoff=ALIKE)
    return by_small[found[0]] if found else None
