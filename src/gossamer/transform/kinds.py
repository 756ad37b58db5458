"""The kinds of values in docs/vocabularies.md, as terms: text, code, IRI, time, decimal, e-mail.

Each takes what stands on a page and gives its term; None where it says nothing.
"""

import re
from collections.abc import Callable
from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.transform.document import Document
from gossamer.transform.iris import join
from gossamer.transform.terms import XSD, Term, iri, literal
from gossamer.transform.times import time_literal

Kind = Callable[[str, LexborNode, Document], Term | None]

# A single space is one already, and most there are are.
_SPACES: Final = re.compile(r"[\t\n\r\f][ \t\n\r\f]*| [ \t\n\r\f]+")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_DECIMAL: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)


def text(value: str, node: LexborNode, document: Document) -> Term | None:
    """Words, in the language of their element."""
    value = value.strip()
    return literal(value, document.languages.of(node)) if value else None


def code(value: str, _node: LexborNode, _document: Document) -> Term | None:
    """Names and identifiers, which are in no language."""
    value = value.strip()
    return literal(value) if value else None


def address(value: str, _node: LexborNode, document: Document) -> Term | None:
    """An IRI, joined with the base of the page; None as well where it cannot be joined."""
    return iri(join(document.html_base, value)) if value.strip() else None


def address_or_code(value: str, node: LexborNode, document: Document) -> Term | None:
    """An IRI where it has a scheme, else a code."""
    return (address if _SCHEME.match(value.strip()) else code)(value, node, document)


def time(value: str, _node: LexborNode, _document: Document) -> Term | None:
    """A moment or a duration, typed by its looks."""
    value = value.strip()
    return time_literal(value) if value else None


def decimal(value: str) -> Term:
    """A number as it is spelled; what is none is a plain literal."""
    return literal(value, datatype=f"{XSD}decimal" if _DECIMAL.fullmatch(value) else None)


def one_line(words: str) -> str:
    """The text of an element, a run of white space as one space."""
    return _SPACES.sub(" ", words).strip()
