"""Dates and times as people spell them, rewritten as XML Schema spells them. Pure.

RFC 822 with all that feeds make of it, American dates, `asctime`, ISO 8601 with and without hyphens.
Nothing is invented: a time without a zone has none afterwards, and what can be read in two ways
(`03/04/2024`, `200312`) is not rewritten. Whether there is such a day is for the caller to check.
"""

import re
from typing import Final

_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
# Hours and minutes from UTC. RFC 822 has the American ones; of the others, those that mean one thing
# on the web. (IST is India, Israel or Ireland, so it is not among them.)
_ZONES: Final = {
    **dict.fromkeys(("z", "ut", "utc", "gmt", "-0000"), "Z"),
    "wet": "+00:00",
    **dict.fromkeys(("cet", "met", "mez", "west", "bst"), "+01:00"),
    **dict.fromkeys(("cest", "mest", "mesz", "eet"), "+02:00"),
    **dict.fromkeys(("eest", "msk"), "+03:00"),
    **dict.fromkeys(("jst", "kst"), "+09:00"),
    "aest": "+10:00",
    "aedt": "+11:00",
    "nzst": "+12:00",
    "nzdt": "+13:00",
    "adt": "-03:00",
    "ast": "-04:00",
    "edt": "-04:00",
    "est": "-05:00",
    "cdt": "-05:00",
    "cst": "-06:00",
    "mdt": "-06:00",
    "mst": "-07:00",
    "pdt": "-07:00",
    "pst": "-08:00",
    "akdt": "-08:00",
    "akst": "-09:00",
    "hst": "-10:00",
}
_CLOCK: Final = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?P<fraction>\.\d{1,9})?)?"
    r"(?:\s*(?P<half>[ap])\.?m\b\.?)?"
)
_ZONE: Final = (
    r"(?:\s*(?:(?P<base>gmt|utc?)?(?P<offset>[+-]\d{1,2}(?::?\d\d)?)|(?P<zone>[a-z]{1,5})))?"
    r"(?:\s*\([^()]*\))?"  # a comment: `+0100 (CET)`
)
# In any language with a comma; else in English, as `Paris` is no day.
_WEEKDAY: Final = r"(?:[^\s\d.,]{2,12}[.,]+\s*|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\s+)?"
_MONTH: Final = r"(?P<month>[a-z]{3,9})\.?"
_SPELLINGS: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.ASCII)
    for pattern in (
        # 2011-06-28 10:00 +0100, 10:00, 20110628T1000Z and 20110628
        rf"(?:(?P<year>\d{{4}})-(?P<digits>\d\d)-(?P<day>\d\d)(?:t|\s+))?{_CLOCK}{_ZONE}",
        r"(?P<year>\d{4})(?P<digits>\d\d)(?P<day>\d\d)"
        rf"(?:t(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?{_ZONE})?",
        r"(?P<year>\d\d)(?P<digits>\d\d)(?P<day>\d\d)",
        # Tue, 28 Jun 2011 10:00:00 GMT
        rf"{_WEEKDAY}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-]+{_MONTH},?[\s-]+"
        rf"(?P<year>\d{{4}}|\d\d)(?:,?\s+{_CLOCK}{_ZONE})?",
        # June 28, 2011 10:00 AM
        rf"{_WEEKDAY}{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+"
        rf"(?P<year>\d{{4}})(?:,?\s+(?:at\s+)?{_CLOCK}{_ZONE})?",
        # Tue Jun 28 10:00:00 CET 2011
        rf"{_WEEKDAY}{_MONTH}\s+(?P<day>\d{{1,2}})\s+{_CLOCK}{_ZONE}\s+(?P<year>\d{{4}})",
    )
)
_CENTURY: Final = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])")


def respell(text: str) -> str | None:
    """The spelling of XML Schema for a date, a time or both; None for anything else."""
    for spelling in _SPELLINGS:
        if match := spelling.fullmatch(text):
            return _rewrite(text, match.groupdict())
    return None


def _rewrite(text: str, parts: dict[str, str | None]) -> str | None:
    # `200312` is a month, or a day of the year 20.
    if len(text) == 6 and _CENTURY.fullmatch(text):
        return None
    day = _day(parts)
    if day is None or (not day and _is_doubtful(parts)):
        return None
    clock = _clock(parts)
    return f"{day}{'T' if day and clock else ''}{clock}"


def _day(parts: dict[str, str | None]) -> str | None:
    """The date; nothing for a time alone, None where there is no such month."""
    year, day = parts["year"], parts["day"]
    if year is None or day is None:
        return ""
    name = (parts.get("month") or "").lower()
    digits = parts.get("digits") or next(
        (f"{at:02}" for at, month in enumerate(_MONTHS, 1) if name and month.startswith(name)), None
    )
    if len(year) == 2:
        year = f"{'20' if int(year) < 69 else '19'}{year}"  # as POSIX has it
    return f"{year}-{digits}-{day:0>2}" if digits else None


def _is_doubtful(parts: dict[str, str | None]) -> bool:
    """Whether a time without a date ends in what may be no zone: `10:00-12`, `10:00 h`."""
    offset, zone = parts["offset"] or "", (parts["zone"] or "z").lower()
    return zone not in _ZONES or 0 < len(offset) < 5


def _clock(parts: dict[str, str | None]) -> str:
    if parts.get("hour") is None:
        return ""
    hour, half = int(parts["hour"] or 0), (parts.get("half") or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    seconds = f"{parts['second'] or '00'}{parts.get('fraction') or ''}"
    return f"{hour:02}:{parts['minute']}:{seconds}{_zone(parts)}"


def _zone(parts: dict[str, str | None]) -> str:
    """The zone; none where none is given, or a name that says nothing or several things."""
    offset = parts.get("offset")
    if not offset:
        return _ZONES.get((parts.get("zone") or "").lower(), "")
    if offset in _ZONES:  # `-0000`: a time in UTC, said by someone who knows no zone
        return _ZONES[offset]
    digits = offset[1:].replace(":", "")
    hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "00")
    return f"{offset[0]}{hours:0>2}:{minutes}"
