"""What a server says of pages that it has: which graphs there are, and what is in them."""

from collections.abc import Sequence
from typing import Final

import pyoxigraph as ox

from gossamer.index.folder import GraphAwayError
from gossamer.index.names import fetch_graph
from gossamer.index.pages import PageRefused
from gossamer.index.server.address import Endpoints, Server
from gossamer.index.server.finding import asked, query_request
from gossamer.index.server.http import Answer, Http
from gossamer.index.server.updates import Sizes, holdings_query, quads_query

BAD_QUERY: Final = (400, 413, 422)
MOST_ANSWER_BYTES: Final = 1024 * 1024 * 1024
PAGES_AT_ONCE: Final = 200  # in one question


class QueryRefusedError(Exception):
    """The server says that a question of ours is none."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.message)
        self.answer = answer


class Lookout:
    """Asks a server what it has. For one thread."""

    def __init__(self, server: Server, http: Http, endpoints: Endpoints) -> None:
        self._server = server
        self._http = http
        self._endpoints = endpoints

    def held(self, pages: Sequence[str], refused: list[PageRefused]) -> dict[str, Sizes]:
        """The graphs that there are of pages, with those that are empty; without pages refused."""
        held: dict[str, Sizes] = {}
        for start in range(0, len(pages), PAGES_AT_ONCE):
            self._look_up(pages[start : start + PAGES_AT_ONCE], held, refused)
        return held

    def _look_up(
        self, pages: Sequence[str], held: dict[str, Sizes], refused: list[PageRefused]
    ) -> None:
        names = {fetch_graph(page): page for page in pages}
        try:
            rows = self._rows(holdings_query(pages))
        except QueryRefusedError as error:  # it takes one of the names for none
            if len(pages) == 1:
                refused.append(refusal(pages[0], error.answer))
                return
            middle = len(pages) // 2
            self._look_up(pages[:middle], held, refused)
            self._look_up(pages[middle:], held, refused)
            return
        held.update((page, {}) for page in pages)
        for row in rows:
            fetch, graph, size = row["fetch"], row["graph"], row["size"]
            assert isinstance(fetch, ox.NamedNode)
            if isinstance(graph, ox.NamedNode) and isinstance(size, ox.Literal):
                held[names[fetch.value]][graph] = int(size.value)

    def quads(self, graphs: Sequence[ox.NamedNode]) -> dict[ox.NamedNode, list[ox.Quad]]:
        """What is in these graphs."""
        by_graph: dict[ox.NamedNode, list[ox.Quad]] = {}
        for row in self._rows(quads_query(graphs)) if graphs else ():
            graph = row["graph"]
            assert isinstance(graph, ox.NamedNode)
            quad = ox.Quad(row["subject"], row["predicate"], row["object"], graph)
            by_graph.setdefault(graph, []).append(quad)
        return by_graph

    def _rows(self, query: str) -> ox.QuerySolutions:
        sending = query_request(self._endpoints, query, timeout=self._server.timeout)
        answer = asked(self._http, self._server, sending, MOST_ANSWER_BYTES)
        if answer.is_good:
            try:
                rows = ox.parse_query_results(answer.body, format=ox.QueryResultsFormat.JSON)
                assert isinstance(rows, ox.QuerySolutions)
                return rows
            except SyntaxError as error:
                what = f"what cannot be read ({error.msg})"
        elif answer.status in BAD_QUERY:
            raise QueryRefusedError(answer)
        else:
            what = answer.message
        raise GraphAwayError(f"The SPARQL server at {self._server.url} answers {what} to a query.")


def refusal(page: str, answer: Answer) -> PageRefused:
    """A page that the server does not take."""
    return PageRefused(page, f"The SPARQL server refuses what the page says ({answer.message}).")
