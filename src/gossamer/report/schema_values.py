"""The rules `date`, `price` and `currency`: values of schema.org's properties that programs cannot read.

A value that some programs understand (`19,90 €`, `28 June 2011`) is a warning and told as it should be written; one that
is no value at all is an error.
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from math import isfinite
from typing import Final

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.schema_names import definition
from gossamer.tables.numbers import amount
from gossamer.tables.values import number
from gossamer.transform.date_spellings import respell
from gossamer.vocabulary.codes import is_currency
from gossamer.vocabulary.schema_terms import data_types, property_names, range_of
from gossamer.wording import quoted

PRICES: Final = ("price", "lowPrice", "highPrice", "minPrice", "maxPrice")
CURRENCIES: Final = ("priceCurrency", "currency")
LONGEST_DATE: Final = 60  # characters of what may be a date in other words
_ZONE: Final = r"(?:Z|[+-]\d\d(?::?\d\d)?)?"
# ISO 8601, as far as dates on the web go: 2024, 2024-05, 2024-05-31, 20240531, each day with a time or without.
_DATE: Final = re.compile(
    r"-?\d{4}(?:-\d\d)?|"
    rf"(\d{{4}})-?(\d\d)-?(\d\d)(?:[T ]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d+)?)?)?)?{_ZONE}",
    re.ASCII,
)
_CODE: Final = re.compile(r"[A-Z]{3}")
_SIGNS: Final = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB"}


@cache
def date_properties() -> frozenset[str]:
    """The properties whose values are dates, with a time or without, and nothing else."""
    wanted = ((name, range_of(name) & data_types()) for name in property_names())
    return frozenset(name for name, kinds in wanted if kinds and kinds <= {"Date", "DateTime"})


def wrong_dates(page: RulePage) -> Iterator[Finding]:
    """Dates that are not written as ISO 8601 has them, or that no calendar has."""
    for entity, name, text in page.schema_values(date_properties()):
        value = text.strip()
        if not is_date(value):
            better = respell(value) if len(value) <= LONGEST_DATE else None
            known = better if better and is_date(better) else None
            yield _unread(page, entity, name, text, "date", known)


def wrong_prices(page: RulePage) -> Iterator[Finding]:
    """Prices that are no plain numbers."""
    for entity, name, text in page.schema_values(PRICES):
        value = number(text.strip())
        if value is None or not isfinite(value):
            better = amount(text) if value is None else None
            known = None if better is None else f"{better}"
            yield _unread(page, entity, name, text, "number", known)


def wrong_currencies(page: RulePage) -> Iterator[Finding]:
    """Currencies that are no code of three capital letters (ISO 4217)."""
    for entity, name, text in page.schema_values(CURRENCIES):
        value = text.strip()
        if not _CODE.fullmatch(value) or not is_currency(value):
            better = _SIGNS.get(value) or value.upper()
            better_code = better if _CODE.fullmatch(better) and is_currency(better) else None
            yield _unread(page, entity, name, text, "currency code", better_code)


def _unread(
    page: RulePage, entity: str, name: str, text: str, kind: str, better: str | None
) -> Finding:
    return Finding(
        f"{name} is {quoted(text)}, which is no {kind}.",
        Severity.ERROR if better is None else Severity.WARNING,
        page.line_of(text.strip(), name),
        entity,
        _FIXES[kind] if better is None else f"Write {better}.",
        see=definition(name),
    )


_FIXES: Final = {
    "date": "Write it as in 2024-05-31 or 2024-05-31T18:00:00+02:00.",
    "number": "Write digits with a point before the fraction, and the currency as priceCurrency.",
    "currency code": "Write the three letters of ISO 4217, as in EUR.",
}


def is_date(text: str) -> bool:
    """Whether a text is a date of ISO 8601 that a calendar has, with a time or without."""
    found = _DATE.fullmatch(text)
    if found is None or found[1] is None:
        return found is not None and _is_month(text)
    try:
        date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return False
    return True


def _is_month(text: str) -> bool:
    """Whether a date of a year, or of a year and a month, has a month that there is."""
    _, hyphen, month = text.removeprefix("-").partition("-")
    return not hyphen or 1 <= int(month) <= 12
