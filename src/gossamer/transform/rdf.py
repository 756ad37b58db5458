"""The syntaxes of RDF itself: Turtle, TriG, N-Triples, N-Quads and RDF/XML."""

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from pyoxigraph import RdfFormat

from gossamer.model import Syntax
from gossamer.transform.document import Document, Item, Transform
from gossamer.transform.rdf_reading import RdfReader
from gossamer.transform.rdf_xml import rdf_xml_statements
from gossamer.transform.turtle_mend import closed

_FORMATS: Final[Mapping[Syntax, RdfFormat]] = MappingProxyType(
    {
        Syntax.TURTLE: RdfFormat.TURTLE,
        Syntax.TRIG: RdfFormat.TRIG,
        Syntax.N_TRIPLES: RdfFormat.N_TRIPLES,
        Syntax.N_QUADS: RdfFormat.N_QUADS,
    }
)

NOTATIONS: Final = frozenset(_FORMATS)
"""Syntaxes of RDF that are plain text."""


def rdf_statements(document: Document, syntax: Syntax, label: str = "t") -> Iterator[Item]:
    """The statements of an RDF document; blank-node names begin with the label."""
    if syntax is Syntax.RDF_XML:
        return rdf_xml_statements(document, syntax, label)
    repair = closed if syntax in (Syntax.TURTLE, Syntax.TRIG) else None
    return RdfReader(document.text, _FORMATS[syntax], document, syntax, label, repair).items()


RDF_TRANSFORMS: Final[Mapping[Syntax, Transform]] = MappingProxyType(
    {syntax: partial(rdf_statements, syntax=syntax) for syntax in (Syntax.RDF_XML, *_FORMATS)}
)
"""Lines for the table of transforms."""
