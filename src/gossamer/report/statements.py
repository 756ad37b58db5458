"""A page's statements as plain tuples, from the N-Quads that our own assembly writes. Pure.

Rules look at every statement. Objects of a parser would take several times as long to make as the texts in them.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple


class TermKind(Enum):
    """What the object of a statement is."""

    TEXT = "text"  # a literal
    IRI = "IRI"
    BLANK = "blank node"


class PageStatement(NamedTuple):
    """A statement: entities are named by their IRI, or by `_:` and the label of a blank node."""

    subject: str
    predicate: str
    value: str
    kind: TermKind


# Canonical N-Quads: one space between terms. Statements about statements do not match, and are nobody's here.
_LINE: Final = re.compile(
    r'^(?:<([^<>\n]*)>|(_:\S+)) <([^<>\n]*)> (?:<([^<>\n]*)>|(_:\S+)|"((?:[^"\\\n]++|\\.)*+)"\S*) ',
    re.MULTILINE,
)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_PLAIN: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


def page_statements(nquads: bytes) -> Iterator[PageStatement]:
    """All statements in their order, but those about statements."""
    for iri, label, predicate, other, blank, text in _LINE.findall(nquads.decode()):
        subject = _unescaped(iri) if iri else label
        if other:
            yield PageStatement(subject, predicate, _unescaped(other), TermKind.IRI)
        elif blank:
            yield PageStatement(subject, predicate, blank, TermKind.BLANK)
        else:
            yield PageStatement(subject, predicate, _unescaped(text), TermKind.TEXT)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    four, eight, letter = found.groups()
    return chr(int(four or eight, 16)) if letter is None else _PLAIN.get(letter, letter)
