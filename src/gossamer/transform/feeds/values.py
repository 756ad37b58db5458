"""The kinds of values in feeds, as terms, made from trimmed, non-empty text."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gossamer.model import Problem
from gossamer.transform.iris import join, mended, unusable
from gossamer.transform.terms import XSD, Term, iri, literal
from gossamer.transform.times import time_literal

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,100}")
_CLOCK: Final = re.compile(r"(?:(?:([0-9]{1,9}):)?([0-9]{1,9}):)?([0-9]{1,9})(?:\.([0-9]{1,9}))?")
MAIL: Final = r"[^\s@<>()]+@[^\s@<>()]+"  # an address, as an expression
_TRUE: Final = frozenset(("yes", "true", "1", "explicit"))
_FALSE: Final = frozenset(("no", "false", "0", "clean"))


@dataclass(frozen=True, slots=True)
class Scope:
    """The base URL and language at one point of a document."""

    base: str
    language: str | None


Kind = Callable[[str, Scope], Term | Problem]


def text(value: str, scope: Scope) -> Term:
    """A literal in the language of its scope."""
    return literal(value, scope.language)


def code(value: str, _scope: Scope) -> Term:
    """A plain literal for names and identifiers, which have no language."""
    return literal(value)


def address(value: str, scope: Scope) -> Term | Problem:
    """An IRI, resolved against the base."""
    return iri(join(scope.base, value)) or Problem(unusable(value))


def link(value: str, scope: Scope) -> Term | Problem:
    """An absolute URL as a literal, as RSS has it."""
    absolute = mended(join(scope.base, value))
    return Problem(unusable(value)) if absolute is None else literal(absolute)


def mailbox(value: str, _scope: Scope) -> Term | Problem:
    """An e-mail address as an IRI."""
    value = value[7:] if value[:7].lower() == "mailto:" else value
    found = iri(f"mailto:{value}") if re.fullmatch(MAIL, value) else None
    return found or Problem(unusable(value))


def time(value: str, _scope: Scope) -> Term:
    """A date or time literal, typed by its form."""
    return time_literal(value)


def integer(value: str, _scope: Scope) -> Term:
    """An integer literal as spelled; otherwise a plain literal."""
    return literal(value, datatype=f"{XSD}integer" if _INTEGER.fullmatch(value) else None)


def duration(value: str, _scope: Scope) -> Term:
    """An xsd:duration from `90`, `1:30` or `1:02:30`; parts that are zero are left out."""
    match = _CLOCK.fullmatch(value)
    if match is None:
        return time_literal(value)
    hours, minutes, seconds = (int(part or 0) for part in match.group(1, 2, 3))
    fraction = (match[4] or "").rstrip("0")
    parts = f"{hours}H" * bool(hours) + f"{minutes}M" * bool(minutes)
    if fraction or seconds or not parts:
        parts += f"{seconds}.{fraction}S" if fraction else f"{seconds}S"
    return literal(f"PT{parts}", datatype=f"{XSD}duration")


def opposite(value: str, _scope: Scope) -> Term:
    """The family-friendly flag, which is the opposite of "explicit"."""
    word = value.lower()
    if word not in _TRUE and word not in _FALSE:
        return literal(value)
    return literal("false" if word in _TRUE else "true", datatype=f"{XSD}boolean")
