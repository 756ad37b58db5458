"""From what lives at an address to what is sent: status, headers and body.

Pure: how often it was asked before and what time it is come in as arguments.
"""

import gzip
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import lru_cache
from http import HTTPStatus
from zlib import crc32

from gossamer.demo.chance import mix
from gossamer.demo.rendering import rendered
from gossamer.demo.resources import (
    Broken,
    Busy,
    File,
    Listing,
    Moved,
    Resource,
    Sorry,
    Speed,
)
from gossamer.demo.world import Page, World

_EPOCH = datetime(2025, 1, 1, tzinfo=UTC)  # no page is older
_ETAG = 21  # salt
KEPT_BODIES = 2_000  # bodies kept in memory: some 20 MB

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Served:
    """What is sent for one address; the connection decides how."""

    status: int
    body: bytes
    headers: Headers = ()
    zipped: bytes | None = None  # the same body for whoever accepts gzip
    etag: str | None = None
    modified: datetime | None = None
    speed: Speed = Speed.AT_ONCE

    def same_as(self, etags: str | None, since: datetime | None) -> bool:
        """Whether what a client has already is still good (RFC 9110 §13.2.2)."""
        if etags is not None:
            known = {tag.strip().removeprefix("W/") for tag in etags.split(",")}
            return self.etag is not None and bool(known & {self.etag, "*"})
        return since is not None and self.modified is not None and self.modified <= since


def answer_for(
    world: World, resource: Resource, asked_before: int, now: datetime
) -> Served | Broken:
    """The answer for a resource that was asked for so often before."""
    match resource:
        case Page():
            return _page(world, resource)
        case Listing():
            return _listing(world, resource)
        case Moved(status, location):
            return _short(status, () if location is None else (("Location", location),))
        case Sorry(status):
            return _short(status)
        case Busy(refusals=refusals, then=then) if (
            refusals is not None and asked_before >= refusals
        ):
            return _listing(world, then)
        case Busy(status):
            return _short(status, (("Retry-After", _retry_after(resource, now)),))
        case File(content_type, body):
            return Served(200, body, (("Content-Type", content_type),))
        case Broken():
            return resource


@lru_cache(maxsize=KEPT_BODIES)
def _page(world: World, page: Page) -> Served:
    made = rendered(world, page)
    headers: Headers = (("Content-Type", made.content_type), ("Vary", "Accept-Encoding"))
    if page.header:
        headers = (*headers, ("X-Robots-Tag", page.header.text))
    # Links depend on the size of the world, so its numbers belong to the tag.
    tag = mix(world.seed, page.number, mix(world.pages, world.hosts, _ETAG + world.malice))
    return Served(
        status=200,
        body=made.body,
        headers=headers,
        zipped=gzip.compress(made.body, 1, mtime=0) if page.zipped else None,
        # What changes with the days is known by the bytes; the day it was made, nobody tells.
        etag=f'"{tag:016x}"' if world.day is None else f'"{crc32(made.body):08x}"',
        modified=_EPOCH + timedelta(minutes=page.number % 500_000) if world.day is None else None,
    )


@lru_cache(maxsize=100)
def _listing(world: World, listing: Listing) -> Served:
    made = rendered(world, listing)
    return Served(200, made.body, (("Content-Type", made.content_type),), speed=listing.speed)


def _short(status: int, headers: Headers = ()) -> Served:
    body = f"{status} {HTTPStatus(status).phrase}\n".encode()
    return Served(status, body, (("Content-Type", "text/plain"), *headers))


def _retry_after(busy: Busy, now: datetime) -> str:
    if not busy.as_date:
        return str(busy.wait_seconds)
    # A date has whole seconds only: round up, or it would ask for less than it says.
    moment = now + timedelta(seconds=busy.wait_seconds + 1)
    return format_datetime(moment.replace(microsecond=0), usegmt=True)
