"""Pages in memory: those used last, and those that are not on disk yet; and which URLs are surely not stored.

Most URLs that are asked for are new, and to ask the file takes long. A Bloom filter has two bits for each
URL that was ever stored: where one of them is not set, nothing is stored, else the file knows. What is
dropped leaves its bits behind, without harm.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from gossamer.proxy.cache.stored import Stored

MEMORY_BYTES: Final = 32 * 1024 * 1024
BITS: Final = (
    1 << 23
)  # 1 MiB: of URLs that are new, one in a thousand is asked for in vain at 130,000 stored
_OVERHEAD: Final = 1024  # of the objects themselves
_MASK: Final = BITS - 1
_HALF: Final = 29  # bits of a hash from which the second place comes


@dataclass(slots=True, eq=False)
class Page:
    """All that is stored for one URL, the newest last."""

    url: str
    variants: list[Stored] = field(default_factory=list)

    @property
    def weight(self) -> int:
        """Bytes that it takes in memory, roughly."""
        return _OVERHEAD + sum(
            len(each.block) + len(each.body or b"") + _OVERHEAD for each in self.variants
        )


class Shelf:
    """Pages by URL, within a bound. A page that is not written yet stays whatever it takes."""

    def __init__(self, max_bytes: int = MEMORY_BYTES) -> None:
        self._max_bytes = max_bytes
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._weights: dict[str, int] = {}
        self._held: dict[str, tuple[Page, int]] = {}  # with how many changes on their way
        self.weight = 0

    def get(self, url: str) -> Page | None:
        """A page, if it is here."""
        page = self._pages.get(url)
        if page is not None:
            self._pages.move_to_end(url)
            return page
        held = self._held.get(url)
        return None if held is None else held[0]

    def put(self, page: Page) -> None:
        """Have a page here, or weigh it again after it changed."""
        self._forget(page.url)
        self._pages[page.url] = page
        self._weights[page.url] = page.weight
        self.weight += page.weight
        while self.weight > self._max_bytes and self._pages:
            self._forget(next(iter(self._pages)))

    def hold(self, page: Page) -> None:
        """A change to a page is on its way to the disk: until then this is where it is."""
        _, changes = self._held.get(page.url, (page, 0))
        self._held[page.url] = (page, changes + 1)

    def release(self, url: str) -> None:
        """A change is on the disk, or came to nothing."""
        page, changes = self._held[url]
        if changes > 1:
            self._held[url] = (page, changes - 1)
        else:
            del self._held[url]

    def remove(self, url: str) -> None:
        """Forget a page: it is to be read anew."""
        self._forget(url)

    def urls(self) -> set[str]:
        """The URLs of all pages that are here."""
        return {*self._pages, *self._held}

    def take_out(self, url: str, number: int) -> None:
        """Take out one response of a page that is gone from the disk."""
        page = self.get(url)
        if page is not None:
            page.variants[:] = [each for each in page.variants if each.id != number]

    def _forget(self, url: str) -> None:
        if self._pages.pop(url, None) is not None:
            self.weight -= self._weights.pop(url)


class BloomFilter:
    """URLs that may be stored."""

    def __init__(self) -> None:
        self._bits = bytearray(BITS // 8)

    def add(self, url: str) -> None:
        """Something is stored for a URL."""
        for place in (hash(url) & _MASK, hash(url) >> _HALF & _MASK):
            self._bits[place >> 3] |= 1 << (place & 7)

    def add_all(self) -> None:
        """Add every URL: what is stored is unknown."""
        self._bits = bytearray(b"\xff" * len(self._bits))

    def __contains__(self, url: str) -> bool:
        """Whether something may be stored."""
        one, other = hash(url) & _MASK, hash(url) >> _HALF & _MASK
        bits = self._bits
        return bool(bits[one >> 3] >> (one & 7) & 1 and bits[other >> 3] >> (other & 7) & 1)
