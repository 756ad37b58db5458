"""Jobs for the workers and their answers: a page and what it says, a sitemap and what it lists.

Values only; the readers themselves are loaded by the workers alone. What comes back is bounded, and a
sitemap's listing stays packed until its entries are added a few thousand at a time.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, Self, cast

from gossamer.config import MIB, Sitemaps
from gossamer.config import Transform as Options
from gossamer.model import Cause, Detection, Link, Problem, ServiceReply, Syntax, Url
from gossamer.processes.wire import OFTEN, Wire
from gossamer.report.finding import Finding, PageFact
from gossamer.report.options import PLAIN as PLAIN_REPORT
from gossamer.report.options import ReportOptions
from gossamer.transform.jsonld.processing import PLAIN, JsonLdOptions

if TYPE_CHECKING:
    import pyoxigraph

    from gossamer.transform.items.readers import Items

QUERY = "follow-query"  # what problems with the user's own links are filed under
TEXT = "text"  # and those with a page's visible text
MAX_DECODED_BYTES = 64 * 1024 * 1024  # where the caller names no limit
MARK: Final = b"S"  # before the job of a sitemap: that of a page begins with a length, so with 0
MAX_LISTED_BYTES: Final = 16 * MIB  # of addresses in one sitemap: 335 for each of 50,000
MAX_PROBLEMS: Final = 100  # of one sitemap


@dataclass(frozen=True, slots=True)
class PageJob:
    """A page as it came, and what is wanted of it."""

    url: str
    body: bytes
    content_type: str | None = None
    content_encoding: str = ""
    contexts: Mapping[str, bytes] = field(default_factory=dict)
    options: Annotated[Options, OFTEN] = field(default_factory=Options)
    max_decoded_bytes: int = MAX_DECODED_BYTES
    find_links: bool = True  # a quarter of the work, where nobody will follow them
    max_links: int | None = None  # the first ones, as they stand on the page
    bare_links: bool = False  # their addresses alone, as `targets`: half of the work with them
    link_query: str | None = None  # whose answers are the links, instead of those on the page
    service: ServiceReply | None = None  # what the service for its media type answered, once asked
    json_ld: Annotated[JsonLdOptions, OFTEN] = PLAIN
    find_items: bool = False  # nested dictionaries, as JSON: for programs that want these
    tells_shares: bool = False  # which syntax said which quads
    finds_faults: bool = False  # what the rules of reports say of the page
    robots_tag: str = ""  # the header, for rules
    report: Annotated[ReportOptions, OFTEN] = PLAIN_REPORT  # profiles and shapes, for rules
    hashes: bool = False  # of what the page says and shows, to tell whether it has changed
    page_statements: bool = True  # title, images and language of an HTML page, as statements
    tells_languages: bool = False  # which the page says that it is in
    text: Literal["none", "lead", "full"] = "none"  # how much of its visible text is wanted
    hidden_links: bool = False  # addresses that it has for its scripts
    forms: int = 0  # addresses of each form of choices
    is_part: bool = False  # the body is the first part of one that was too large
    takes_part: bool = False  # of what unpacks to too much, the first part is enough
    want: tuple[str, ...] = ()  # what is wanted first: things (`focus.wants`), and words
    want_words: tuple[str, ...] = ()
    is_text: bool = False  # the body is the UTF-8 of text: what it says of its encoding is past


class Share(NamedTuple):
    """What one syntax, stylesheet, plug-in or service said: so many of the page's quads, in their order.

    A quad that was said before is the other's, and stands in `repeats` as well.
    """

    syntax: str
    quads: int
    repeats: bytes = b""  # N-Quads


@dataclass(frozen=True, slots=True)
class ServiceQuestion:
    """What a service is to be asked before a page can be read: a worker cannot do so itself."""

    media_type: str  # as it was detected
    body: bytes | None  # without content codings; None where it came without any


class Targets(NamedTuple):
    """Where a page leads, each address once and on a line of its own: all that a crawl wants to know.

    Dozens of records a page would take longer to hand over than all else that it says.
    """

    vouched: bytes = b""
    unvouched: bytes = b""  # which the page does not vouch for: see `Link.nofollow`

    @classmethod
    def of(cls, links: Iterable[Link]) -> Self:
        """The addresses of links."""
        lots: tuple[list[Url], list[Url]] = [], []
        for link in links:
            lots[link.nofollow].append(link.url)
        return cls.to(*lots)

    @classmethod
    def to(cls, vouched: Iterable[Url], unvouched: Iterable[Url]) -> Self:
        """Targets from addresses."""
        return cls("\n".join(vouched).encode(), "\n".join(unvouched).encode())

    @property
    def urls(self) -> tuple[list[Url], list[Url]]:
        """The addresses that the page vouches for, and the others."""
        return _lines(self.vouched), _lines(self.unvouched)

    @property
    def are_addresses(self) -> bool:
        """Whether every line looks like a canonical URL, whoever wrote it."""
        return all(not lot or _ADDRESSES.fullmatch(lot) is not None for lot in self)


NOWHERE: Final = Targets()
# As `urls.canonical` writes them: ASCII, a host without user info, a path, no fragment.
_ADDRESS: Final = rb"https?://[!\"$-.0->A-~]++/[!\"$-~]*+"
_ADDRESSES: Final = re.compile(rb"%b(?:\n%b)*+" % (_ADDRESS, _ADDRESS))


def _lines(text: bytes) -> list[Url]:
    return cast(list[Url], text.decode().split("\n")) if text else []


@dataclass(frozen=True, slots=True)
class Extracted:
    """Everything a page says."""

    url: str
    detection: Annotated[Detection, OFTEN]
    nquads: bytes  # every quad once, in a fixed order
    count: int  # of quads
    links: tuple[Link, ...] = ()
    problems: tuple[Problem, ...] = ()
    directives: tuple[tuple[str, str], ...] = ()  # of meta elements for robots: name, content
    cause: Cause | None = None  # why this is not all of the page: the first problem says more
    targets: Targets = NOWHERE  # instead of `links`, for who wants no more
    question: ServiceQuestion | None = None  # then the rest says nothing yet
    items_json: bytes = b""  # where the job asked for them
    shares: tuple[Share, ...] = ()  # of the quads, in their order, where the job asked for them
    points: int = 0  # of the page's links, by priorities of other packages
    findings: tuple[Finding, ...] = ()  # of the rules of reports, where the job asked for them
    facts: tuple[PageFact, ...] = ()  # that are compared with other pages, where it did
    # Where the job asked for them: the mark of the readers with the hash of all statements; of the visible text.
    said_hash: bytes = b""
    text_hash: bytes = b""
    # Where the job says what is wanted: such things of the page, and hints about `targets.vouched`, a line each.
    wanted: tuple[tuple[int, float], ...] = ()
    hints: bytes = b""
    wall: str | None = None  # whose challenge the page is, by its form
    # Which the page says that it is in, where the job asked for them.
    languages: tuple[str, ...] = ()
    sketch: bytes = b""  # by which it is compared with other pages
    canonical: str | None = None  # the one other address that it names as the right one
    hidden: Targets = NOWHERE  # addresses for its scripts; and those of its forms, as the others
    # What people see, as `transform.text` packs it, where the job asked for it and the page is all there.
    text: bytes = b""

    def read_items(self) -> "Items":
        """The items by kind; empty where the job did not ask for them."""
        try:
            return cast("Items", json.loads(self.items_json)) if self.items_json else {}
        except (ValueError, RecursionError):  # a page that has its worker speak for it
            return {}

    def extracted(self) -> Self:
        """All parts as one value, which this is."""
        return self

    @property
    def quads(self) -> "Iterator[pyoxigraph.Quad]":
        """The quads one by one; the source graph is named by the page's URL."""
        import pyoxigraph  # 11 MB: on request

        return iter(pyoxigraph.parse(self.nquads, pyoxigraph.RdfFormat.N_QUADS))

    @property
    def syntaxes(self) -> tuple[Syntax, ...]:
        """What the page is written in."""
        return self.detection.syntaxes


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
