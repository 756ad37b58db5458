"""The rules `duration`, `time`, `number`, `boolean` and `url`: texts that are not of a property's data type.

The table of schema.org says which data types a property has. Where one of them is Text, every text is right.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import isfinite
from types import MappingProxyType
from typing import Final, NamedTuple

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.schema_names import definition
from gossamer.report.schema_page import SchemaStatement
from gossamer.report.schema_values import PRICES, date_properties, is_date
from gossamer.report.statements import TermKind
from gossamer.tables.numbers import amount
from gossamer.tables.values import number
from gossamer.vocabulary.schema_terms import data_types, range_of
from gossamer.wording import quoted

_TIME: Final = re.compile(
    r"T?(?:[01]\d|2[0-4]):?[0-5]\d(?::?[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?", re.ASCII
)
_FIGURE: Final = r"\d+(?:[.,]\d+)?"
_DURATION: Final = re.compile(
    rf"[+-]?P(?=[\dT])(?:{_FIGURE}Y)?(?:{_FIGURE}M)?(?:{_FIGURE}W)?(?:{_FIGURE}D)?"
    rf"(?:T(?=\d)(?:{_FIGURE}H)?(?:{_FIGURE}M)?(?:{_FIGURE}S)?)?",
    re.ASCII,
)
_MINUTES: Final = re.compile(
    r"(?:(\d{1,4})\s*(?:hours?|hrs?|h)\b)?\s*(?:(?:and\s+)?(\d{1,5})\s*(?:minutes?|mins?|m)\b)?",
    re.IGNORECASE | re.ASCII,
)
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*:[^\s]+", re.IGNORECASE)
_BARE_HOST: Final = re.compile(r"(?:www\.|[\w-]+\.(?:com|org|net|de|fr|uk|io|eu)(?:/|$))", re.I)
_BOOLEANS: Final = frozenset({"true", "false", "True", "False", "1", "0"})


class DataType(NamedTuple):
    """A data type of schema.org: which texts are of it, and how others are mended."""

    rule: str
    noun: str
    is_valid: Callable[[str], bool]
    example: str
    mend: Callable[[str], str | None] = lambda _text: None


def _is_number(text: str) -> bool:
    value = number(text)
    return value is not None and isfinite(value)


def _mend_number(text: str) -> str | None:
    value = amount(text)
    return None if value is None else f"{value}"


def _mend_duration(text: str) -> str | None:
    found = _MINUTES.fullmatch(text)
    if found is None or not any(found.groups()):
        return None
    hours, minutes = (int(each or 0) for each in found.groups())
    return f"PT{f'{hours}H' if hours else ''}{f'{minutes}M' if minutes else ''}"


def _mend_url(text: str) -> str | None:
    return f"https://{text}" if _BARE_HOST.match(text) and " " not in text else None


_NUMBER: Final = DataType(
    "number", "number", _is_number, "Write digits with a point before the fraction.", _mend_number
)
DATA_TYPES: Final[Mapping[str, DataType]] = MappingProxyType(
    {
        "Date": DataType("date", "date", is_date, "Write it as in 2024-05-31."),
        "DateTime": DataType("date", "date", is_date, "Write it as in 2024-05-31T18:00:00+02:00."),
        "Time": DataType(
            "time", "time", lambda text: bool(_TIME.fullmatch(text)), "Write it as in 18:00:00."
        ),
        "Duration": DataType(
            "duration",
            "duration",
            lambda text: bool(_DURATION.fullmatch(text)),
            "Write it as ISO 8601 has it: PT1H30M is an hour and a half.",
            _mend_duration,
        ),
        "Number": _NUMBER,
        "Integer": _NUMBER,
        "Float": _NUMBER,
        "Boolean": DataType(
            "boolean",
            "truth value",
            _BOOLEANS.__contains__,
            "Write true or false.",
            lambda text: {"yes": "true", "no": "false"}.get(text.lower()),
        ),
        "URL": DataType(
            "url",
            "URL",
            lambda text: bool(_ADDRESS.fullmatch(text)),
            "Write it in full, as in https://example.org/.",
            _mend_url,
        ),
    }
)
"""What is known of the texts of each data type that has a form."""


def wrong_values(page: RulePage) -> Iterator[Finding]:
    """Texts that are not of the data type of their property; addresses that lack their scheme."""
    base = page.url.partition("?")[0].partition("#")[0].rpartition("/")[0] + "/"
    for each in page.schema.statements:
        kinds = expected(each.name)
        if not kinds:
            continue
        if each.kind is TermKind.IRI:
            is_near = "URL" in kinds and each.value.startswith(base)
            meant = _without_scheme(base, each) if is_near else None
            if meant is not None:
                yield _finding(page, each, meant, DATA_TYPES["URL"])
        elif each.kind is TermKind.TEXT:
            text = each.value.strip()
            if not any(DATA_TYPES[kind].is_valid(text) for kind in kinds):
                yield _finding(page, each, text, DATA_TYPES[kinds[0]])


@lru_cache(maxsize=4_096)
def expected(name: str) -> tuple[str, ...]:
    """The data types with a form that a property's texts have; none where any text will do, or another rule looks."""
    wanted = range_of(name)
    basic = wanted & data_types()
    if name in PRICES or name in date_properties() or basic - DATA_TYPES.keys():
        return ()
    if not basic and wanted & {"Distance", "Mass", "Energy"}:
        return ()
    return tuple(sorted(wanted & DATA_TYPES.keys()))


def _finding(page: RulePage, each: SchemaStatement, text: str, wanted: DataType) -> Finding:
    better = wanted.mend(text)
    return Finding(
        f"{each.name} is {quoted(text)}, which is no {wanted.noun}.",
        Severity.ERROR if better is None else Severity.WARNING,
        page.line_of(text, each.name),
        each.entity,
        wanted.example if better is None else f"Write {better}.",
        wanted.rule,
        see=definition(each.name),
    )


def _without_scheme(base: str, each: SchemaStatement) -> str | None:
    """What a page wrote, where that was taken for a path because its scheme is missing."""
    path = each.value.removeprefix(base)
    return path if path != each.value and _BARE_HOST.match(path) else None
