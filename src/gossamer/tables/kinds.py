"""Kinds of columns: what all values of a column have in common, so that a file can type it. Pure.

Whole numbers and others make numbers. Where values have nothing in common, the column is text, and each
value is written as it would be read: no value is lost, and none is invented.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Final

from gossamer.tables.values import Value

MOST_WHOLE: Final = 2**63  # what a column of whole numbers holds


class ColumnKind(StrEnum):
    """The type of a column."""

    EMPTY = "empty"
    TRUTH = "boolean"
    WHOLE = "integer"
    NUMBER = "number"
    DAY = "date"
    MOMENT = "moment"  # with a zone
    LOCAL_MOMENT = "local moment"  # without
    TIME = "time"
    TEXT = "text"


def kind_of(values: Iterable[Value | None]) -> ColumnKind:
    """The kind of a column with these values."""
    kind = ColumnKind.EMPTY
    for value in values:
        if value is not None:
            kind = common(kind, kind_of_value(value))
            if kind is ColumnKind.TEXT:
                break
    return kind


def kind_of_value(value: Value) -> ColumnKind:
    """The kind of one value."""
    match value:
        case str():
            return ColumnKind.TEXT
        case bool():
            return ColumnKind.TRUTH
        case int():
            return ColumnKind.WHOLE if -MOST_WHOLE <= value < MOST_WHOLE else ColumnKind.TEXT
        case float():
            return ColumnKind.NUMBER
        case datetime():
            return ColumnKind.MOMENT if value.tzinfo else ColumnKind.LOCAL_MOMENT
        case date():
            return ColumnKind.DAY
        case time():
            return ColumnKind.TIME


def common(one: ColumnKind, other: ColumnKind) -> ColumnKind:
    """The kind that has room for both."""
    if one is other or other is ColumnKind.EMPTY:
        return one
    if one is ColumnKind.EMPTY:
        return other
    if {one, other} == {ColumnKind.WHOLE, ColumnKind.NUMBER}:
        return ColumnKind.NUMBER
    return ColumnKind.TEXT


def fitted(value: Value | None, kind: ColumnKind) -> Value | None:
    """The value as a column of this kind holds it."""
    if value is None:
        return None
    match kind:
        case ColumnKind.TEXT:
            return text_of(value)
        case ColumnKind.NUMBER if isinstance(value, int):
            return float(value)
    return value


def text_of(value: Value) -> str:
    """The value as text that says all of it: numbers and dates as XML Schema writes them."""
    match value:
        case str():
            return str(value)
        case bool():
            return "true" if value else "false"
        case datetime() | date() | time():
            return value.isoformat()
    return str(value)


def joined(values: Iterable[Value]) -> str:
    """Several values in one cell that has room for one text."""
    return " | ".join(map(text_of, values))


def in_utc(moment: datetime) -> datetime:
    """The moment in UTC, as data frames have all of a column."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # at either end of the calendar
        return moment.replace(tzinfo=UTC)
