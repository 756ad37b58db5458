"""Dates and times assembled from parts: the value class pattern."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

_DATE: Final = r"\d{4}-\d{2}-\d{2}|\d{4}-\d{3}|\d{4}-\d{2}"
_ZONE: Final = r"Z|[+-]\d{1,2}(?::?\d{2})?"
_TIME: Final = (
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::(?P<second>\d{2}(?:\.\d+)?))?)?"
    rf"\s?(?P<half>[ap]\.?m\.?)?\s?(?P<zone>{_ZONE})?"
)
_WHOLE: Final = re.compile(rf"(?P<date>{_DATE})[T ]\s*(?P<time>.*)", re.IGNORECASE | re.DOTALL)
_ONLY_DATE: Final = re.compile(_DATE)
_ONLY_ZONE: Final = re.compile(_ZONE, re.IGNORECASE)
_ONLY_TIME: Final = re.compile(_TIME, re.IGNORECASE)
_LEADING_DATE: Final = re.compile(rf"(?:{_DATE})(?=$|[Tt ])")


class Moment(NamedTuple):
    """An assembled time, and its date, which later times may need."""

    text: str
    date: str | None


def date_of(text: str) -> str | None:
    """The date at the beginning of a time."""
    match = _LEADING_DATE.match(text)
    return match[0] if match else None


def joined_moment(parts: Iterable[str], date_before: str | None) -> Moment | None:
    """A time from date, time and zone in any order, the first of each; None without any.

    A time alone is one of the date before, as where an event ends on the day it starts.
    """
    date = time = zone = None
    for part in parts:
        if whole := _WHOLE.fullmatch(part):
            if moment := _time(whole["time"]):
                return Moment(f"{whole['date']} {moment}", whole["date"])
        elif _ONLY_DATE.fullmatch(part):
            date = date or part
        elif _ONLY_ZONE.fullmatch(part):
            zone = zone or _zone(part)
        else:
            time = time or _time(part)
    if time:
        day = date or date_before
        clock = time if not zone or _ends_in_zone(time) else time + zone
        return Moment(f"{day} {clock}" if day else clock, day)
    return Moment(date, date) if date else None


def _time(text: str) -> str | None:
    match = _ONLY_TIME.fullmatch(text)
    if match is None:
        return None
    hour = int(match["hour"])
    half = (match["half"] or "").lower()
    if half.startswith("p") and hour < 12:
        hour += 12
    elif half.startswith("a") and hour == 12:
        hour = 0
    second = f":{match['second']}" if match["second"] else ""
    return f"{hour:02}:{match['minute'] or '00'}{second}{_zone(match['zone'] or '')}"


def _zone(text: str) -> str:
    return text.upper().replace(":", "")


def _ends_in_zone(time: str) -> bool:
    return time.endswith("Z") or "+" in time or "-" in time
