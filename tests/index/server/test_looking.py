import pyoxigraph as ox
import pytest
from tests.index.made_pages import page, url
from tests.index.server.gate import Gate, always
from tests.index.server.oxigraph import Oxigraph

from gossamer.index.folder import GraphAwayError
from gossamer.index.pages import PageRefused
from gossamer.index.server.address import Server
from gossamer.index.server.finding import found
from gossamer.index.server.http import Http
from gossamer.index.server.looking import PAGES_AT_ONCE, Lookout
from gossamer.index.server.store import ServerStore


def lookout(at: str) -> Lookout:
    server = Server(at)
    http = Http(server)
    return Lookout(server, http, found(http, server, writing=False))


def test_graphs_of_pages_are_told_with_their_sizes(oxigraph: Oxigraph) -> None:
    ServerStore.open(Server(oxigraph.url)).replace([page(1), page(2, size=0)])
    refused: list[PageRefused] = []
    inner, name = ox.NamedNode(f"{url(1)}#graph-0"), ox.NamedNode(url(1))
    assert lookout(oxigraph.url).held([url(1), url(2), url(3)], refused) == {
        url(1): {name: 10, inner: 1},
        url(2): {ox.NamedNode(url(2)): 0},
        url(3): {},
    }
    assert not refused


def test_what_graphs_hold_is_told_by_graph(oxigraph: Oxigraph) -> None:
    ServerStore.open(Server(oxigraph.url)).replace([page(1)])
    inner = ox.NamedNode(f"{url(1)}#graph-0")
    quads = lookout(oxigraph.url).quads([inner, ox.NamedNode(url(9))])
    assert {name: len(found) for name, found in quads.items()} == {inner: 1}
    assert lookout(oxigraph.url).quads([]) == {}


def test_many_pages_are_asked_for_some_at_once(gate: Gate) -> None:
    looking, before = lookout(gate.url), len(gate.seen)
    pages = [url(number) for number in range(2 * PAGES_AT_ONCE + 1)]
    assert len(looking.held(pages, [])) == len(pages)
    assert len(gate.seen) == before + 3


@pytest.mark.parametrize("status", [401, 500, 503])
def test_a_server_that_does_not_tell_is_away(status: int, gate: Gate) -> None:
    looking = lookout(gate.url)
    gate.rule = always(status)
    with pytest.raises(GraphAwayError, match=str(status)):
        looking.held([url(1)], [])
