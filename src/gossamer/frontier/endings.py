"""How a crawl ends, or what it waits for. Pure: from counts, limits and the time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from gossamer.frontier.protocol import Counts, HostStage, HostState, Limits
from gossamer.moments import told_moment

NAMED: Final = 5  # hosts that a sentence lists
ALL_RUNS: Final = "which counts all runs"  # as limits on pages do; those on time and bytes do not


class EndKind(StrEnum):
    """Why nothing is handed out any more."""

    DONE = "done"  # nothing is left
    PARKED = "parked"  # nothing is left but what asks for more patience than we have
    PAGES = "pages"
    TIME = "time"
    PER_HOST = "per-host"
    PER_SITE = "per-site"
    BYTES = "bytes"
    YIELD = "yield"  # so little of what is wanted came of late
    DISK = "disk"
    STOPPED = "stopped"  # by whoever runs it
    DRAINED = "drained"  # its node takes no more part
    WAITING = "waiting"  # no end yet: everything left has to rest for a while


@dataclass(frozen=True, slots=True)
class Ending:
    """Why nothing is handed out any more, in a word and a sentence, and until when."""

    kind: EndKind
    why: str
    until: datetime | None = None

    @property
    def is_final(self) -> bool:
        """Whether the crawl is over; what waits or is parked can be taken up at `until`."""
        return self.kind is not EndKind.WAITING


def ending(
    counts: Counts,
    limits: Limits,
    now: datetime,
    patience: timedelta,
    *,
    deadline: datetime | None = None,
    parked: Sequence[HostState] = (),
) -> Ending | None:
    """How the crawl stands, or None while there is something to fetch now or in somebody's hands.

    A depth limit ends nothing: within it, a crawl goes on to the last page. `parked` are some of the
    hosts to be named, if it comes to that.
    """
    if counts.left:
        return _by_limit(counts, limits, now, deadline) or _resting(counts, now, patience, parked)
    if counts.full:
        return _full(counts, limits)
    return Ending(EndKind.DONE, f"Nothing is left to fetch{_beyond(counts, limits)}.")


def _by_limit(
    counts: Counts, limits: Limits, now: datetime, deadline: datetime | None
) -> Ending | None:
    if limits.pages is not None and counts.with_content >= limits.pages and not counts.again:
        return Ending(
            EndKind.PAGES,
            f"The limit of {_pages(limits.pages)}, {ALL_RUNS}, is reached; {_left(counts)}.",
        )
    if deadline is not None and now >= deadline:
        return Ending(EndKind.TIME, f"The time is up; {_left(counts)}.")
    return None


def _resting(
    counts: Counts, now: datetime, patience: timedelta, parked: Sequence[HostState]
) -> Ending | None:
    """What is left when all of it has to wait."""
    busy = counts.handed or any(
        counts.hosts.get(stage) for stage in (HostStage.READY, HostStage.LEASED)
    )
    until = counts.next_at
    if busy or until is None or until <= now:
        return None
    moment = told_moment(until)
    if counts.hosts.get(HostStage.WAITING) or until <= now + patience:
        return Ending(EndKind.WAITING, f"All hosts have to rest until {moment}.", until)
    why = (
        f"All that is left waits longer than our patience of {patience.total_seconds():g} s, "
        f"at least until {moment}; {_left(counts)}{_named(parked, counts)}."
    )
    return Ending(EndKind.PARKED, why, until)


def _full(counts: Counts, limits: Limits) -> Ending:
    """What is left when every host that has pages may give no more."""
    kinds = {
        EndKind.PER_SITE: (counts.full_by_site, limits.per_site, "site"),
        EndKind.PER_HOST: (
            counts.hosts.get(HostStage.FULL, 0) - counts.full_by_site,
            limits.per_host,
            "host",
        ),
    }
    kind, (_, limit, of) = max(kinds.items(), key=lambda each: each[1][0])
    most = "" if limit is None else f" of {_pages(limit)}"
    return Ending(
        kind,
        f"All that is left, {_pages(counts.full)}, is past the limit{most} per {of}, {ALL_RUNS}.",
    )


def _left(counts: Counts) -> str:
    return f"{_pages(counts.left)} {'is' if counts.left == 1 else 'are'} left"


def _beyond(counts: Counts, limits: Limits) -> str:
    if not counts.beyond or limits.depth is None:
        return ""
    return f" within depth {limits.depth}"


def _named(hosts: Sequence[HostState], counts: Counts) -> str:
    if not hosts:
        return ""
    names = [host.host for host in hosts[:NAMED]]
    rest = counts.hosts.get(HostStage.PARKED, 0) - len(names)
    return f", of {', '.join(names)}{f' and {rest:,} more' if rest > 0 else ''}"


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count:,} pages"
