"""One statement about a subject, and the page that makes it. Pure."""

from typing import NamedTuple

import pyoxigraph as ox

from gossamer.index.graph.blanks import Term
from gossamer.index.graph.names import FETCH


class Said(NamedTuple):
    """What a page says about a subject. A tuple, since a crawl has many millions of them."""

    predicate: str
    object: Term  # as the store keeps it: no blank nodes
    page: str


def page_of(graph: str) -> str | None:
    """The page whose source graph has this name; None for a graph about a fetch."""
    return None if graph.endswith(FETCH) else graph.partition("#")[0]


def said_of(quad: ox.Quad) -> Said | None:
    """A quad of the store as a statement; None where no page makes it."""
    page = page_of(quad.graph_name.value) if isinstance(quad.graph_name, ox.NamedNode) else None
    return None if page is None else Said(quad.predicate.value, quad.object, page)
