"""Rows of hosts and pages as values, and the columns they are read by."""

from datetime import timedelta
from typing import Final, NamedTuple

from gossamer.frontier.protocol import Assignment, Ended
from gossamer.frontier.store import Row, Transaction
from gossamer.model import Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.clock_row import (
    ClockRow,
    from_microseconds,
    from_row,
    to_microseconds,
    to_row,
)
from gossamer.politeness.delay import Pace
from gossamer.politeness.outcome import Pause

SECOND: Final = 1_000_000  # microseconds

CLOCK_COLUMNS: Final = ClockRow._fields
PAGE_COLUMNS: Final = (
    "id, host_id, url, depth, priority, hops, seed, attempts, etag, last_modified, digest, archived, "
    "ended"
)


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
