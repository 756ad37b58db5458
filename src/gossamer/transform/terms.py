"""RDF terms and triples as N-Triples text, the output of all transforms.

A term is made once, checked once, and from then on it is a string: two equal terms are equal
strings, so a page's duplicates fall away in a dictionary. pyoxigraph's own objects take
several times as long to make, and would be turned into these bytes in the end.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NewType

from gossamer.transform.iris import mended

if TYPE_CHECKING:
    Term = NewType("Term", str)
    """`<iri>`, `_:label` or a literal, in canonical N-Triples form."""

    Triple = NewType("Triple", str)
    """Three terms with a space between, and no full stop: `<s> <p> "o"@en`."""
else:
    # A string is its own `str`, at a quarter of what a call of a NewType costs; each statement
    # has four of them.
    Term = Triple = str

XSD: Final = "http://www.w3.org/2001/XMLSchema#"
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"

PLAIN: Final = '"'
"""How a literal without language and type ends."""

# Not written out: a plain literal is a string, and one in a language says which.
_UNDERSTOOD: Final = frozenset({f"{XSD}string", f"{RDF}langString", f"{RDF}dirLangString"})
_ESCAPED: Final = re.compile("[\x00-\x1f\x7f\ufffe\uffff]")  # beside what is replaced first
_ESCAPES: Final = {
    "\t": r"\t",
    "\b": r"\b",
    "\r": r"\r",
    "\f": r"\f",
}
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class InGraph:
    """A triple in a named graph of its document."""

    graph: Term
    triple: Triple


def iri(text: str) -> Term | None:
    """The term of an absolute IRI, repaired if possible; otherwise None."""
    good = mended(text)
    return None if good is None else Term(f"<{good}>")


def known(text: str) -> Term:
    """The term of a constant IRI, which needs no check."""
    return Term(f"<{text}>")


def literal(text: str, language: str | None = None, datatype: str | None = None) -> Term:
    """The term of a literal; an invalid language tag is dropped, xsd:string is implied."""
    return spelled(text, ending(language, datatype) if language or datatype else PLAIN)


def spelled(text: str, end: str) -> Term:
    """The term of a literal with a known ending, for many literals of a kind."""
    # Most text is this plain, and `isprintable` knows no controls and no surrogates.
    if not text.isprintable() or '"' in text or "\\" in text:
        text = _escaped(text)
    return Term(f'"{text}{end}')


@lru_cache(maxsize=256)  # a page asks for the same few all the time
def ending(language: str | None, datatype: str | None = None) -> str:
    """How a literal ends: `"@en`, `"^^<type>`, or with the quotation mark alone."""
    if language and (tag := _tag(language)):
        return f'"@{tag}'
    good = mended(datatype) if datatype else None
    return PLAIN if good is None or good in _UNDERSTOOD else f'"^^<{good}>'


def triple(subject: Term, predicate: Term, object_: Term) -> Triple:
    """A triple from its three terms."""
    return Triple(f"{subject} {predicate} {object_}")


A: Final = known(f"{RDF}type")


def _tag(language: str) -> str | None:
    from pyoxigraph import Literal  # 11 MB: on request

    try:
        # The graph is the judge: a tag that it refuses would cost the whole page.
        return Literal("", language=language).language
    except ValueError:
        return None


def _escaped(text: str) -> str:
    # Whole passages have lines and quotations, and little else to be escaped.
    text = text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    if text.isprintable():
        return text
    if _ESCAPED.search(text):
        text = _ESCAPED.sub(_escape, text)
    # Half of a character pair cannot be written in UTF-8.
    return _SURROGATE.sub("\ufffd", text)


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04X}"
