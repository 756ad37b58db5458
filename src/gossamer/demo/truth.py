"""Ground truth: what a right crawl does on a world, by the world's own knowledge.

A breadth-first walk over the world's links as it made them, not as it wrote them:
nothing here parses a page or a robots.txt, or checks a URL. `expected` streams, so a
question about ten pages of a million costs ten pages; `truth` collects. The rules it
goes by are written down in docs/demo-web.md.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from gossamer.config import Traps
from gossamer.demo.links import Link, links_of
from gossamer.demo.lookup import knows_host, resource_at
from gossamer.demo.malice import closed_by_robots
from gossamer.demo.malice.traps import trap_at
from gossamer.demo.names import site_name
from gossamer.demo.outcomes import (
    Failed,
    Outcome,
    Redirected,
    Refused,
    Skipped,
    Truth,
    Visited,
)
from gossamer.demo.paths import HTML_FORMATS, shelf_of
from gossamer.demo.resources import Broken, Busy, File, Listing, Moved, Sorry
from gossamer.demo.robots import forbidden
from gossamer.demo.sitemaps import listed
from gossamer.demo.world import Page, World
from gossamer.model import Url

MAX_HOPS = 10
Scope = Literal["page", "host", "site", "any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The finer settings of a crawl that change its result."""

    sitemaps: bool = False
    honour_nofollow: bool = True  # of single links; that of pages is always honoured
    forbidden_closes: bool = True  # a robots.txt answered with 403 closes its host
    max_links: int | None = None  # taken from one page, in document order
    traps: Traps = field(default_factory=Traps)
    today: date | None = None  # what calendars are judged by; None: the real one


DEFAULT_RULES = Rules()


def truth(
    world: World,
    seeds: Iterable[Url],
    depth: int | None = None,
    scope: Scope = "host",
    agent: str = "gossamer",
    rules: Rules = DEFAULT_RULES,
) -> Truth:
    """All that a right crawl from these canonical URLs comes to."""
    outcomes = expected(world, seeds, depth, scope, agent, rules)
    return Truth(world, {outcome.url: outcome for outcome in outcomes})


def expected(
    world: World,
    seeds: Iterable[Url],
    depth: int | None = None,
    scope: Scope = "host",
    agent: str = "gossamer",
    rules: Rules = DEFAULT_RULES,
) -> Iterator[Outcome]:
    """Expected outcomes, one at a time: pages in order of depth, then what nobody followed."""
    return _Walk(world, depth, scope, agent, rules).outcomes(seeds)


@dataclass(frozen=True, slots=True)
class _Found:
    url: Url
    depth: int
    hops: int = 0  # redirects that led here
    is_seed: bool = False

    @property
    def address(self) -> tuple[str, str]:
        """The host name and path of a URL."""
        name, slash, path = self.url.removeprefix("http://").partition("/")
        return name, slash + path


class _Walk:
    def __init__(
        self, world: World, depth: int | None, scope: Scope, agent: str, rules: Rules
    ) -> None:
        self._world = world
        self._max_depth = depth
        self._scope = scope
        self._agent = agent
        self._rules = rules
        self._today = rules.today or date.today()
        self._queue: deque[_Found] = deque()
        self._depths: dict[Url, int] = {}  # the least depth at which each URL was found
        self._shunned: dict[Url, int] = {}  # by links that ask not to be followed
        self._areas: set[str] = set()  # what the seeds have in common with all that is in scope
        self._hosts_seen: set[int] = set()

    def outcomes(self, seeds: Iterable[Url]) -> Iterator[Outcome]:
        for url in seeds:
            self._join(_Found(url, 0, is_seed=True))
        while self._queue:
            found = self._queue.popleft()
            if found.depth == self._depths[found.url]:  # else it was found again, nearer
                yield self._settled(found)
        for url, depth in self._shunned.items():
            if url not in self._depths:
                yield Refused(url, depth, "nofollow")

    # ---- joining

    def _join(self, found: _Found, *, first: bool = False) -> None:
        """Queue what was found, unless it is known at least as near."""
        if found.depth >= self._depths.get(found.url, found.depth + 1):
            return
        self._depths[found.url] = found.depth
        if found.is_seed:
            self._areas.add(self._area(found))
        if first:
            self._queue.appendleft(found)
        else:
            self._queue.append(found)

    def _join_links(self, found: _Found, links: Iterable[Link], *, nofollow: bool) -> None:
        depth = found.depth + 1
        if self._max_depth is not None and depth > self._max_depth:
            return
        fetchable = [link for link in links if link.target is not None]
        for link in fetchable[: self._rules.max_links]:
            assert link.target is not None
            if nofollow or (link.nofollow and self._rules.honour_nofollow):
                self._shunned.setdefault(link.target, depth)
            else:
                self._join(_Found(link.target, depth))

    def _join_sitemaps(self, found: _Found) -> None:
        """What a host's sitemaps list is one link away from the nearest page of that host."""
        host = self._world.host(found.address[0])
        if host is None or host in self._hosts_seen:
            return
        self._hosts_seen.add(host)
        if self._max_depth is None or found.depth < self._max_depth:
            for number in listed(self._world, host):
                self._join(_Found(self._world.url(number), found.depth + 1))

    # ---- settling

    def _settled(self, found: _Found) -> Outcome:
        rule = self._refusal(found)
        if rule:
            return Refused(found.url, found.depth, rule)
        if self._rules.sitemaps:
            self._join_sitemaps(found)
        resource = resource_at(self._world, *found.address)
        match resource:
            case Page():
                return self._visited(found, resource)
            case Listing() | Busy(refusals=int(), then=Listing()):
                listing = resource if isinstance(resource, Listing) else resource.then
                self._join_links(found, listing.links, nofollow=False)
                return Visited(found.url, found.depth, False, False, listing)
            case Moved():
                return self._redirected(found, resource)
            case File("text/html"):
                return Visited(found.url, found.depth, False, False, None)
            case File(content_type):
                return Skipped(found.url, found.depth, content_type)
            case Busy():
                return Failed(found.url, found.depth, "parked")
            case Sorry(status):
                return Failed(found.url, found.depth, f"status-{status}")
            case Broken(cause):
                return Failed(found.url, found.depth, cause)

    def _visited(self, found: _Found, page: Page) -> Visited:
        nofollow = page.nofollow(self._agent)
        links: Iterable[Link] = links_of(self._world, page)
        if page.format not in HTML_FORMATS:  # what is stated twice is one statement
            links = _each_once(links)
        self._join_links(found, links, nofollow=nofollow)
        return Visited(found.url, found.depth, page.noindex(self._agent), nofollow, page)

    def _redirected(self, found: _Found, moved: Moved) -> Redirected | Failed:
        if moved.target is None:
            return Failed(found.url, found.depth, "bad-redirect")
        # Where a seed leads is a seed; and it comes before anything that is further away.
        target = _Found(moved.target, found.depth, found.hops + 1, found.is_seed)
        self._join(target, first=True)
        return Redirected(found.url, found.depth, moved.target)

    # ---- refusing

    def _refusal(self, found: _Found) -> str | None:
        name, path = found.address
        if found.hops > MAX_HOPS:
            return "redirects"
        if trap := trap_at(name, path, self._rules.traps, self._today):
            return trap
        if self._area(found) not in self._areas:
            return "scope"
        if not knows_host(self._world, name):
            return "address"  # all other hosts that the world links to are internal addresses
        return "robots" if self._forbids(name, path) else None

    def _area(self, found: _Found) -> str:
        name = found.address[0]
        match self._scope:
            case "page":
                return found.url
            case "host":
                return name
            case "site":
                return site_name(name)
            case "any":
                return ""

    def _forbids(self, name: str, path: str) -> bool:
        host = self._world.host(name)
        if host is None:
            return closed_by_robots(name)
        closes = self._rules.forbidden_closes
        shelves = forbidden(self._world.robots(host), self._agent, forbidden_closes=closes)
        return shelf_of(path) in shelves


def _each_once(links: Iterable[Link]) -> Iterable[Link]:
    first: dict[Url | None, Link] = {}
    for link in links:
        first.setdefault(link.target, link)
    return first.values()
