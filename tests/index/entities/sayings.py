"""Statements for the tests of entities, written as briefly as they can be."""

import pyoxigraph as ox

from gossamer.index.entities import Said
from gossamer.index.graph.blanks import SCHEME
from gossamer.sparql.prefixes import PREFIXES

BLANK = SCHEME + "0123456789abcdef"
PAGE = "https://www.good.org/ada"
EVIL = "https://evil.test/page"


def iri(name: str) -> str:
    """`schema:name` as an IRI; what is one already stays so."""
    prefix, _, local = name.partition(":")
    return name if local.startswith("//") or prefix not in PREFIXES else PREFIXES[prefix] + local


def said(predicate: str, value: str, page: str = PAGE, datatype: str | None = None) -> Said:
    """`said("schema:name", "Ada@en")`, `said("schema:sameAs", "<http://…>")`."""
    if value.startswith("<") and value.endswith(">"):
        return Said(iri(predicate), ox.NamedNode(iri(value[1:-1])), page)
    text, _, language = value.rpartition("@")
    if text and len(language) == 2:
        return Said(iri(predicate), ox.Literal(text, language=language), page)
    typed = None if datatype is None else ox.NamedNode(iri(datatype))
    return Said(iri(predicate), ox.Literal(value, datatype=typed), page)
