"""Selects links by the user's own query over a page's graph (`--follow-query`).

A query is checked when it is read, before the first request; a wrong one is the user's to
mend. It sees one page in a store of its own, and can reach nothing else: no SERVICE, no
update, no file. The prefixes of `gossamer query` need no declaration here either. How long it
may take is the caller's to bound.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gossamer.errors import ConfigError
from gossamer.model import Link, Refusal
from gossamer.sparql import mistake, refusal
from gossamer.sparql.prefixes import PREFIXES
from gossamer.urls import canonical

if TYPE_CHECKING:
    import pyoxigraph as ox

_KEY: Final = "crawl.follow_query"
_EXAMPLE: Final = "SELECT ?page { ?thing rdfs:seeAlso ?page }"


class LinkQuery:
    """A SPARQL query whose results are links."""

    def __init__(self, text: str) -> None:
        self._text = text
        _check(text)

    def links(self, nquads: bytes) -> Iterator[Link]:
        """The IRIs that the query finds in a page's N-Quads; other results are ignored."""
        import pyoxigraph as ox  # 11 MB: on request

        store = ox.Store()
        store.extend(ox.parse(nquads, format=ox.RdfFormat.N_QUADS))
        for solution in _solutions(store, self._text):
            term = solution[0]
            if isinstance(term, ox.NamedNode):
                url = canonical(term.value)
                if not isinstance(url, Refusal):
                    yield Link(url, source="query")


def _solutions(store: "ox.Store", text: str) -> "ox.QuerySolutions":
    import pyoxigraph as ox

    # The page's graphs are one to the query: nobody should have to write GRAPH.
    found = store.query(text, prefixes=dict(PREFIXES), use_default_graph_as_union=True)
    if not isinstance(found, ox.QuerySolutions) or len(found.variables) != 1:
        raise ConfigError(f"{_KEY}: a SELECT of one variable is wanted, such as {_EXAMPLE}")
    return found


def _check(text: str) -> None:
    if (why := refusal(text)) is not None:
        raise ConfigError(f"{_KEY}: {why}")
    import pyoxigraph as ox

    try:
        _solutions(ox.Store(), text)
    except SyntaxError as error:
        raise ConfigError(f"{_KEY}: {mistake(error.msg, text)}") from None
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as error:  # FROM of something that is not there, and the like
        raise ConfigError(f"{_KEY}: the query cannot be asked ({error}).") from None
