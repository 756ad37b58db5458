"""Dates among literals. Pure."""

import re
from datetime import date
from typing import Final

import pyoxigraph as ox

# `2024`, `2024-05`, `2024-05-17`, and what follows a date: a time, a zone.
_DATE: Final = re.compile(
    r"([12]\d{3})(?:-(\d\d)(?:-(\d\d)(?:[T ][\d:.,]+)?)?)?(?:Z|[+-]\d\d:?\d\d)?", re.ASCII
)
_DATE_TYPES: Final = frozenset(
    ox.NamedNode(each)
    for each in (
        *(
            f"http://www.w3.org/2001/XMLSchema#{name}"
            for name in ("date", "dateTime", "dateTimeStamp", "gYearMonth", "gYear")
        ),
        *(
            f"{base}://schema.org/{name}"
            for base in ("http", "https")
            for name in ("Date", "DateTime")
        ),
        "http://purl.org/dc/terms/W3CDTF",
    )
)
_LONGEST: Final = 40
# A plain literal is a date only where the predicate says so: `2001` is as often a number.
_DATED: Final = re.compile(
    r"(?:date|created|modified|issued|published|updated|available|valid|bday|birthday"
    r"|published_time|modified_time)$|date[A-Z]",
    re.IGNORECASE,
)


def date_of(text: str, datatype: ox.NamedNode | None, *, is_dated: bool) -> str | None:
    """The day, month or year that a literal names, in ISO form; None where it names none."""
    return iso_date(text) if is_dated or datatype in _DATE_TYPES else None


def is_dated(predicate: str) -> bool:
    """Whether a predicate speaks of dates, by its name."""
    return _DATED.search(predicate) is not None


def iso_date(text: str) -> str | None:
    """`2024-05-17T10:00:00Z` is the 17th, wherever that is; None for what is no date."""
    found = _DATE.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if found is None:
        return None
    year, month, day = found.groups()
    try:
        date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    return "-".join(part for part in (year, month, day) if part)
