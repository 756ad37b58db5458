"""A bounded memory of URLs seen of late, in front of the store: most links lead to known pages."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

MOST: Final = 200_000

Known = tuple[int, int]
"""The depth and priority that the store has of a page at least: smaller, and higher, is better."""


class RecentUrls:
    """What the store has of about so many pages, by key. When it is full, the older half goes."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._known: dict[int, Known] = {}
        self.get = self._known.get  # asked for every link there is

    def learn(self, keys: Iterable[tuple[int, Known]]) -> None:
        """Remember what was committed; before that it would be a lie."""
        self._known.update(keys)
        if len(self._known) > self._most:
            for key in list(islice(self._known, len(self._known) - self._most // 2)):
                del self._known[key]

    def clear(self) -> None:
        """Know nothing any more: something was forgotten."""
        self._known.clear()
