"""Fetches under way, so that those who want the same page wait for one of them.

A fetch whose answer cannot be shared tells everybody: for a while nobody waits for that page, so
that a hundred clients of a page that no cache may keep are never lined up. One that brought no
answer says nothing about the page: the first of those who waited fetches it for the others.
"""

from collections import OrderedDict
from typing import Final

from gossamer.proxy.cache.protocol import Flight, Landing
from gossamer.proxy.cache.vary import Names, Values

ALONE_SECONDS: Final = 60.0
ALONE_MOST: Final = 4096  # pages that are remembered as not to be shared

Key = tuple[str, Names, Values]
"""What is fetched: the URL, and the request as far as the page is known to vary."""


class Flights:
    """Who fetches what."""

    def __init__(self) -> None:
        self._flights: dict[Key, Flight] = {}
        self._alone: OrderedDict[str, float] = OrderedDict()

    def is_alone(self, url: str, now: float) -> bool:
        """Whether nobody waits for anybody's fetch of this page, since its answers are not for others."""
        return self._alone.get(url, 0.0) > now

    def under_way(self, key: Key, now: float) -> Flight | None:
        """A fetch to wait for, if there is one worth waiting for."""
        flight = self._flights.get(key)
        return None if flight is None or self.is_alone(key[0], now) else flight

    def may_share(self, url: str) -> None:
        """A page has an answer that is for others, too."""
        self._alone.pop(url, None)

    def start(self, key: Key) -> Flight | None:
        """Begin a fetch for all who want this; None where one is under way."""
        if key in self._flights:
            return None
        flight = self._flights[key] = Flight()
        return flight

    def land(self, key: Key, flight: Flight, now: float, landing: Landing) -> None:
        """A fetch is over, or it is known that nobody else can use what it brings."""
        if self._flights.get(key) is flight:
            del self._flights[key]
            if landing is Landing.SHARED:
                self.may_share(key[0])
            elif landing is Landing.ALONE:
                self._remember(key[0], now + ALONE_SECONDS)
        flight.land(landing)

    def _remember(self, url: str, until: float) -> None:
        self._alone[url] = until
        self._alone.move_to_end(url)
        if len(self._alone) > ALONE_MOST:
            self._alone.popitem(last=False)
