"""A host's clock as plain columns and back: whole microseconds, text, and None."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from gossamer.politeness.clock import NEVER, HostClock, InFlight
from gossamer.politeness.delay import Delay
from gossamer.politeness.outcome import Pause

_MICROSECOND = timedelta(microseconds=1)


class ClockRow(NamedTuple):
    """One row; moments are microseconds since 1970 in UTC, lengths are microseconds."""

    rested_from: int
    took: int
    failures: int
    crawl_delay: int | None
    crawl_delay_source: str | None
    pause_until: int | None
    pause_source: str | None
    in_flight: str | None  # "token started_at ends_by", further requests after a comma


def to_row(clock: HostClock) -> ClockRow:
    """The clock as columns."""
    crawl_delay, pause = clock.crawl_delay, clock.pause
    return ClockRow(
        rested_from=to_microseconds(clock.rested_from),
        took=clock.took // _MICROSECOND,
        failures=clock.failures,
        crawl_delay=crawl_delay.length // _MICROSECOND if crawl_delay else None,
        crawl_delay_source=crawl_delay.source if crawl_delay else None,
        pause_until=to_microseconds(pause.until) if pause else None,
        pause_source=pause.source if pause else None,
        in_flight=",".join(map(_flight_text, clock.in_flight)) or None,
    )


def from_row(row: ClockRow) -> HostClock:
    """The clock that `to_row` was given; see `HostClock.after_restart` before using it."""
    crawl_delay = pause = None
    if row.crawl_delay is not None:
        seconds = (row.crawl_delay * _MICROSECOND).total_seconds()
        crawl_delay = Delay(seconds, row.crawl_delay_source or "")
    if row.pause_until is not None:
        pause = Pause(from_microseconds(row.pause_until), row.pause_source or "")
    return HostClock(
        rested_from=from_microseconds(row.rested_from),
        took=row.took * _MICROSECOND,
        failures=row.failures,
        crawl_delay=crawl_delay,
        pause=pause,
        in_flight=tuple(map(_flight, row.in_flight.split(",") if row.in_flight else ())),
    )


def to_microseconds(moment: datetime) -> int:
    """A moment as a whole number, exactly."""
    return (moment - NEVER) // _MICROSECOND


def from_microseconds(microseconds: int) -> datetime:
    """The moment that `to_microseconds` was given, in UTC."""
    return (NEVER + microseconds * _MICROSECOND).astimezone(UTC)


def _flight_text(request: InFlight) -> str:
    started_at, ends_by = to_microseconds(request.started_at), to_microseconds(request.ends_by)
    return f"{request.token} {started_at} {ends_by}"


def _flight(text: str) -> InFlight:
    token, started_at, ends_by = map(int, text.split())
    return InFlight(token, from_microseconds(started_at), from_microseconds(ends_by))
