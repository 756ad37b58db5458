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
    """A literal in the language of its element."""
    value = value.strip()
    return literal(value, document.languages.of(node)) if value else None


def code(value: str, _node: LexborNode, _document: Document) -> Term | None:
    """A plain literal for names and identifiers, which have no language."""
    value = value.strip()
    return literal(value) if value else None


def address(value: str, _node: LexborNode, document: Document) -> Term | None:
    """An IRI resolved against the base of the page; None if that fails."""
    return iri(join(document.html_base, value)) if value.strip() else None


def address_or_code(value: str, node: LexborNode, document: Document) -> Term | None:
    """An IRI if the value has a scheme, otherwise a plain literal."""
    return (address if _SCHEME.match(value.strip()) else code)(value, node, document)


def time(value: str, _node: LexborNode, _document: Document) -> Term | None:
    """A date, time or duration literal, typed by its form."""
    value = value.strip()
    return time_literal(value) if value else None


def decimal(value: str) -> Term:
    """A decimal literal as spelled; otherwise a plain literal."""
    return literal(value, datatype=f"{XSD}decimal" if _DECIMAL.fullmatch(value) else None)


def one_line(words: str) -> str:
    """The text of an element with white space collapsed."""
    return _SPACES.sub(" ", words).strip()
