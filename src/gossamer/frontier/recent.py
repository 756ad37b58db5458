"""A bounded memory of URLs seen of late, in front of the store: most links lead to known pages.

A table with a place for each key, in which a newer page takes the place of an older one: twelve
bytes a page, where a dictionary takes two hundred. It doubles as it fills. An entry then stands
in both halves, of which one is its place; the other is no key's, and is written over in time.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

MOST: Final = 1 << 22  # places: 50 MB
FEWEST: Final = 1 << 10
DEEPEST: Final = (1 << 15) - 1  # of pages that are remembered; so that 32 bits hold what is known
PRIORITIES: Final = 1 << 16

P = TypeVar("P", bound="Page")

Page = tuple[Any, int, int, Any, bool]
"""A URL, its depth, its priority, its hops, and whether it is a seed, which is always news."""


class RecentUrls:
    """What the store has of about so many pages, by key: at least this near, at least so urgent."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self.clear()

    def news(self, keys: Iterable[int], pages: Iterable[P]) -> Iterator[tuple[int, P]]:
        """Those of some pages that the store may not have, or not as near or as urgent."""
        known_keys, known, mask = self._keys, self._known, self._mask
        for key, page in zip(keys, pages, strict=True):
            place = key & mask
            if known_keys[place] == key:
                _, depth, priority, _, seed = page
                value = known[place] - 1  # less than nothing where it is nothing at all
                if (
                    0 <= value // PRIORITIES <= depth
                    and not seed
                    and value % PRIORITIES >= priority
                ):
                    continue
            yield key, page

    def learn(self, pages: Mapping[int, Page]) -> None:
        """Remember what was committed; before that it would be a lie."""
        if not self._most:
            return
        self._learned += len(pages)
        while 2 * self._learned > self._mask < self._most - 1:
            self._grow()
        keys, known, mask = self._keys, self._known, self._mask
        for key, (_, depth, priority, hops, _) in pages.items():
            # Where a redirect led may yet be linked to, and that is news.
            if depth <= DEEPEST and not hops:
                place = key & mask
                keys[place] = key
                known[place] = depth * PRIORITIES + priority + 1  # 0 is nothing at all

    def clear(self) -> None:
        """Know nothing any more: something was forgotten."""
        places = min(FEWEST, 1 << max(self._most - 1, 0).bit_length())
        self._keys = array("q", [0]) * places
        self._known = array("I", [0]) * places
        self._mask = places - 1
        self._learned = 0

    def _grow(self) -> None:
        self._keys *= 2
        self._known *= 2
        self._mask = len(self._keys) - 1
