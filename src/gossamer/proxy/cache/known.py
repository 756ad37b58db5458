"""Which URLs are surely not stored: most that are asked for are new, and to ask the file takes long.

A Bloom filter: two bits for each URL that was ever stored. Where one of them is not set, nothing is
stored; else the file knows. What is dropped leaves its bits behind, without harm.
"""

from typing import Final

BITS: Final = (
    1 << 23
)  # 1 MiB: of URLs that are new, one in a thousand is asked for in vain at 130,000 stored
_MASK: Final = BITS - 1
_HALF: Final = 29  # bits of a hash from which the second place comes


class Known:
    """URLs that may be stored."""

    def __init__(self) -> None:
        self._bits = bytearray(BITS // 8)

    def add(self, url: str) -> None:
        """Something is stored for a URL."""
        for place in (hash(url) & _MASK, hash(url) >> _HALF & _MASK):
            self._bits[place >> 3] |= 1 << (place & 7)

    def add_all(self) -> None:
        """Nobody knows what is stored."""
        self._bits = bytearray(b"\xff" * len(self._bits))

    def __contains__(self, url: str) -> bool:
        """Whether something may be stored."""
        one, other = hash(url) & _MASK, hash(url) >> _HALF & _MASK
        bits = self._bits
        return bool(bits[one >> 3] >> (one & 7) & 1 and bits[other >> 3] >> (other & 7) & 1)
