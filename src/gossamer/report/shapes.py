"""The user's own SHACL shapes (Core), checked by pySHACL: `gossamer[shacl]`. A page at a time, where pages are read.

Shapes come as N-Triples, read and looked through by whoever was given the file: what is beyond SHACL Core was refused there.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import pyoxigraph as ox

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.wording import quoted

if TYPE_CHECKING:
    import rdflib

SH: Final = "http://www.w3.org/ns/shacl#"
_BEYOND_CORE: Final = frozenset(
    SH + name
    for name in (
        *("sparql", "js", "target", "rule", "expression", "select", "ask", "construct", "update"),
        *("jsLibrary", "jsFunctionName", "prefixes", "values", "SPARQLTarget", "JSConstraint"),
    )
)
_IMPORTS: Final = "http://www.w3.org/2002/07/owl#imports"
_SEVERITIES: Final = {"Violation": Severity.ERROR, "Warning": Severity.WARNING}
_FORMATS: Final = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".jsonld": ox.RdfFormat.JSON_LD,
}
SUFFIXES: Final = tuple(_FORMATS)


def read_shapes(text: bytes, suffix: str) -> str:
    """The shapes in a file as N-Triples; `ValueError` says why there are none, or what is beyond Core."""
    try:
        quads = [*ox.parse(text, _FORMATS[suffix], base_iri="urn:shapes:")]
    except (OSError, SyntaxError, ValueError) as error:
        raise ValueError(f"it cannot be read: {error}") from None
    if not any(quad.predicate.value.startswith(SH) for quad in quads):
        raise ValueError("it has no shapes of SHACL")
    for quad in quads:
        for term in (quad.predicate, quad.object):
            if isinstance(term, ox.NamedNode) and term.value in _BEYOND_CORE:
                raise ValueError(f"{term.value} is beyond SHACL Core")
        if quad.predicate.value == _IMPORTS:
            raise ValueError("owl:imports is not followed; put all shapes into one file")
    return "".join(f"{quad.triple} .\n" for quad in quads)


def shape_findings(page: RulePage, shapes: str) -> Iterator[Finding]:
    """What pySHACL finds on a page."""
    import pyshacl
    import rdflib

    data = rdflib.Graph()
    for quad in page.quads:
        data.add((_term(quad.subject), _term(quad.predicate), _term(quad.object)))
    _, results, _ = pyshacl.validate(
        data,
        shacl_graph=_graph(shapes),
        inference="none",
        advanced=False,
        js=False,
        meta_shacl=False,
        do_owl_imports=False,
    )
    found = [_finding(page, results, node) for node in results.subjects(_sh("focusNode"), None)]
    yield from sorted(found, key=lambda each: (each.entity or "", each.message))


def _term(term: object) -> Any:  # noqa: ANN401 (rdflib's own)
    """A term as rdflib has it; a parser would give blank nodes other labels."""
    import rdflib

    match term:
        case ox.NamedNode(value=iri):
            return rdflib.URIRef(iri)
        case ox.BlankNode(value=label):
            return rdflib.BNode(label)
        case ox.Literal(value=text, language=str(language)):
            return rdflib.Literal(text, lang=language)
        case ox.Literal(value=text, datatype=datatype):
            return rdflib.Literal(text, datatype=rdflib.URIRef(datatype.value))
    return rdflib.Literal(str(term))


@lru_cache(maxsize=4)
def _graph(shapes: str) -> "rdflib.Graph":
    import rdflib

    return rdflib.Graph().parse(data=shapes, format="nt")


def _sh(name: str) -> "rdflib.URIRef":
    import rdflib

    return rdflib.URIRef(SH + name)


def _finding(page: RulePage, results: Any, node: Any) -> Finding:  # noqa: ANN401 (rdflib's own)
    focus, path = results.value(node, _sh("focusNode")), results.value(node, _sh("resultPath"))
    value, message = results.value(node, _sh("value")), results.value(node, _sh("resultMessage"))
    shape = results.value(node, _sh("sourceShape"))
    severity = str(results.value(node, _sh("resultSeverity"))).removeprefix(SH)
    entity = _name(focus)
    at = None if value is None else page.line_of(str(value))
    named = "" if path is None else f"{_short(str(path))}: "
    told = "" if value is None else f" It is {quoted(_name(value))}."
    said = str(message or "A shape is not kept to.").rstrip(".")
    return Finding(
        f"{named}{said}.{told}",
        _SEVERITIES.get(severity, Severity.INFO),
        at or page.line_of_entity(entity),
        entity,
        rule="shape",
        see=str(shape) if str(shape).startswith(("http://", "https://")) else None,
    )


def _name(term: Any) -> str:  # noqa: ANN401
    import rdflib

    return f"_:{term}" if isinstance(term, rdflib.BNode) else str(term)


def _short(iri: str) -> str:
    return iri.rpartition("#")[2].rpartition("/")[2] or iri
