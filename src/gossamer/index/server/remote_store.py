"""A graph on a server, read like a store of the engine: by patterns, and by questions about many things at once.

Words and tables ask for one subject after the other. Over a network each question costs a way there and
back, so what is about to be asked for is fetched ahead, some hundred subjects in one query. What comes is
as of the moment it was asked: whoever needs more than that follows the journal.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

import pyoxigraph as ox

from gossamer.errors import GraphAwayError, GraphError
from gossamer.index.entities import Said, said_of
from gossamer.index.graph.blanks import SCHEME, Term
from gossamer.index.graph.fetch_statements import RDF_TYPE
from gossamer.index.graph.names import is_fetch
from gossamer.index.server.address import Endpoints, Server
from gossamer.index.server.finding import found, query_request
from gossamer.index.server.http import CUT, Exchange, Http, UnreachableError, said
from gossamer.index.words.statements import (
    FEW_LINKS,
    MANY,
    MOST_LINKS,
    MOST_LOOKED_AT,
    Fewer,
    Statements,
)

ROWS: Final = "application/sparql-results+json"
SUBJECTS_AT_ONCE: Final = 100  # of which one question asks
THINGS_AT_ONCE: Final = 40  # whose links one question asks for: each is a part of it of its own
MOST_AHEAD: Final = 10_000  # statements that are fetched before they are asked for
SHORT_BYTES: Final = 4096
MOST_THEMSELVES: Final = 500  # subjects of one thing whose links to each other are told apart
# As `statements.LINKS`, without MINUS, which Virtuoso passes over.
COUNT: Final = f"""
SELECT (COUNT(*) AS ?links) {{{{ SELECT DISTINCT ?other {{{{
  {{{{ SELECT ?other ?graph {{{{
    VALUES ?thing {{{{ {{things}} }}}} GRAPH ?graph {{{{ ?other ?predicate ?thing }}}}
  }}}} LIMIT {{most}} }}}}
  FILTER(!{is_fetch("?graph")} && ?other NOT IN ({{themselves}}))
}}}} }}}}
"""

Row = ox.QuerySolution


class RemoteStore:
    """What a server has, for one thread. Raises `GraphError`, `GraphAwayError` where it is away."""

    def __init__(self, http: Http, endpoints: Endpoints) -> None:
        self._http = http
        self._endpoints = endpoints

    @classmethod
    def open(cls, locator: str) -> "RemoteStore":
        """The store at what `reading.written` made of a server."""
        server = Server(**json.loads(locator))
        http = Http(server)
        return cls(http, found(http, server, writing=False))

    def classes(self) -> Iterator[Term]:
        """The classes that there are."""
        query = f"SELECT DISTINCT ?type {{ GRAPH ?graph {{ ?thing <{RDF_TYPE}> ?type }} }}"
        return (row["type"] for row in self.rows(query))

    def quads_for_pattern(
        self,
        subject: Term | None,
        predicate: ox.NamedNode | None,
        object: Term | None,  # noqa: A002 (as the engine's own)
        graph_name: Term | None = None,
    ) -> Iterator[ox.Quad]:
        """The quads of named graphs with these terms, None for any; as they come."""
        terms = {"s": subject, "p": predicate, "o": object, "g": graph_name}
        text = {name: f"?{name}" if term is None else str(term) for name, term in terms.items()}
        free = [f"?{name}" for name, term in terms.items() if term is None] or ["(1 AS ?is)"]
        query = "SELECT {} {{ GRAPH {g} {{ {s} {p} {o} }} }}".format(" ".join(free), **text)
        for row in self.rows(query):
            values = [
                row[name] if term is None else term  # what we asked for, as we have it
                for name, term in terms.items()
            ]
            yield ox.Quad(*values)  # type: ignore[arg-type]  # as the server has it

    def subjects(self) -> Iterator[tuple[Term, Term]]:
        """Every subject with the graph that speaks of it; mostly one after the other."""
        for row in self.rows("SELECT ?g ?s { GRAPH ?g { ?s ?p ?o } }"):
            yield row["s"], row["g"]

    def rows(self, query: str, timeout: float | None = None) -> Iterator[Row]:
        """The rows of a query, as they come."""
        request = query_request(self._endpoints, query, ROWS, timeout=timeout)
        try:
            with self._http.open(request) as exchange:
                if exchange.status != 200:
                    told = said(exchange.status, exchange.read(SHORT_BYTES))
                    raise GraphAwayError(
                        f"The SPARQL server at {self._endpoints.query} answers {told}."
                    )
                yield from self._read(exchange)
        except UnreachableError as error:
            raise GraphAwayError(
                f"The SPARQL server at {self._endpoints.query} does not answer: {error}."
            ) from None

    def _read(self, exchange: Exchange) -> Iterator[Row]:
        count = 0
        try:
            answer = ox.parse_query_results(exchange, format=ox.QueryResultsFormat.JSON)  # type: ignore[arg-type]  # a file as far as it reads one
            assert isinstance(answer, ox.QuerySolutions)
            for row in answer:
                count += 1
                yield row
        except (SyntaxError, ValueError) as error:
            raise GraphError(
                f"The answer of the SPARQL server at {self._endpoints.query} cannot be read ({error})."
            ) from None
        if (most := exchange.cut_at) is not None and count >= most:
            raise GraphError(CUT.format(self._endpoints.query, most))


class RemoteStatements(Statements):
    """What a graph on a server says about subjects, and who links to them."""

    def __init__(self, store: RemoteStore) -> None:
        super().__init__(ox.Store())  # of ours there is nothing
        self._remote = store
        self._ahead: dict[str, list[Said]] = {}
        self._links: dict[str, list[ox.Quad]] = {}

    def rest(self) -> None:
        """Forget what was fetched ahead."""
        self._ahead.clear()
        self._links.clear()

    def pages(self, names: Iterable[str]) -> list[str]:
        """All of these names: a server has the pages of all nodes."""
        return list(names)

    def ahead(self, subjects: Iterable[str]) -> None:
        """Fetch what is said about these, for they are asked about next; as much as there is room for."""
        rest = iter([each for each in dict.fromkeys(subjects) if each not in self._ahead])
        room = MOST_AHEAD
        while room > 0 and (some := list(islice(rest, SUBJECTS_AT_ONCE))):
            room -= self._fetch(some)

    def _fetch(self, subjects: list[str]) -> int:
        names = " ".join(map(_written, subjects))
        query = f"SELECT ?s ?p ?o ?g {{ VALUES ?s {{ {names} }} GRAPH ?g {{ ?s ?p ?o }} }}"
        found: dict[str, list[Said]] = {each: [] for each in subjects}
        counts: dict[str, int] = dict.fromkeys(subjects, 0)
        for row in self._remote.rows(query):
            quad = ox.Quad(row["s"], row["p"], row["o"], row["g"])
            assert not isinstance(quad.subject, ox.Triple)  # no triple is a subject
            subject = quad.subject.value
            counts[subject] = counts.get(subject, 0) + 1
            if counts[subject] <= MANY and (one := said_of(quad)) is not None:
                found.setdefault(subject, []).append(one)
        # Of whom there is very much, that is read on its own, and less of it kept.
        self._ahead |= {each: said for each, said in found.items() if counts[each] <= MANY}
        return sum(counts.values())

    def about(self, subject: str, beat: Callable[[], None] | None = None) -> list[Said]:
        """What pages say about a subject, as it was fetched ahead or is now."""
        if (known := self._ahead.pop(subject, None)) is not None:
            return known
        few, taken = Fewer(subject), list[Said]()
        quads = self._remote.quads_for_pattern(ox.NamedNode(subject), None, None)
        told = (one for quad in quads if (one := said_of(quad)) is not None)
        taken = list(islice(told, MANY))
        if len(taken) < MANY:
            return taken
        few.take(taken)
        few.take(told, beat)
        return few.kept

    def linked(self, things: Iterable[str]) -> set[str]:
        """The subjects to which something links; who does is known from then on."""
        rest = iter([thing for thing in things if not thing.startswith(SCHEME)])
        while some := list(islice(rest, THINGS_AT_ONCE)):
            parts = (
                f"{{ SELECT ?o ?s ?p ?g {{ VALUES ?o {{ {_written(thing)} }} "
                f"GRAPH ?g {{ ?s ?p ?o }} }} LIMIT {FEW_LINKS + 1} }}"
                for thing in some
            )
            known: defaultdict[str, list[ox.Quad]] = defaultdict(list)
            for row in self._remote.rows(f"SELECT * {{ {' UNION '.join(parts)} }}"):
                quad = ox.Quad(row["s"], row["p"], row["o"], row["g"])
                known[quad.object.value].append(quad)  # type: ignore[union-attr]  # an IRI, as asked
            self._links |= {thing: known[thing] for thing in some}
        return {thing for thing, quads in self._links.items() if quads}

    def links_to(self, things: Iterable[str]) -> int:
        """How many subjects link to any of these, other than they themselves; to a thousand."""
        themselves = set(things)
        iris = sorted(each for each in themselves if not each.startswith(SCHEME))
        if unknown := [each for each in iris if each not in self._links]:
            self.linked(unknown)
        first = [quad for each in iris for quad in self._links[each]]
        if len(first) >= FEW_LINKS:
            return min(MOST_LINKS, self._counted(iris, themselves))
        others = {quad.subject.value for quad in first if said_of(quad)}  # type: ignore[union-attr]  # no triple is a subject
        return len(others - themselves)

    def _counted(self, things: Iterable[str], themselves: Iterable[str]) -> int:
        names = " ".join(map(_written, things))
        own = ", ".join(map(_written, islice(themselves, MOST_THEMSELVES)))
        (row,) = self._remote.rows(COUNT.format(things=names, themselves=own, most=MOST_LOOKED_AT))
        count = row["links"]
        assert isinstance(count, ox.Literal)
        return int(count.value)


def _written(iri: str) -> str:
    return str(ox.NamedNode(iri))


def is_locator(snapshot: str) -> bool:
    """Whether what is to be read is a server, and no folder."""
    return snapshot.startswith("{")
