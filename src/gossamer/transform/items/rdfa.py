"""RDFa statements by subject, as expanded JSON-LD, in document order and with repetitions."""

from typing import Any

import pyoxigraph

from gossamer.transform.document import Document
from gossamer.transform.rdfa import rdfa_statements
from gossamer.transform.terms import RDF, XSD

_TYPE = f"{RDF}type"


def rdfa_items(document: Document) -> list[dict[str, Any]]:
    """The subjects of a page's RDFa, each with its types and properties."""
    lines: list[str] = []
    size = 0
    for statement in rdfa_statements(document):
        if not isinstance(statement, str):
            continue
        size += len(statement)
        if len(lines) >= document.options.max_quads or size > document.options.max_nquads_bytes:
            document.items_are_cut = True
            break
        lines.append(f"{statement} .\n")
    subjects: dict[str, dict[str, Any]] = {}
    for each in pyoxigraph.parse("".join(lines).encode(), pyoxigraph.RdfFormat.N_TRIPLES):
        name = _name(each.subject)
        node = subjects.setdefault(name, {"@id": name})
        if each.predicate.value == _TYPE and not isinstance(each.object, pyoxigraph.Literal):
            node.setdefault("@type", []).append(_name(each.object))
        else:
            node.setdefault(each.predicate.value, []).append(_value(each.object))
    return list(subjects.values())


def _name(term: Any) -> str:  # noqa: ANN401 (pyoxigraph's terms have no common class)
    return term.value if isinstance(term, pyoxigraph.NamedNode) else str(term)


def _value(term: Any) -> dict[str, str]:  # noqa: ANN401
    if not isinstance(term, pyoxigraph.Literal):
        return {"@id": _name(term)}
    if term.language:
        return {"@value": term.value, "@language": term.language}
    if term.datatype.value != f"{XSD}string":
        return {"@value": term.value, "@type": term.datatype.value}
    return {"@value": term.value}
