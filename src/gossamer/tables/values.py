"""Typed values: the Python value that an RDF term stands for. Pure.

Numbers, dates and booleans have their Python types, an IRI is an `Iri` (which is a string), and every
other literal is a string. What is not written as its datatype wants it stays text: nothing is guessed.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from types import MappingProxyType
from typing import Final

import pyoxigraph as ox

from gossamer.sparql.prefixes import PREFIXES

MOST_DIGITS: Final = 400  # of a number; what is longer is none that anybody counts with
_WHOLE: Final = re.compile(r"[+-]?[0-9]+")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_BEYOND: Final = {"INF": float("inf"), "+INF": float("inf"), "-INF": float("-inf")}
_DAY: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:Z|[+-][0-9]{2}:?[0-9]{2})?")
_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_TIME: Final = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?")


class Iri(str):
    """An IRI, or a blank node (`_:b…`): a string that says that it is a name."""

    __slots__ = ()

    @property
    def is_blank(self) -> bool:
        """Whether it is a node without a name of its own."""
        return self.startswith("_:")


Value = str | bool | int | float | date | datetime | time
"""A value of a row; None stands for what is not there."""

Cell = Value | list[Value] | None
"""What a table has in one place: several values only where they were asked for."""


def value_of(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> Value:
    """The Python value of a term."""
    match term:
        case ox.Literal():
            datatype = None if term.language is not None else term.datatype.value
            return typed(term.value, datatype)
        case ox.NamedNode():
            return Iri(term.value)
        case ox.BlankNode():
            return Iri(f"_:{term.value}")
    return f"<<( {term} )>>"


def typed(text: str, datatype: str | None) -> Value:
    """The value of a literal; the text itself where it is no value of that type."""
    read = None if datatype is None else _READERS.get(datatype)
    if read is None:
        return text
    try:
        value = read(text.strip())
    except (ValueError, OverflowError):
        return text
    return text if value is None else value


def whole_number(text: str) -> int | None:
    """An integer, if it is written as one."""
    return int(text) if len(text) <= MOST_DIGITS and _WHOLE.fullmatch(text) else None


def number(text: str) -> int | float | None:
    """A number, with a fraction or without."""
    if (whole := whole_number(text)) is not None:
        return whole
    return fraction(text)


def fraction(text: str) -> float | None:
    """A floating-point number, if the text is one of XML Schema."""
    if text in _BEYOND or text == "NaN":
        return _BEYOND.get(text, float("nan"))
    return float(text) if len(text) <= MOST_DIGITS and _NUMBER.fullmatch(text) else None


def truth(text: str) -> bool | None:
    """A yes or no."""
    return {"true": True, "1": True, "false": False, "0": False}.get(text)


def day(text: str) -> date | None:
    """A date; one that has a time is no date."""
    found = _DAY.fullmatch(text)
    return date.fromisoformat(found[1]) if found else None


def moment(text: str) -> datetime | None:
    """A date with a time, and a zone where one is given."""
    return datetime.fromisoformat(text) if _MOMENT.fullmatch(text) else None


def day_or_moment(text: str) -> date | datetime | None:
    """A date, with a time or without."""
    return moment(text) or day(text)


def clock_time(text: str) -> time | None:
    """A time of day without a zone, which data frames have no place for."""
    return time.fromisoformat(text) if _TIME.fullmatch(text) else None


def schema_truth(text: str) -> bool | None:
    """A yes or no of schema.org: also its two IRIs."""
    return truth(text.rpartition("/")[2].lower())


_Reader = Callable[[str], Value | None]
_WHOLE_TYPES: Final = """
integer int long short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger
unsignedLong unsignedInt unsignedShort unsignedByte
"""
_XSD: Final[Mapping[str, _Reader]] = {
    **dict.fromkeys(_WHOLE_TYPES.split(), whole_number),
    **dict.fromkeys(("decimal", "double", "float"), fraction),
    "boolean": truth,
    "date": day,
    "dateTime": moment,
    "dateTimeStamp": moment,
    "time": clock_time,
}
_SCHEMA: Final[Mapping[str, _Reader]] = {
    "Boolean": schema_truth,
    "Date": day_or_moment,
    "DateTime": day_or_moment,
    "Float": fraction,
    "Integer": whole_number,
    "Number": number,
    "Time": clock_time,
}
_READERS: Final[Mapping[str, _Reader]] = MappingProxyType(
    {
        **{PREFIXES["xsd"] + name: read for name, read in _XSD.items()},
        **{
            f"{http}://schema.org/{name}": r
            for http in ("http", "https")
            for name, r in _SCHEMA.items()
        },
    }
)
