"""Rows of columns as statements again: as N-Quads for other stores, and as a graph of our own has them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import pyoxigraph as ox

from gossamer.columnar.duck import ColumnFiles, ColumnStore
from gossamer.index.entities.type_rows import type_lines
from gossamer.index.graph.blanks import Blanks, ReservedError, is_reserved
from gossamer.index.graph.names import page_name
from gossamer.model import Url

TERMS: Final = "subject, predicate, object, kind, language, datatype, graph"
ALL: Final = f"SELECT {TERMS} FROM latest"  # noqa: S608 (nothing but ours)
BY_PAGE: Final = f"SELECT {TERMS}, page FROM latest"  # noqa: S608 (nothing but ours)
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})
_XSD_STRING: Final = "http://www.w3.org/2001/XMLSchema#string"


def nquads_line(row: Sequence[Any]) -> str:
    """A row of `TERMS` as a line of N-Quads."""
    subject, predicate, value, kind, language, datatype, graph = row
    if kind == "literal":
        written = f'"{value.translate(_ESCAPES)}"'
        if language:
            written += f"@{language}"
        elif datatype and datatype != _XSD_STRING:
            written += f"^^<{datatype}>"
    else:
        written = value if kind == "triple" else _node(value)
    named = f" <{graph}>" if graph else ""
    return f"{_node(subject)} <{predicate}> {written}{named} .\n"


def kept_quads(rows: Iterable[Sequence[Any]]) -> Iterator[ox.Quad]:
    """Rows of `BY_PAGE` as a crawl's graph keeps them, with names for blank nodes."""
    page, blanks = "", Blanks("")
    for *terms, source in rows:
        if source != page:
            page, blanks = source, Blanks(page_name(Url(source)))
        subject, predicate, value, kind, language, datatype, graph = terms
        try:
            object_ = blanks.kept(_term(value, kind, language, datatype))
            yield ox.Quad(
                blanks.kept(_term(subject, "")),  # type: ignore[arg-type]  # no literal is a subject
                _iri(predicate),
                object_,
                ox.NamedNode(graph or source),
            )
        except ReservedError:  # it names what is ours to name
            continue


def things_of_columns(
    files: ColumnFiles, types: Sequence[str], hosts: Sequence[str]
) -> Iterator[str]:
    """A line of JSON for each thing of these types, as `gossamer table` takes it; held in memory."""
    store = ox.Store()
    with ColumnStore(files) as columns:
        store.bulk_extend(kept_quads(columns.ask(BY_PAGE)))
    yield from type_lines(store, types, [host.strip().lower() for host in hosts])


def _node(name: str) -> str:
    return name if name.startswith(("_:", "<<")) else f"<{name}>"


def _iri(text: str) -> ox.NamedNode:
    node = ox.NamedNode(text)
    if is_reserved(node):
        raise ReservedError(text)
    return node


def _term(
    value: str, kind: str, language: str | None = None, datatype: str | None = None
) -> ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple:
    if kind == "literal":
        if language:
            return ox.Literal(value, language=language)
        return ox.Literal(value, datatype=ox.NamedNode(datatype or _XSD_STRING))
    if kind == "triple" or value.startswith("<<"):
        line = f"<urn:s> <urn:p> {value} ."
        (quad,) = ox.parse(line, ox.RdfFormat.N_TRIPLES)
        found: ox.Triple = quad.object
        return found
    return ox.BlankNode(value[2:]) if value.startswith("_:") else ox.NamedNode(value)
