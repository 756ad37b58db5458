"""What tests of JSON-LD share: documents in, lines and problems out."""

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import pyoxigraph as ox

from gossamer.model import Problem
from gossamer.transform.document import Document, Item
from gossamer.transform.jsonld.statements import json_ld_statements
from gossamer.transform.terms import InGraph

URL = "https://page.test/dir/page"
NO_CONTEXTS: Mapping[str, bytes] = MappingProxyType({})
Graph = frozenset[str]


def json_document(text: str | bytes, contexts: Mapping[str, bytes] = NO_CONTEXTS) -> Document:
    """A JSON-LD document."""
    body = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return Document(URL, body, media_type="application/ld+json", contexts=contexts)


def page(*scripts: str, url: str = URL, head: str = "") -> Document:
    """An HTML page with these texts in JSON-LD script elements."""
    elements = "\n".join(
        f'<script type="application/ld+json">{script}</script>' for script in scripts
    )
    text = f"<!DOCTYPE html>\n<html><head>{head}\n{elements}</head><body>text</body></html>"
    return Document(url, text.encode(), media_type="text/html")


def items(document: Document) -> list[Item]:
    """All that is found."""
    return list(json_ld_statements(document))


def lines(found: Iterable[Item]) -> list[str]:
    """The statements as N-Quads, in order."""
    return [
        f"{item.triple} {item.graph} ." if isinstance(item, InGraph) else f"{item} ."
        for item in found
        if not isinstance(item, Problem)
    ]


def problems(found: Iterable[Item]) -> list[Problem]:
    """What was wrong."""
    return [item for item in found if isinstance(item, Problem)]


def messages(found: Iterable[Item]) -> list[str]:
    """What was wrong, in words."""
    return [problem.message for problem in problems(found)]


def graph(nquads: Iterable[str]) -> Graph:
    """A dataset, whatever its blank nodes are called."""
    dataset = ox.Dataset(ox.parse("\n".join(nquads), format=ox.RdfFormat.N_QUADS))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return frozenset(str(quad) for quad in dataset)


def said_by(value: Any) -> Graph:
    """What a document says that must have no problem."""
    found = items(json_document(json.dumps(value)))
    assert messages(found) == []
    return graph(lines(found))
