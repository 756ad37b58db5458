"""What a frozen copy of the graph says: about a subject, and who links to it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Final

import pyoxigraph as ox

from gossamer.index.entities import Said, may_identify, said_of
from gossamer.index.entities.whereabouts import site_of_iri
from gossamer.index.graph.blanks import SCHEME, Term
from gossamer.index.graph.fetch_statements import OURS, PROV, RDF_TYPE
from gossamer.index.graph.names import fetch_graph, is_fetch
from gossamer.processes.confine import give_back_memory

MANY: Final = 5_000  # statements about one subject, beyond which not all are kept
MOST_PAGES: Final = 20_000  # of one subject that are told apart
MOST_HANDED_OUT: Final = 20_000  # statements, for which the engine takes some 60 MB
MOST_LINKS: Final = 1_000  # that are counted
FEW_LINKS: Final = 40  # below which the engine is not asked to count
MOST_LOOKED_AT: Final = 2_000  # statements in which a thing is linked to

# By which what is said about a fetch leads to something.
FETCH_PREDICATES: Final = (
    RDF_TYPE,
    f"{PROV}used",
    f"{PROV}wasGeneratedBy",
    f"{OURS}redirectsTo",
)

# In the engine, which looks up no string for it. Of a page, its own fetch graph speaks too.
ELSEWHERE: Final = """
SELECT DISTINCT ?subject {{
  VALUES (?subject ?page ?fetch) {{ {rows} }}
  GRAPH ?graph {{ ?subject ?predicate ?object }}
  FILTER(!sameTerm(?graph, ?page) && !sameTerm(?graph, ?fetch))
}}
"""

LINKED: Final = """
SELECT ?thing {{
  VALUES (?thing ?fetch) {{ {rows} }}
  FILTER EXISTS {{
    GRAPH ?graph {{ ?other ?predicate ?thing }}
    FILTER(!sameTerm(?other, ?thing) && !sameTerm(?graph, ?fetch))
  }}
}}
"""

# A string is looked up only where a fetch graph may be the one that speaks.
LINKS: Final = f"""
SELECT (COUNT(*) AS ?links) {{{{
  SELECT DISTINCT ?other {{{{
    {{{{ SELECT ?other ?predicate ?graph {{{{
      VALUES ?thing {{{{ {{things}} }}}} GRAPH ?graph {{{{ ?other ?predicate ?thing }}}}
    }}}} LIMIT {{most}} }}}}
    FILTER(IF(?predicate IN ({", ".join(f"<{each}>" for each in FETCH_PREDICATES)}),
              !{is_fetch("?graph")}, true))
    MINUS {{{{ VALUES ?other {{{{ {{themselves}} }}}} }}}}
  }}}}
}}}}
"""


class Statements:
    """A snapshot, to be read."""

    def __init__(self, store: ox.Store, path: str | None = None) -> None:
        self._store = store
        self._path = path  # where it can be opened again
        self._handed_out = 0

    def rest(self) -> None:
        """Have the engine forget what it read, if that is much: it keeps it, and cannot be told not to."""
        if self._path is not None and self._handed_out >= MOST_HANDED_OUT:
            self._store = ox.Store()  # lets go of the one before the next is opened
            give_back_memory()
            self._store = ox.Store.read_only(self._path)
            self._handed_out = 0

    def ahead(self, subjects: Iterable[str]) -> None:
        """Be told who is asked about next: a snapshot has all of it at hand."""

    def pages(self, names: Iterable[str]) -> list[str]:
        """The names among these of pages that the graph has: other nodes may have more, with texts."""
        fetches = ((name, ox.NamedNode(fetch_graph(name))) for name in names)
        return [name for name, fetch in fetches if self._store.contains_named_graph(fetch)]

    def about(self, subject: str, beat: Callable[[], None] | None = None) -> list[Said]:
        """What pages say about a subject; `beat` is called after some thousand statements each.

        Of a subject that stands on thousands of pages, each statement is kept once for all pages,
        once for pages that may identify it, and each page once.
        """
        quads = self._store.quads_for_pattern(ox.NamedNode(subject), None, None, None)
        first = list(islice(quads, MANY))
        self._handed_out += len(first)
        if len(first) < MANY:
            return list(_said(first))
        few = Fewer(subject)
        few.take(_said(chain(first, quads)), beat)
        self._handed_out += few.taken
        return few.kept

    def alone(self, spoken: Mapping[str, Sequence[Said]]) -> set[str]:
        """The subjects of whom only one page speaks."""
        own = {subject for subject in spoken if subject.startswith(SCHEME)}  # as only its page can
        rows = {
            subject: said[0].page
            for subject, said in spoken.items()
            if len(said) < MANY and subject not in own and len({each.page for each in said}) == 1
        }
        return own | (rows.keys() - self._spoken_of_elsewhere(rows))

    def _spoken_of_elsewhere(self, pages: Mapping[str, str]) -> set[str]:
        """The subjects of whom other pages speak too; one question for all of them."""
        rows = ((each, page, _fetch_of(each)) for each, page in pages.items())
        return self._those(ELSEWHERE.format(rows=_rows(rows)))

    def linked(self, things: Iterable[str]) -> set[str]:
        """The subjects to which something may link; most have nothing that does."""
        iris = (thing for thing in things if not thing.startswith(SCHEME))
        return self._those(LINKED.format(rows=_rows((iri, _fetch_of(iri)) for iri in iris)))

    def _those(self, query: str) -> set[str]:
        found = self._store.query(query)
        assert isinstance(found, ox.QuerySolutions)
        return {row[0].value for row in found}

    def links_to(self, things: Iterable[str]) -> int:
        """How many subjects link to any of these, other than they themselves; to a thousand.

        Links to blank nodes are not counted: only their own page can make them.
        """
        themselves = set(things)
        iris = sorted(each for each in themselves if not each.startswith(SCHEME))
        first = list(islice(chain.from_iterable(map(self._linking, iris)), FEW_LINKS))
        if len(first) == FEW_LINKS:
            return min(MOST_LINKS, self._counted(iris, themselves))
        others = {quad.subject.value for quad in first if said_of(quad)}  # type: ignore[union-attr]  # no triple is a subject
        return len(others - themselves)

    def _linking(self, iri: str) -> Iterator[ox.Quad]:
        return self._store.quads_for_pattern(None, None, ox.NamedNode(iri), None)

    def _counted(self, things: Iterable[str], themselves: Iterable[str]) -> int:
        """Count in the engine, which takes a while to begin and then looks up few strings."""
        written = {"things": things, "themselves": themselves}
        names = {key: " ".join(map(_written, iris)) for key, iris in written.items()}
        found = self._store.query(LINKS.format(most=MOST_LOOKED_AT, **names))
        assert isinstance(found, ox.QuerySolutions)
        return int(next(found)[0].value)


def _rows(rows: Iterable[Iterable[str]]) -> str:
    """Rows of IRIs, for a query."""
    return " ".join(f"({' '.join(map(_written, row))})" for row in rows)


def _written(iri: str) -> str:
    """An IRI for a query; raises `ValueError` for what is none, and would be something else there."""
    return str(ox.NamedNode(iri))


def _fetch_of(iri: str) -> str:
    """The graph about the fetch of the page that an IRI may be, or stand on."""
    return fetch_graph(iri.partition("#")[0])


def _said(quads: Iterable[ox.Quad]) -> Iterator[Said]:
    pages: dict[ox.NamedNode | ox.BlankNode | ox.DefaultGraph, str | None] = {}
    for quad in quads:
        graph = quad.graph_name
        if graph in pages:
            page = pages[graph]
        else:
            said = said_of(quad)
            page = pages[graph] = None if said is None else said.page
        if page is not None:
            yield Said(quad.predicate.value, quad.object, page)


class Fewer:
    """Statements about one subject, without most repetitions."""

    def __init__(self, subject: str) -> None:
        self.kept: list[Said] = []
        self.taken = 0
        self._subject = subject
        self._site = site_of_iri(subject)
        self._pages: set[str] = set()
        self._made: set[tuple[str, Term]] = set()
        self._made_by_own: set[tuple[str, Term]] = set()

    def take(self, said: Iterable[Said], beat: Callable[[], None] | None = None) -> None:
        """Keep what is needed of these."""
        for each in said:
            self.taken += 1
            if beat is not None and self.taken % MANY == 0:
                beat()
            if self._is_needed(each):
                self.kept.append(each)

    def _is_needed(self, each: Said) -> bool:
        statement = (each.predicate, each.object)
        needed = statement not in self._made
        self._made.add(statement)
        if each.page not in self._pages and len(self._pages) < MOST_PAGES:
            self._pages.add(each.page)
            needed = True
        if statement not in self._made_by_own and may_identify(
            self._subject, self._site, each.page
        ):
            self._made_by_own.add(statement)
            needed = True
        return needed
