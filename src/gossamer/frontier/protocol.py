"""Values that the frontier takes and returns: pages to fetch, leases, outcomes, and what people ask about.

A *lease* is the right to send requests to one host until a deadline; a *claim* is the right
to settle the pages that were handed out with it. One token stands for both. Releasing a host
ends the lease at once, and leaves the claim for as long as it is renewed: a host does not
wait until its pages are transformed and settled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from gossamer.duplicates.group import GroupKind
from gossamer.focus.hints import LinkHint
from gossamer.model import NOT_MODIFIED, Url
from gossamer.politeness.clock import HostClock
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


NO_HINTS: Final[Mapping[Url, LinkHint]] = MappingProxyType({})
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
    said: bytes | None = None  # the hash of its statements then, after the mark of the readers
    shown: bytes | None = None  # the hash of its visible text


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
    said: bytes | None = None
    shown: bytes | None = None
    sketch: bytes | None = None  # what the page is compared with others by
    canonical: Url | None = None  # the URL that it names as the right one, unless that is its own
    hints: Mapping[Url, LinkHint] = NO_HINTS  # of links, where something is wanted first
    wanted: Sequence[tuple[int, float]] = ()  # entities, by number and weight
    spent: float = 0.0  # seconds of the host's time
    changed: bool | None = None  # since the visit before; None where that tells nothing of it
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
    pending: int  # pages to be fetched
    content: int  # pages that hold some, though their last visit may have failed
    failures: int  # in a row
    node: str | None = None  # who holds it
    waiting: int = 0  # pages for another attempt


@dataclass(frozen=True, slots=True)
class SiteBudget:
    """What the pages of one site have us keep, in bytes."""

    site: str
    waiting: int = 0  # URLs of the site that wait to be fetched
    aside: int = 0  # of links that are not followed
    elsewhere: int = 0  # URLs at other sites, made known today
    left_out: int = 0  # links that were not kept
    over: tuple[str, ...] = ()  # keys of the limits that are reached
    # What is known where one site is asked for: pages that hold content, and those that say what another page says.
    content: int = field(default=0, compare=False)
    repeated: int = field(default=0, compare=False)


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
    look_at: datetime | None = None  # its next look, where pages are kept fresh
    looked: bytes | None = None  # what its looks have shown; `looks.PageLook`


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


class SlowHost(NamedTuple):
    """A host that the end of a crawl waits for."""

    host: str
    pending: int  # pages to be fetched
    takes: timedelta  # by its delay alone
    why: str  # the delay in force, and who asked for it


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A page that was removed: what else there is of it to remove."""

    url: Url
    archived: str | None


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """Pages that are the same thing."""

    representative: Url
    why: str  # what spoke for it
    others: tuple[Url, ...]  # as many as are looked at, the shortest first
    members: int  # how many pages there are, of all sites
    kind: GroupKind


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
