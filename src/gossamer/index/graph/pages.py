"""What a page brings to the graph, read and checked. Pure.

A worker may have been taken over by the page it read, so its N-Quads are believed nothing: they
are parsed here, and a page that names a graph of somebody else is refused as a whole.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

from gossamer.index.graph.blanks import SCHEME, Blanks, ReservedError, has_blanks
from gossamer.index.graph.names import fetch_graph, is_source_graph
from gossamer.transform.triple_terms import is_shallow
from gossamer.wording import quoted

TRIPLES: Final = ox.NamedNode("http://rdfs.org/ns/void#triples")
"""In `PAGE#fetch`, the store's own statement about each source graph of the page: its size."""


@dataclass(frozen=True, slots=True)
class PageGraphs:
    """All that the graph is to hold of one page from now on."""

    url: str  # its name as an IRI (`names.page_name`), which is that of its source graph
    # Of its source graphs; empty: it has none; None: keep those it has, and what was said of them.
    nquads: bytes | None
    fetch: bytes  # N-Quads of `PAGE#fetch`
    drop: bool = False  # forget the page, its fetch and all; nothing else is looked at
    has_other_text: bool = (
        False  # its visible text, which is kept elsewhere, is another than before
    )

    @property
    def is_news(self) -> bool:
        """Whether the search index is to look at the page, whatever its graphs say."""
        return self.drop or self.has_other_text


@dataclass(frozen=True, slots=True)
class PageRefused:
    """A page that was left as it was, and why: a sentence."""

    url: str
    message: str


@dataclass(frozen=True, slots=True)
class PageChanged:
    """How much of what a page says is other than before."""

    url: str
    added: int  # statements in its source graphs
    removed: int


class RefusedError(Exception):
    """What a page brings is not its to write; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a page brings, ready to be kept."""

    page: str
    source: frozenset[ox.Quad] | None  # None: what there is stays
    fetch: frozenset[ox.Quad]
    about_stays: bool = False  # what was said of its content at an earlier fetch, too


def content_of(page: PageGraphs) -> Content:
    """The page's quads, each once, without blank nodes; raises `RefusedError`."""
    check_name(page.url)
    blanks, fetch = Blanks(page.url), fetch_graph(page.url)
    source = None
    if page.nquads is not None:
        source = _quads(page.nquads, blanks, lambda name: is_source_graph(page.url, name))
    about = _quads(page.fetch, blanks, fetch.__eq__)
    if any(quad.predicate == TRIPLES for quad in about):
        raise RefusedError(f"{TRIPLES} in {quoted(fetch)} is for the graph itself to say.")
    return Content(page.url, source, about, about_stays=source is None)


def check_name(page: str) -> None:
    """Check that a page can have this name; raises `RefusedError` where none can."""
    if "#" in page:
        raise RefusedError(f"{quoted(page)} has a fragment: no page has that name.")
    try:
        ox.NamedNode(page)
    except ValueError as error:
        raise RefusedError(f"{quoted(page)} is no IRI ({error}).") from None


def without_repeats(pages: Sequence[PageGraphs]) -> Iterator[list[PageGraphs]]:
    """The pages in runs, none of which has a page twice: a change starts from what is kept."""
    run: dict[str, PageGraphs] = {}
    for page in pages:
        if page.url in run:
            yield list(run.values())
            run = {}
        run[page.url] = page
    if run:
        yield list(run.values())


def _quads(nquads: bytes, blanks: Blanks, is_own: Callable[[str], bool]) -> frozenset[ox.Quad]:
    if not is_shallow(nquads):
        raise RefusedError("Statements about statements are nested too deep.")
    try:
        quads: Iterable[ox.Quad] = list(ox.parse(nquads, format=ox.RdfFormat.N_QUADS))
        if _may_name_what_is_ours(nquads):
            quads = [blanks.quad(quad) for quad in quads]
        elif b"_:" in nquads:  # to look at each term of each quad takes as long as to keep it
            quads = [blanks.quad(quad) if has_blanks(quad) else quad for quad in quads]
    except SyntaxError as error:
        raise RefusedError(f"These are no N-Quads ({error.msg}).") from None
    except ReservedError as error:
        raise RefusedError(f"{quoted(str(error))} is of a scheme that is ours alone.") from None
    for graph in {quad.graph_name for quad in quads}:
        if not isinstance(graph, ox.NamedNode) or not is_own(graph.value):
            raise RefusedError(f"The graph {quoted(str(graph))} is not the page's to write.")
    return frozenset(quads)


def _may_name_what_is_ours(nquads: bytes) -> bool:
    """Whether there may be IRIs of our scheme, in whatever spelling."""
    text = nquads.lower()
    return b"\\u" in text or SCHEME.encode() in text
