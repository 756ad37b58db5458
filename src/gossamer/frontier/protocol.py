"""What a frontier does, in words that hold for every engine: what next, and what then.

A *lease* is the right to send requests to one host until a deadline; a *claim* is the right
to settle the pages that were handed out with it. One token stands for both. Releasing a host
ends the lease at once, and leaves the claim for as long as it is renewed: a host does not
wait until its pages are transformed and settled.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from gossamer.config import Politeness
from gossamer.model import NOT_MODIFIED, Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.robots.record import RobotsRecord


class NewUrl(NamedTuple):
    """A URL to remember: a seed, an entry of a sitemap."""

    url: Url
    depth: int = 0
    priority: int = 0
    hops: int = 0  # redirects that led here
    seed: bool = False


class Outlink(NamedTuple):
    """A URL that a page leads to; how deep that is, the frontier knows."""

    url: Url
    priority: int = 0


NOFOLLOW: Final = "nofollow"
"""The weakest rule by which a link is not followed: any other says more about its URL."""

REDIRECTS: Final = "redirects"
"""The rule by which a target is not followed to which too many of them lead."""


class RefusedLink(NamedTuple):
    """A URL that a page leads to and that is not followed."""

    url: Url
    rule: str  # "nofollow", "scope-host", "trap-length"…


class Assignment(NamedTuple):
    """A page to fetch, and what is known about it from before."""

    id: int
    host: str
    token: int  # of the lease it came with
    url: Url
    depth: int
    hops: int
    seed: bool
    attempts: int  # that came to nothing so far
    etag: str | None = None
    last_modified: str | None = None
    digest: bytes | None = None  # of the content when it was last fetched
    archived: str | None = None  # where the archive has it


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to send to a host until a deadline, and what the sender needs to know."""

    host: str
    token: int
    until: datetime
    clock: HostClock
    robots: tuple[RobotsRecord, ...] = ()
    pages: tuple[Assignment, ...] = ()


@dataclass(frozen=True, slots=True)
class Renewed:
    """A lease that goes on; `wanted` where somebody else waits for the host."""

    until: datetime
    wanted: bool = False


class Ended(StrEnum):
    """How a page was settled."""

    CONTENT = "content"  # answered with content, or not modified since
    REDIRECTED = "redirected"
    FAILED = "failed"  # for good
    REFUSED = "refused"  # by us, or by robots.txt
    SKIPPED = "skipped"  # answered with content that can hold nothing for us
    RETRY = "retry"  # to be fetched again at `retry_at`
    ASIDE = "aside"  # not in scope as it is now; kept for a wider one


class Settlement(NamedTuple):  # one a page: made in a fifth of the time of a dataclass
    """A page's outcome, with all that is to be kept of it."""

    page: Assignment
    ended: Ended
    status: int | None = None
    why: str | None = None  # a cause or rule, and a sentence
    etag: str | None = None
    last_modified: str | None = None
    digest: bytes | None = None
    media_type: str | None = None
    quads: int = 0
    problems: int = 0
    archived: str | None = None
    retry_at: datetime | None = None
    ask_plainly: bool = False  # the next time: without the validators of an earlier visit
    links: Sequence[Url] = ()
    outside: Sequence[Url] = ()  # out of scope as it is now; kept for a wider one
    priority: int = 0  # of all these
    refused: Sequence[RefusedLink] = ()  # those outside too
    # What an earlier visit brought stays: what it said, where it led, its place in the archive.
    keep_content: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """What a settling came to."""

    new: int  # URLs not known before
    stale: tuple[Assignment, ...] = ()  # claimed by nobody or somebody else: nothing was changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Where a crawl ends, as far as the frontier can tell; None is without end."""

    depth: int | None = None
    pages: int | None = None  # answered with content, over all runs
    per_host: int | None = None
    per_site: int | None = None


class HostStage(StrEnum):
    """What a host is doing."""

    IDLE = "idle"  # nothing of it is left to fetch
    READY = "ready"
    WAITING = "waiting"  # for its delay
    PARKED = "parked"  # asks for more patience than we have
    LEASED = "leased"
    FULL = "full"  # a limit on pages per host or site is reached


@dataclass(frozen=True, slots=True, kw_only=True)
class HostState:
    """One host as people see it."""

    host: str
    site: str
    stage: HostStage
    until: datetime | None  # when it is ready again, or its lease ends
    why: str  # what it waits for
    delay: timedelta
    pending: int
    content: int  # pages answered with content
    failures: int  # in a row
    node: str | None = None  # who holds it


@dataclass(frozen=True, slots=True)
class SiteBudget:
    """What the pages of one site have us keep, in bytes."""

    site: str
    waiting: int = 0  # URLs of the site that wait to be fetched
    aside: int = 0  # of links that are not followed
    elsewhere: int = 0  # URLs at other sites, made known today
    left_out: int = 0  # links that were not kept
    over: tuple[str, ...] = ()  # keys of the limits that are reached


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState:
    """What is known about one URL."""

    url: Url
    depth: int
    priority: int
    hops: int
    seed: bool
    state: str  # "pending", "handed out", "waiting", "settled", "aside", "beyond"
    attempts: int
    retry_at: datetime | None = None
    ended: Ended | None = None
    status: int | None = None
    why: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    digest: bytes | None = None
    media_type: str | None = None
    quads: int = 0
    problems: int = 0
    archived: str | None = None
    settled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NodeState:
    """A node of the crawl."""

    node: str
    hosts: int  # in its hands
    pages: int  # with content, that it brought
    until: datetime | None  # when the last of its leases ends, unless it renews them
    seen_at: datetime | None  # when it last took or renewed leases


class Trouble(StrEnum):
    """How a page did not go well."""

    FAILED = "failed"
    REFUSED = "refused"
    RETRY = "retry"  # failed, and to be tried again
    PROBLEMS = "problems"  # it was had, and something in it is wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class TroubledPage:
    """A page that did not go well."""

    url: Url
    kind: Trouble
    status: int | None
    why: str | None  # a cause or rule, and a sentence
    attempts: int
    problems: int
    settled_at: datetime | None
    place: str  # in the list of all: whoever asks for those after it names this


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much is known, done and left."""

    known: int = 0
    pending: int = 0  # to be fetched when their hosts are ready
    handed: int = 0  # in somebody's hands
    waiting: int = 0  # for another attempt
    aside: int = 0  # out of scope as it is now
    beyond: int = 0  # deeper than the limit
    ended: Mapping[Ended, int] = field(default_factory=dict)
    hosts: Mapping[HostStage, int] = field(default_factory=dict)
    next_at: datetime | None = None  # the first moment at which anything waiting is ready
    full: int = 0  # pending pages of hosts that are full
    full_by_site: int = 0  # of the hosts that are full, those whose sites are
    visited_hosts: int = 0  # hosts with content
    with_content: int = 0  # pages that hold some, though their last visit may have failed
    again: bool = False  # the limit on pages is reached; some that hold content are left to ask

    @property
    def left(self) -> int:
        """Pages still to be fetched, as far as limits allow."""
        return self.pending + self.handed + self.waiting - self.full


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A page that was removed: what else there is of it to remove."""

    url: Url
    archived: str | None


class Linking(NamedTuple):
    """Some of the pages that link to a page."""

    pages: Sequence[Url]
    go_on: int | None  # where to look for more of them


class ArchivedPage(NamedTuple):
    """A page with content that the archive has, and what its last visit came to."""

    id: int
    url: Url
    archived: str
    ended: Ended
    status: int | None
    why: str | None
    settled_at: datetime

    @property
    def was_visited_since(self) -> bool:
        """Whether the last visit brought no content: what is archived is of an earlier one."""
        return self.ended is not Ended.CONTENT or self.status == NOT_MODIFIED


class Frontier(Protocol):
    """Remembers URLs, hands them out politely, and keeps what became of them."""

    def add(self, urls: Sequence[NewUrl], *, found_by: str | None = None) -> int:
        """Remember URLs; how many were new. A known one keeps smaller depth and higher priority.

        Those that a site names (`found_by`) are kept as far as its budget has room for them.
        """

    def lease(self, hosts: int, *, pages: int = 5) -> list[Lease]:
        """Claim up to so many ready hosts, with the next few pages of each."""

    def more(self, lease: Lease, pages: int) -> tuple[Assignment, ...]:
        """Further pages of a host that is held; none where the lease is lost."""

    def renew(self, tokens: Sequence[int]) -> dict[int, Renewed]:
        """Hold on to leases and claims; a token that is missing from the answer is lost."""

    def release(
        self, clocks: Mapping[int, HostClock], unused: Sequence[Assignment] = ()
    ) -> set[int]:
        """Give hosts back, by token, with their clocks as they stand; the tokens that were lost.

        `unused` are pages that were handed out and not asked for.
        """

    def seeds(self) -> list[Url]:
        """The URLs that the crawl began with, and where they redirected."""

    def settle(self, settlements: Sequence[Settlement], clocks: Mapping[int, HostClock]) -> Settled:
        """Write down outcomes, links and, by token, the clocks of hosts that are still held."""

    def reserve(self, host: str) -> Lease | Wait:
        """The right to send to one host, in turn with whoever leases it for the crawl."""

    def lend(self, host: str, until: datetime | None) -> None:
        """Note that somebody outside may send to a host we hold until then; None: no more."""

    def park(self, host: str, until: datetime, why: str) -> None:
        """Leave a host alone until then."""

    def counts(self) -> Counts:
        """How much is known, done and left."""

    def hosts(
        self, *, after: str = "", limit: int = 1000, stage: HostStage | None = None
    ) -> list[HostState]:
        """Hosts by name, from the one after `after`."""

    def host(self, name: str) -> HostState | None:
        """One host, if it is known."""

    def nodes(self) -> list[NodeState]:
        """Who crawls, by name."""

    def clocks(self, *, after: str = "", limit: int = 1000) -> list[tuple[str, HostClock]]:
        """Hosts and their clocks as they were last written down, by name."""

    def refuse(self, links: Sequence[RefusedLink], depth: int) -> None:
        """Remember links that no page has, and that are not followed; none beyond the limit."""

    def nearest(self, origin: str) -> int | None:
        """The least depth of the pages of an origin that were asked for."""

    def refusals(self) -> dict[str, int]:
        """How many URLs were linked to and not followed, by rule."""

    def refusal(self, url: Url) -> str | None:
        """The rule by which a URL was linked to and not followed."""

    def page(self, url: Url) -> PageState | None:
        """What is known about a URL."""

    def linking(self, url: Url, after: int = 0) -> Linking:
        """Pages that link to a URL, as far as a short look finds any, from a number on."""

    def troubled(
        self,
        *,
        kinds: Collection[Trouble] = (),
        host: str | None = None,
        limit: int = 100,
        after: str | None = None,
    ) -> list[TroubledPage]:
        """Pages that did not go well in any of these ways (none: all), the latest first.

        Only those after the `place` of one of them, where that is given.
        """

    def causes(self) -> Mapping[Ended, Mapping[str, int]]:
        """How many pages failed or were refused, by cause or rule."""

    def problems(self) -> int:
        """How many problems there are in all pages together."""

    def archived(self, after: int, limit: int) -> list[ArchivedPage]:
        """Pages with content that were archived, from the number after `after`."""

    def read_anew(self, pages: Sequence[tuple[int, int, int]]) -> None:
        """Note how many quads and problems pages have, by number: they were read once more."""

    def urls_of(self, host: str, after: int, limit: int) -> list[tuple[int, Url]]:
        """The numbers and URLs of a host's pages, from the number after `after`."""

    def forget(self, *, host: str | None = None, url: Url | None = None) -> list[Forgotten]:
        """Remove a URL, or all URLs of a host; its clock stays, for the host still wants rest."""

    def again(self, older_than: datetime) -> int:
        """Fetch anew all pages that were settled before; how many these are."""

    def move(self, file: str, moved: Mapping[str, str]) -> int:
        """Note where records of a file of the archive are now, by where they were; how many pages'."""

    def configure(self, politeness: Politeness) -> None:
        """Take up a changed configuration; hosts that wait are looked at again."""

    def limit(self, limits: Limits) -> None:
        """Take up other limits; a larger depth goes on from what is known."""

    def reconsider(self, admits: Callable[[Url], bool]) -> int:
        """Take up what was out of scope and no longer is; how many URLs these are."""

    def take_over(self) -> None:
        """Be the only one: the leases of all others are void, for they are proven dead."""

    def close(self) -> None:
        """Let go of the store. Leases end at their deadlines, or when the next owner takes over."""
