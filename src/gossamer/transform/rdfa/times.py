"""Which XML Schema type a time of HTML is, by its form alone (HTML+RDFa, section 3.1)."""

import re
from typing import Final

from gossamer.transform.terms import XSD

_DATE: Final = r"\d{4,}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_CLOCK: Final = r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?"
_ZONE: Final = r"(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?"
_CLOCK_PART: Final = r"T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?"
_FORMS: Final = tuple(
    (re.compile(form, re.ASCII), f"{XSD}{name}")
    for form, name in (
        (rf"{_DATE}{_ZONE}", "date"),
        (rf"{_DATE}T{_CLOCK}{_ZONE}", "dateTime"),
        (rf"{_CLOCK}{_ZONE}", "time"),
        (r"\d{4,}-(?:0[1-9]|1[0-2])", "gYearMonth"),
        (r"\d{4,}", "gYear"),
        (rf"-?P(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:{_CLOCK_PART})?", "duration"),
    )
)


def time_type(text: str) -> str | None:
    """The datatype of a date, a time, a month, a year or a duration; None where it is none."""
    for form, datatype in _FORMS:
        if form.fullmatch(text):
            return datatype
    return None
