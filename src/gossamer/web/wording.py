"""Formats numbers, times and names for people. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import unquote

from markupsafe import Markup, escape

from gossamer.index.entities import short_name
from gossamer.moments import told_moment
from gossamer.sparql.prefixes import shortened
from gossamer.wording import told_seconds

UNITS: Final = ("bytes", "kB", "MB", "GB", "TB")
MOST_OF_AN_ADDRESS: Final = 90  # characters
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_-]+")
# Characters that turn the direction of text, or hide: a name must not dress up as another.
_TRICKS: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0b-\x1f\x7f]")


def count(number: float | None) -> str:
    """A number with separators: 1,234."""
    return "–" if number is None else f"{number:,.0f}"


def counted(number: int, thing: str, things: str | None = None) -> str:
    """A number with its noun: 1 page, 2 pages."""
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"


def size(number: float | None) -> str:
    """A size in bytes for people: 1.2 MB."""
    if number is None:
        return "–"
    shown = float(number)
    for unit in UNITS:
        if abs(shown) < 1000 or unit == UNITS[-1]:
            break
        shown /= 1000
    return f"{shown:,.0f} {unit}" if unit == UNITS[0] or shown >= 100 else f"{shown:,.1f} {unit}"


def seconds(number: float | None) -> str:
    """A duration for people: 3 ms, 1.2 s, 4 min 5 s, 2 h 3 min, 3 d 4 h."""
    return "–" if number is None else told_seconds(number)


def moment(text: str | None) -> Markup:
    """A time from a record, for people and for programs."""
    if not text:
        return Markup("–")
    try:
        at = datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        return escape(text)
    return Markup('<time datetime="{}">{}</time>').format(
        at.isoformat(timespec="seconds"), told_moment(at)
    )


def clock(text: str) -> Markup:
    """The time of day of a timestamp."""
    at = datetime.fromisoformat(text).astimezone(UTC)
    return Markup('<time datetime="{}">{}</time>').format(
        at.isoformat(timespec="seconds"), f"{at:%H:%M:%S} UTC"
    )


def readable(iri: str) -> str:
    """A property or class in words: `birth date` for schema:birthDate."""
    name = short_name(iri) or iri
    return " ".join(_HUMP.sub(" ", name).split()).lower() if name != iri else iri


def kind(iri: str) -> str:
    """The short name of a class, such as `Person`."""
    return clean(short_name(iri) or iri)


def kinds(iris: Iterable[str]) -> list[str]:
    """The short names of classes, each once."""
    return list(dict.fromkeys(map(kind, iris)))


def short(iri: str, most: int = MOST_OF_AN_ADDRESS) -> str:
    """An IRI abbreviated by prefix, or without its scheme, shortened in the middle if long."""
    name = shortened(iri)
    if name == iri:
        name = clean(unquote(re.sub(r"^https?://", "", iri)))
    return middle(name, most)


def middle(text: str, most: int = MOST_OF_AN_ADDRESS) -> str:
    """A text shortened in the middle if it is long."""
    half = (most - 1) // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"


def clean(text: str) -> str:
    """A text without deceptive characters."""
    return _TRICKS.sub("", text)


def marked(text: str, marks: Sequence[Sequence[int]]) -> Markup:
    """Escaped text with the search words highlighted."""
    pieces, at = [], 0
    for start, end in marks:
        pieces += [
            escape(clean(text[at:start])),
            Markup("<mark>{}</mark>").format(clean(text[start:end])),
        ]
        at = end
    return Markup("").join([*pieces, escape(clean(text[at:]))])


def ticks(text: str) -> Markup:
    """Escaped text whose words in back-ticks are code."""
    pieces = text.split("`")
    whole = pieces if len(pieces) % 2 else [*pieces[:-2], "`".join(pieces[-2:])]
    return Markup("").join(
        Markup("<code>{}</code>").format(clean(piece)) if place % 2 else escape(clean(piece))
        for place, piece in enumerate(whole)
    )


FILTERS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        each.__name__: each
        for each in (
            count, counted, size, seconds, moment, clock, readable, kind, kinds, short, middle, clean, marked,
            ticks,
        )
    }
)  # fmt: skip
