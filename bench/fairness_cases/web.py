"""A web of equal hosts, among them some without end and some that are broken.

Every page of a host but the last ones leads to the next few, so all hosts have pages at the same depths. The front
pages of the equal hosts lead to each other: that earns their sites a larger budget than the endless ones have.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

GOOD: Final = "good"
ENDLESS: Final = "endless"
BROKEN: Final = "broken"
LINKS: Final = 8  # of a page, to later ones
NEIGHBOURS: Final = 4  # hosts that a front page leads to
PAGES: Final = 5_000  # of a host that has an end: more than a crawl gets to


class Break(StrEnum):
    """How the pages of a broken host fail; its front page does not."""

    RESET = "reset"  # the connection is closed without an answer
    SILENT = "silent"  # nothing comes, until whoever asked gives up
    ERROR = "error"  # status 500
    CUT = "cut"  # the body ends too early
    GARBAGE = "garbage"  # what comes is not HTTP


BREAKS: Final = tuple(Break)


@dataclass(frozen=True, slots=True)
class Web:
    """So many hosts of each kind."""

    good: int
    endless: int
    broken: int

    @property
    def hosts(self) -> list[str]:
        """All names, those of different kinds mixed."""
        kinds = {GOOD: self.good, ENDLESS: self.endless, BROKEN: self.broken}
        numbered = [
            ((number + 0.5) / count, f"{kind}{number:03}.test")
            for kind, count in kinds.items()
            for number in range(count)
        ]
        return [host for _, host in sorted(numbered)]

    def links(self, host: str, page: int) -> Iterator[str]:
        """Where a page leads: paths of its own host, and addresses elsewhere."""
        first = page * LINKS + 1
        last = first + LINKS if host.startswith(ENDLESS) else min(first + LINKS, PAGES)
        for number in range(first, last):
            yield f"/p/{number}"
        if page == 0 and host.startswith(GOOD):
            own = int(host.removeprefix(GOOD).removesuffix(".test"))
            for step in range(1, min(NEIGHBOURS, self.good - 1) + 1):
                yield f"http://{GOOD}{(own + step) % self.good:03}.test/p/0"


def break_of(host: str, page: int) -> Break | None:
    """How a page fails, if it does."""
    if not host.startswith(BROKEN) or page == 0:
        return None
    return BREAKS[int(host.removeprefix(BROKEN).removesuffix(".test")) % len(BREAKS)]


def page_number(path: str) -> int | None:
    """The number of a page, by its path; None for robots.txt and the like."""
    number = path.removeprefix("/p/")
    return int(number) if path.startswith("/p/") and number.isdigit() else None
