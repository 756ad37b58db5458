"""What can live at an address of the demo web.

Server and ground truth both start from these values: the one turns them into bytes,
the other into what a right crawler makes of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from gossamer.demo.links import Link
from gossamer.demo.world import Page
from gossamer.model import Url


class Speed(StrEnum):
    """How fast a good response is sent."""

    AT_ONCE = "at once"
    LATE = "late"  # nothing for a while, then all of it
    TRICKLE = "trickle"  # a little at a time


@dataclass(frozen=True, slots=True)
class Listing:
    """A plain HTML page that is nothing but its links."""

    url: Url
    links: tuple[Link, ...] = ()
    speed: Speed = Speed.AT_ONCE


@dataclass(frozen=True, slots=True)
class Moved:
    """A redirect; one without a target leads to nothing that can be fetched."""

    status: int
    location: str | None
    target: Url | None


@dataclass(frozen=True, slots=True)
class Sorry:
    """A response with a fixed error status."""

    status: int


@dataclass(frozen=True, slots=True)
class Busy:
    """An error status with `Retry-After`, which gives way to a page after some requests."""

    status: int
    wait_seconds: int
    as_date: bool
    refusals: int | None  # None: it never gives way
    then: Listing


@dataclass(frozen=True, slots=True)
class File:
    """Bytes that are no page: robots.txt, sitemaps, PDF, images, and mislabelled ones."""

    content_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait so long before the next step."""

    seconds: float


class End(StrEnum):
    """How a broken connection ends."""

    CLOSE = "close"
    RESET = "reset"


Step = bytes | Pause | End


@dataclass(frozen=True, slots=True)
class Broken:
    """A connection that goes wrong, step by step; `cause` is what a client sees."""

    cause: str
    steps: Iterable[Step]  # read anew for each request


Resource = Page | Listing | Moved | Sorry | Busy | File | Broken

NOT_FOUND = Sorry(404)
