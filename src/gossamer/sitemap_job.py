"""A sitemap to be read, and what it lists: the values that go to a worker and come back.

Apart from the reader itself, which only the workers load. What comes back is bounded, and stays
packed until its entries are added a few thousand at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Final, NamedTuple

from gossamer.config import MIB, Sitemaps
from gossamer.extracted import Targets
from gossamer.model import Problem, Url
from gossamer.processes.wire import OFTEN, Wire

MARK: Final = b"S"  # before a job of this kind: that of a page begins with a length, so with 0
MAX_LISTED_BYTES: Final = 16 * MIB  # of addresses in one sitemap: 335 for each of 50,000
MAX_PROBLEMS: Final = 100


@dataclass(frozen=True, slots=True)
class SitemapJob:
    """A sitemap as it came, and which hosts vouch for it."""

    url: str
    body: bytes
    content_encoding: str = ""
    vouched: tuple[str, ...] | None = None  # as `admissible` takes it
    limits: Annotated[Sitemaps, OFTEN] = field(default_factory=Sitemaps)


class ListedPage(NamedTuple):
    """A page that a sitemap lists."""

    url: Url
    changed_at: datetime | None = None
    priority: float | None = None  # 0 to 1


@dataclass(frozen=True, slots=True)
class Listing:
    """What a sitemap lists. Addresses stand on a line each."""

    pages: bytes = b""
    changed: tuple[int | None, ...] = ()  # of each page: seconds since 1970
    priorities: tuple[float | None, ...] = ()
    sitemaps: bytes = b""  # that an index names
    problems: tuple[Problem, ...] = ()

    @property
    def size(self) -> int:
        """The bytes of all addresses."""
        return len(self.pages) + len(self.sitemaps)

    @property
    def links(self) -> list[Url]:
        """The sitemaps that an index names."""
        return Targets(self.sitemaps).urls[0]

    def fits(self, limits: Sitemaps) -> bool:
        """Whether a worker that nobody has taken over can have said this."""
        count = self.pages.count(b"\n") + bool(self.pages)
        return (
            count == len(self.changed) == len(self.priorities)
            and count + self.sitemaps.count(b"\n") <= limits.max_entries
            and self.size <= MAX_LISTED_BYTES
            and len(self.problems) <= MAX_PROBLEMS
            and Targets(self.pages, self.sitemaps).are_addresses
        )

    def parts(self, most: int) -> Iterator[list[ListedPage]]:
        """The pages in order, so many at a time."""
        start = at = 0
        while at < len(self.changed):
            end = min(at + most, len(self.changed))
            urls = []
            for _ in range(at, end):
                stop = self.pages.find(b"\n", start)
                stop = len(self.pages) if stop < 0 else stop
                urls.append(Url(self.pages[start:stop].decode()))
                start = stop + 1
            columns = zip(urls, self.changed[at:end], self.priorities[at:end], strict=True)
            yield [ListedPage(url, _moment(then), _share(share)) for url, then, share in columns]
            at = end


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A sitemap that cost too much, or brought its worker down, and the sentence that says so."""

    why: str
    again: bool = False  # it may have been no fault of the sitemap


SITEMAP_JOBS: Final = Wire(SitemapJob)
LISTINGS: Final = Wire(Listing)


def _moment(seconds: int | None) -> datetime | None:
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _share(number: float | None) -> float | None:
    return number if number is not None and 0 <= number <= 1 else None
