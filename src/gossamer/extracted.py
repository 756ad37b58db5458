"""A page to be read, and what it says: the values that go to a worker and come back.

Apart from the readers themselves, which only the workers load.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, NamedTuple, Self, cast

import pyoxigraph

from gossamer.config import Transform as Options
from gossamer.model import Cause, Detection, Link, Problem, ServiceReply, Syntax, Url
from gossamer.processes.wire import OFTEN

QUERY = "follow-query"  # what problems with the user's own links are filed under
MAX_DECODED_BYTES = 64 * 1024 * 1024  # where the caller names no limit


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
        """These addresses."""
        return cls("\n".join(vouched).encode(), "\n".join(unvouched).encode())

    @property
    def urls(self) -> tuple[list[Url], list[Url]]:
        """Those that the page vouches for, and the others."""
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
    directives: tuple[tuple[str, str], ...] = ()  # names and contents of meta elements for robots
    cause: Cause | None = None  # why this is not all of the page: the first problem says more
    targets: Targets = NOWHERE  # instead of `links`, for who wants no more
    question: ServiceQuestion | None = None  # then the rest says nothing yet

    @property
    def quads(self) -> Iterator[pyoxigraph.Quad]:
        """The quads one by one; the source graph is named by the page's URL."""
        return iter(pyoxigraph.parse(self.nquads, pyoxigraph.RdfFormat.N_QUADS))

    @property
    def syntaxes(self) -> tuple[Syntax, ...]:
        """What the page is written in."""
        return self.detection.syntaxes
