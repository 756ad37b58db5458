"""Where each page number lives: which host, and which page of that host.

Hosts take consecutive runs of numbers. Sizes fall with the square root of the host's
number: a few hosts are large, most are small, and each has at least its front page.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from math import isqrt


@dataclass(frozen=True)
class Layout:
    """How a number of pages is spread over a number of hosts."""

    pages: int
    hosts: int

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The number of each host's front page, and past the last host the number of pages."""
        spare, whole = self.pages - self.hosts, _root(self.hosts)
        return tuple(h + spare * _root(h) // whole for h in range(self.hosts + 1))

    def host(self, number: int) -> int:
        """The host on which page `number` lives."""
        return bisect_right(self.starts, number) - 1

    def size(self, host: int) -> int:
        """The number of pages of a host."""
        return self.starts[host + 1] - self.starts[host]


def _root(number: int) -> int:
    # Whole numbers only: a float's last bit may differ between machines.
    return isqrt(number << 40)
