"""What becomes of a URL in a right crawl, and all of them together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from gossamer.demo.rendering import rendered
from gossamer.demo.resources import Listing
from gossamer.demo.world import Page, World
from gossamer.model import Url


@dataclass(frozen=True, slots=True)
class Visited:
    """Answered with content that can hold statements."""

    url: Url
    depth: int
    noindex: bool  # nothing of it is stored
    nofollow: bool  # none of its links is followed
    holds: Page | Listing | None = field(repr=False)  # None: bytes that say nothing


@dataclass(frozen=True, slots=True)
class Skipped:
    """Answered with content that cannot hold anything for us: PDF, images."""

    url: Url
    depth: int
    content_type: str


@dataclass(frozen=True, slots=True)
class Redirected:
    """The outcome of a URL that redirects to another."""

    url: Url
    depth: int
    target: Url


@dataclass(frozen=True, slots=True)
class Failed:
    """Asked for without success; `cause` is a short stable word."""

    url: Url
    depth: int
    cause: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Never asked for, because of the named rule."""

    url: Url
    depth: int
    rule: str


Outcome = Visited | Skipped | Redirected | Failed | Refused
_Outcome = TypeVar("_Outcome", Visited, Skipped, Redirected, Failed, Refused)


@dataclass(frozen=True)
class Truth:
    """The complete expected result of a crawl."""

    world: World
    outcomes: Mapping[Url, Outcome]

    @property
    def visited(self) -> Mapping[Url, Visited]:
        """The pages that are answered with content."""
        return self._of(Visited)

    @property
    def skipped(self) -> Mapping[Url, Skipped]:
        """What is asked for and left, because of its content type."""
        return self._of(Skipped)

    @property
    def redirected(self) -> Mapping[Url, Redirected]:
        """The URLs that redirect."""
        return self._of(Redirected)

    @property
    def failed(self) -> Mapping[Url, Failed]:
        """The URLs that fail."""
        return self._of(Failed)

    @property
    def refused(self) -> Mapping[Url, Refused]:
        """The URLs that must not be requested."""
        return self._of(Refused)

    @property
    def requested(self) -> frozenset[Url]:
        """Every URL that a server sees, robots.txt and sitemaps apart."""
        return frozenset(url for url, o in self.outcomes.items() if not isinstance(o, Refused))

    def stored_quads(self, url: Url) -> int:
        """How many quads of a page reach the graph."""
        return stored_quads(self.world, self.visited[url])

    def quads(self) -> int:
        """How many quads reach the graph; this writes every page, so it takes its time."""
        return sum(stored_quads(self.world, page) for page in self.visited.values())

    def _of(self, kind: type[_Outcome]) -> Mapping[Url, _Outcome]:
        return {url: o for url, o in self.outcomes.items() if isinstance(o, kind)}


def stored_quads(world: World, page: Visited) -> int:
    """How many quads of a page reach the graph: none if it asks for that."""
    return 0 if page.noindex or page.holds is None else rendered(world, page.holds).quads
