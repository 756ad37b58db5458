"""A web that grows as it is linked to, the same in every run."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from gossamer.frontier.protocol import Ended, Lease, Settlement
from gossamer.model import Url

LINKS = 40
SAME_HOST = 0.8
KNOWN = 0.5
PAGES = 100  # of a host, about, however large the web has grown
GROUPS = 80  # of pages of one host, in one transaction: as many pages as a crawl settles at once


@dataclass
class Web:
    """Pages are numbered on each host; half of the links lead to pages linked to before.

    As pages become known, so do hosts: a small crawl and a large one differ in size alone.
    """

    first_hosts: int = 1_000
    chance: random.Random = field(default_factory=lambda: random.Random(5))
    pages: dict[int, int] = field(default_factory=dict)
    known: int = 0
    first: int = 0  # number: what nodes find is new to the others

    @property
    def hosts(self) -> int:
        """How many hosts there are by now."""
        return max(self.first_hosts, self.known // PAGES)

    def url(self, host: int, number: int) -> Url:
        """The address of a page."""
        return Url(f"https://www.host-{host}.test/some/section-{number % 7}/page-{number}.html")

    def links(self, host: int, count: int = LINKS) -> list[Url]:
        """The links of a page of a host."""
        found = []
        hosts = self.hosts
        for _ in range(count):
            to = host if self.chance.random() < SAME_HOST else self.chance.randrange(hosts)
            number = last = self.pages.get(to, 0)
            if last and self.chance.random() < KNOWN:
                number = self.chance.randrange(last)
            else:
                self.pages[to] = last + 1
                self.known += 1
            found.append(self.url(to, self.first + number))
        return found

    def batch(self, pages_of_a_host: int) -> list[list[Url]]:
        """The links of so many pages of each of some hosts, page by page."""
        return [
            self.links(host)
            for host in (self.chance.randrange(self.hosts) for _ in range(GROUPS))
            for _ in range(pages_of_a_host)
        ]

    def settlements(self, leases: Iterable[Lease], links: int = LINKS) -> list[Settlement]:
        """What becomes of the pages of some leases."""
        return [
            Settlement(
                page=page,
                ended=Ended.CONTENT,
                status=200,
                quads=20,
                links=self.links(_number(lease.host), links),
                priority=300,
            )
            for lease in leases
            for page in lease.pages
        ]


def _number(host: str) -> int:
    return int(host.removeprefix("www.host-").removesuffix(".test"))
