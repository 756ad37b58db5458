"""Rows of the frontier's tables as values: hosts, pages, clocks, and the links that are packed into one column.

A page's links are one small value: keys for those that are known, text for those that are not. Keys
suffice to pass a better depth on to pages that have rows. Pages beyond the depth limit or out of
scope have none: their whole URLs are kept, or they would be lost to a later, wider crawl.
"""

import json
import struct
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from gossamer.frontier.protocol import Assignment, Ended, Outlink, RefusedLink
from gossamer.frontier.store import Row, Transaction
from gossamer.model import Url
from gossamer.moments import from_microseconds, to_microseconds
from gossamer.politeness.clock import ClockRow, HostClock, from_row, to_row
from gossamer.politeness.delay import Pace
from gossamer.politeness.outcome import Pause

SECOND: Final = 1_000_000  # microseconds
CLOCK_COLUMNS: Final = ClockRow._fields
PAGE_COLUMNS: Final = (
    "id, host_id, url, depth, priority, hops, seed, attempts, etag, last_modified, digest, archived, "
    "said, shown, ended"
)
_HEAD = struct.Struct("<qI")


class HostRow(NamedTuple):
    """What is decided about hosts from."""

    id: int
    host: str
    site: str
    stage: int
    next_at: int
    best: int
    queue: int
    content: int
    handed: int
    lease_token: int | None
    lease_node: str | None
    lease_until: int | None
    wanted_by: str | None
    wanted_until: int | None
    crawls_turn: bool
    rested_from: int
    took: int
    failures: int
    crawl_delay: int | None
    crawl_delay_source: str | None
    pause_until: int | None
    pause_source: str | None
    in_flight: str | None
    doubts: str | None

    @property
    def clock(self) -> HostClock:
        """The host's clock, in the store's time."""
        columns: Row = self[-len(CLOCK_COLUMNS) :]
        return from_row(ClockRow(*columns))

    def wanted(self, now: int) -> bool:
        """Whether somebody asked for the host while it was held."""
        return self.wanted_by is not None and (self.wanted_until or 0) > now

    def promised_to_another(self, node: str, now: int) -> bool:
        """Whether somebody else asked for the host before us."""
        return self.wanted(now) and self.wanted_by != node


HOST_COLUMNS: Final = ", ".join(HostRow._fields)


class PageRow(NamedTuple):
    """A pending page as it is handed out."""

    id: int
    host_id: int
    url: str
    depth: int
    priority: int
    hops: int
    seed: bool
    attempts: int
    etag: str | None
    last_modified: str | None
    digest: bytes | None
    archived: str | None
    said: bytes | None
    shown: bytes | None
    ended: str | None

    @property
    def holds_content(self) -> bool:
        """Whether an earlier visit brought content that still stands; `schema.HOLDS_CONTENT`."""
        return holds_content(self.ended, self.digest)

    def assignment(self, host: str, token: int) -> Assignment:
        """The page as a node gets it."""
        return Assignment(
            self.id,
            host,
            token,
            Url(self.url),
            self.depth,
            self.hops,
            bool(self.seed),
            self.attempts,
            self.etag,
            self.last_modified,
            self.digest,
            self.archived,
            self.said,
            self.shown,
        )


def holds_content(ended: str | None, digest: bytes | None) -> bool:
    """Whether a page holds content, by its row; `schema.HOLDS_CONTENT`."""
    return ended == Ended.CONTENT or digest is not None


def host_row(row: Row) -> HostRow:
    """A row of HOST_COLUMNS."""
    return HostRow(*row)


def page_row(row: Row) -> PageRow:
    """A row of PAGE_COLUMNS."""
    return PageRow(*row)


def microseconds(length: timedelta) -> int:
    """A length of time as a whole number."""
    return length // timedelta(microseconds=1)


def ready_at(clock: HostClock, pace: Pace) -> int:
    """When a host may next be asked."""
    return to_microseconds(clock.ready_at(pace))


def delay_of(clock: HostClock, pace: Pace) -> int:
    """The delay in force for a host."""
    return microseconds(clock.delay(pace).length)


def clock_here(clock: HostClock, txn: Transaction) -> HostClock:
    """A stored clock in our own time: what is to be waited for comes late rather than early."""
    pause = clock.pause and Pause(txn.here(to_microseconds(clock.pause.until)), clock.pause.source)
    return clock._replace(rested_from=txn.here(to_microseconds(clock.rested_from)), pause=pause)


def clock_there(clock: HostClock, txn: Transaction) -> HostClock:
    """A clock of ours as it is stored; requests in flight are the leaseholder's business."""
    pause = clock.pause and Pause(
        from_microseconds(txn.there(clock.pause.until)), clock.pause.source
    )
    rested_from = from_microseconds(txn.there(clock.rested_from))
    return clock._replace(rested_from=rested_from, pause=pause, in_flight=())


def clock_values(clock: HostClock) -> Row:
    """A clock in the order of CLOCK_COLUMNS."""
    return tuple(to_row(clock))


def pack_keys(links: Iterable[tuple[int, int]]) -> bytes:
    """Pairs of host and key, in order and grouped by host: 8 bytes a link and 12 a host."""
    by_host: defaultdict[int, set[int]] = defaultdict(set)
    for host_id, key in links:
        by_host[host_id].add(key)
    parts: list[bytes] = []
    for host_id in sorted(by_host):
        keys = sorted(by_host[host_id])
        parts += (_HEAD.pack(host_id, len(keys)), struct.pack(f"<{len(keys)}q", *keys))
    return b"".join(parts)


def unpack_keys(packed: bytes) -> list[tuple[int, int]]:
    """The pairs that `pack_keys` was given, each once, in order."""
    links: list[tuple[int, int]] = []
    place = 0
    while place < len(packed):
        host_id, count = _HEAD.unpack_from(packed, place)
        place += _HEAD.size
        links += ((host_id, key) for key in struct.unpack_from(f"<{count}q", packed, place))
        place += 8 * count
    return links


def pack_key(key: int) -> bytes:
    """A key as it is within what `pack_keys` makes."""
    return struct.pack("<q", key)


def pack_links(links: Sequence[Outlink | RefusedLink]) -> bytes | None:
    """Links as compressed text, to be followed or not; None where there are none."""
    if not links:
        return None
    return zlib.compress(json.dumps(links, separators=(",", ":")).encode(), 1)


def unpack_links(packed: bytes | None) -> list[Outlink]:
    """The links that `pack_links` was given, and that are to be followed."""
    return [Outlink(Url(url), which) for url, which in _unpacked(packed) if isinstance(which, int)]


def unpack_refused(packed: bytes | None) -> list[RefusedLink]:
    """The links that `pack_links` was given, and that are not."""
    return [RefusedLink(Url(url), rule) for url, rule in _unpacked(packed) if isinstance(rule, str)]


def _unpacked(packed: bytes | None) -> Iterable[tuple[str, int | str]]:
    """URLs, each with its priority or the rule by which it is refused."""
    return [] if packed is None else json.loads(zlib.decompress(packed))


def pack_ids(ids: Sequence[int]) -> bytes:
    """Page numbers, 8 bytes each."""
    return struct.pack(f"<{len(ids)}q", *ids)


def unpack_ids(packed: bytes) -> tuple[int, ...]:
    """The numbers that `pack_ids` was given."""
    return struct.unpack(f"<{len(packed) // 8}q", packed)
