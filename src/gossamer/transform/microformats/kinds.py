"""The value of a property as an RDF term, by its kind (docs/vocabularies.md, "Kinds of values")."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from gossamer.model import Problem, Syntax
from gossamer.transform.iris import unusable
from gossamer.transform.kinds import decimal, one_line
from gossamer.transform.microformats.items import Nested, Value
from gossamer.transform.microformats.reading import Reader
from gossamer.transform.microformats.vocabulary import Kind
from gossamer.transform.terms import XSD, Term, iri, literal
from gossamer.transform.times import time_literal
from gossamer.wording import quoted

_INTEGER: Final = re.compile(r"[+-]?\d+", re.ASCII)
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NOT_DIALLED: Final = re.compile(r"[^0-9]", re.ASCII)

Outcome = Term | Problem | None
"""A term; or what is wrong with the value; or nothing, for a value that says nothing."""


def term_of(value: Value, kind: Kind, reader: Reader) -> Outcome:
    """The term of a value for this kind; nodes are made elsewhere."""
    text = one_line(value.text)
    if kind is Kind.IRI and isinstance(value, Nested) and value.item.url:
        text = value.item.url
    return _WAYS[kind](text, value, reader) if text else None


def _text(text: str, value: Value, reader: Reader) -> Outcome:
    element = value.item.element if isinstance(value, Nested) else value.element
    return literal(text, reader.language(element))


def _code(text: str, value: Value, reader: Reader) -> Outcome:
    return literal(text)


def _time(text: str, value: Value, reader: Reader) -> Outcome:
    return time_literal(text)


def _integer(text: str, value: Value, reader: Reader) -> Outcome:
    return literal(text, datatype=f"{XSD}integer" if _INTEGER.fullmatch(text) else None)


def _decimal(text: str, value: Value, reader: Reader) -> Outcome:
    return decimal(text)


def _address(text: str, value: Value, reader: Reader) -> Outcome:
    # Words where an address should be would become one when joined, and name nothing.
    if " " in text and not _SCHEME.match(text):
        return _problem(unusable(text))
    return iri(reader.absolute(text)) or _problem(unusable(text))


def _telephone(text: str, value: Value, reader: Reader) -> Outcome:
    number = text.removeprefix("tel:").strip()
    digits = _NOT_DIALLED.sub("", number)
    if not digits:
        return _problem(f"{quoted(text)} is no telephone number; the statement is left out.")
    return iri(f"tel:{'+' if number.startswith('+') else ''}{digits}")


def _e_mail(text: str, value: Value, reader: Reader) -> Outcome:
    scheme, _, rest = text.rpartition(":")
    address = rest.partition("?")[0]
    if "@" not in address or " " in address or scheme.lower() not in ("", "mailto"):
        return _problem(f"{quoted(text)} is no e-mail address; the statement is left out.")
    return iri(f"mailto:{address}") or _problem(unusable(text))


def _node(text: str, value: Value, reader: Reader) -> Outcome:
    """A value that is no item although the table says node."""
    if text.startswith(("http://", "https://")) and (address := iri(text)):
        return address
    return _text(text, value, reader)


def _problem(message: str) -> Problem:
    return Problem(message, Syntax.MICROFORMATS)


_WAYS: Final[Mapping[Kind, Callable[[str, Value, Reader], Outcome]]] = {
    Kind.TEXT: _text,
    Kind.CODE: _code,
    Kind.IRI: _address,
    Kind.TIME: _time,
    Kind.INTEGER: _integer,
    Kind.DECIMAL: _decimal,
    Kind.TELEPHONE: _telephone,
    Kind.E_MAIL: _e_mail,
    Kind.NODE: _node,
}
