"""The graph on a server holds what the graph of a folder holds, whatever the server is like."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.index.made_pages import V, about, page, shown, url
from tests.index.server.gate import Gate, Rule, Seen, Told, always
from tests.index.server.oxigraph import Oxigraph

from gossamer.errors import GraphAwayError
from gossamer.index.graph.names import fetch_graph
from gossamer.index.graph.pages import TRIPLES, PageChanged, PageGraphs, PageRefused
from gossamer.index.graph.schema_rewrite import in_one_form
from gossamer.index.graph.store import GraphStore
from gossamer.index.server.address import Server
from gossamer.index.server.finding import found
from gossamer.index.server.http import Http
from gossamer.index.server.store import PAGES_AT_ONCE, Lookout, ServerStore


def opened(url: str, **settings: int) -> ServerStore:
    return ServerStore.open(Server(url, **settings))  # type: ignore[arg-type]  # numbers alone


def updates(rule: Rule) -> Rule:
    return lambda seen: rule(seen) if seen.is_update else None


def refusing(word: bytes, status: int = 400) -> Rule:
    """Has something against a word."""
    return lambda seen: Told(status, b"no such thing") if word in seen.body else None


def anything(chance: random.Random) -> PageGraphs:
    number, version = chance.randrange(6), chance.randrange(4)
    match chance.randrange(6):
        case 0:
            return PageGraphs(url(number), None, b"", drop=True)
        case 1:
            return PageGraphs(url(number), None, about(number, version))
    return page(number, version, chance.choice([0, 1, 5]))


@pytest.mark.parametrize("most_bytes", [2_000_000, 1_500, 100])
def test_it_holds_what_the_graph_of_a_folder_holds(
    most_bytes: int, oxigraph: Oxigraph, tmp_path: Path
) -> None:
    """With one update for all, with several, and with every page too large for one."""
    chance = random.Random(most_bytes)
    server, folder = opened(oxigraph.url, max_update_bytes=most_bytes), GraphStore.open(tmp_path)
    for _ in range(12):
        pages = [anything(chance) for _ in range(chance.randrange(1, 9))]
        compare = chance.random() < 0.5
        there: list[PageChanged] | None = [] if compare else None
        here: list[PageChanged] | None = [] if compare else None
        assert server.replace(pages, there) == folder.replace(pages, here) == []
        assert sorted(there or [], key=str) == sorted(here or [], key=str)
        assert oxigraph.quads() == set(folder._store)
    assert shown(oxigraph.quads())


def test_a_page_that_speaks_for_another_is_refused_alone(oxigraph: Oxigraph) -> None:
    thief = PageGraphs(url(1), f'<x:a> <x:b> "c" <{url(2)}> .'.encode(), b"")
    liar = PageGraphs(url(3), b"", f"<{url(3)}> {TRIPLES} 7 <{fetch_graph(url(3))}> .".encode())
    refused = opened(oxigraph.url).replace([page(2), thief, liar])
    assert [each.url for each in refused] == [url(1), url(3)]
    assert not oxigraph.graph(url(1))
    assert oxigraph.graph(url(2))


def hostile(text: str) -> PageGraphs:
    name = ox.NamedNode(url(7))
    quad = ox.Quad(name, ox.NamedNode("x:says"), ox.Literal(text), name)
    nquads = ox.serialize([quad], format=ox.RdfFormat.N_QUADS)
    assert nquads is not None
    return PageGraphs(url(7), nquads, about(7))


@pytest.mark.parametrize("most_bytes", [2_000_000, 100])
@pytest.mark.parametrize(
    "text",
    [
        '" } } ; DROP ALL ; INSERT DATA { GRAPH <http://b.test/> { <x:a> <x:b> "',
        r"\u0022 } } ; DROP ALL #",
        '\\\\" } } ; CLEAR ALL #',
        "\r\n } } ;\nDROP ALL",
    ],
)
def test_nothing_that_a_page_says_changes_what_others_say(
    text: str, most_bytes: int, oxigraph: Oxigraph
) -> None:
    store = opened(oxigraph.url, max_update_bytes=most_bytes)
    store.replace([page(1)])
    before = oxigraph.graph(url(1))
    assert store.replace([hostile(text)]) == []
    assert oxigraph.graph(url(1)) == before
    assert {triple.object for triple in oxigraph.graph(url(7))} == {ox.Literal(text)}


def numbers(refused: Sequence[PageRefused]) -> list[int]:
    return [int(each.url.rpartition("page")[2]) for each in refused]


@pytest.mark.parametrize("status", [400, 413, 422, 500])
def test_a_server_that_refuses_one_page_gets_the_others(status: int, gate: Gate) -> None:
    store = opened(gate.url)
    gate.rule = updates(refusing(url(5).encode() + b">", status))
    refused = store.replace([page(number) for number in range(10)])
    assert numbers(refused) == [5]
    assert f"{status}: no such thing" in refused[0].message
    gate.rule = lambda _: None
    assert store.replace([page(5)]) == []


def test_a_server_that_cannot_read_a_page_s_name_gets_the_others(gate: Gate) -> None:
    store = opened(gate.url)
    gate.rule = refusing(url(5).encode() + b"#fetch>")
    assert numbers(store.replace([page(number) for number in range(10)], [])) == [5]


@pytest.mark.parametrize("status", [401, 403, 404, 408, 429, 500, 502, 503, 504, 507])
def test_a_server_that_takes_nothing_at_all_is_away(
    status: int, gate: Gate, oxigraph: Oxigraph
) -> None:
    store = opened(gate.url)
    gate.rule = updates(always(status))
    with pytest.raises(GraphAwayError, match=str(status)):
        store.replace([page(1), page(2)])
    assert not oxigraph.quads()
    gate.rule = lambda _: None
    assert store.replace([page(1), page(2)]) == []


def test_a_server_whose_answers_cannot_be_read_is_away(gate: Gate) -> None:
    store = opened(gate.url)
    gate.rule = always(200, b"what?")
    with pytest.raises(GraphAwayError, match="cannot be read"):
        store.replace([page(1)])


def test_a_large_page_without_a_graph_store_is_refused(gate: Gate) -> None:
    store = opened(gate.url, max_update_bytes=1_000)
    gate.rule = lambda seen: Told(405) if seen.method == "PUT" else None
    assert numbers(store.replace([page(1, size=50), page(2, size=1)])) == [1]


def test_a_large_page_goes_graph_by_graph_and_leaves_none_behind(
    gate: Gate, oxigraph: Oxigraph
) -> None:
    store = opened(gate.url, max_update_bytes=1_000)

    def breaking(seen: Seen) -> Told | None:
        has_come = any(before.method == "PUT" for before in gate.seen)
        return Told(503) if seen.is_update and has_come else None

    gate.rule = breaking
    with pytest.raises(GraphAwayError):
        store.replace([page(1, size=50)])
    assert oxigraph.graph(f"{url(1)}#graph-0")
    gate.rule = lambda _: None
    assert store.replace([page(1, version=1, size=50)]) == []
    assert not oxigraph.graph(f"{url(1)}#graph-0")
    assert len(oxigraph.graph(url(1))) == 100


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


def test_names_of_schema_org_are_rewritten_in_pages_of_ours_alone(oxigraph: Oxigraph) -> None:
    def old(made: PageGraphs) -> PageGraphs:
        assert made.nquads is not None
        return replace(made, nquads=made.nquads.replace(V.encode(), b"https://schema.org/"))

    oxigraph.update('INSERT DATA { GRAPH <http://x.test/> { <x:a> <https://schema.org/p> "c" } }')
    server = opened(oxigraph.url, max_update_bytes=1_500)
    server.replace([old(page(1)), old(page(2, size=30)), page(3)])
    before = oxigraph.quads()
    changed, left = server.unify_schema()
    assert (sorted(each.url for each in changed), left) == (sorted([url(1), url(2)]), 0)
    assert {each.added == each.removed > 0 for each in changed} == {True}
    foreign = "http://x.test/"
    assert oxigraph.quads() == {
        quad if str(quad.graph_name) == f"<{foreign}>" else in_one_form(quad) for quad in before
    }
    assert server.unify_schema() == ([], 0)
