"""What Virtuoso can as the graph of a crawl, and what it cannot: the table in docs/sparql-servers.md."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

import pytest
from tests.index.made_pages import page, url
from tests.index.server.virtuoso import MOST_ROWS, virtuoso
from tests.index.words.small_graph import page as small_page
from tests.index.words.small_graph import thing

from gossamer.errors import GraphError
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.query import Dataset, GraphExport, GraphQuery
from gossamer.index.graph.reader_pool import QueryError
from gossamer.index.server.address import Server
from gossamer.index.server.client import ServerGraph
from gossamer.index.server.reading import written
from gossamer.index.server.remote_store import RemoteStatements, RemoteStore

ODD = "http://odd.test/"
S = "http://schema.org/"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with virtuoso(tmp_path_factory.mktemp("virtuoso")) as server:
        yield server


def talking(server: Server, talk: Callable[[ServerGraph], Awaitable[None]]) -> None:
    async def run() -> None:
        async with ServerGraph(server, queries=1) as graph:
            await talk(graph)

    asyncio.run(run())


async def exported(graph: ServerGraph, name: str) -> set[bytes]:
    return set((await graph.export(GraphExport("nquads", name)).read()).splitlines())


def large(count: int) -> PageGraphs:
    return small_page(
        "http://big.test/", *(f'<http://big.test/#{n}> <{S}name> "n {n}"' for n in range(count))
    )


def test_it_is_filled_asked_counted_and_exported(server: Server) -> None:
    async def talk(graph: ServerGraph) -> None:
        before = await graph.counts()
        assert await graph.replace([page(1), page(2)]) == ()
        assert await graph.counts() == before + GraphCounts(2, 4, 22)
        (changed,) = await graph.renew([page(1, size=0)])
        assert (changed.url, changed.added, changed.removed) == (url(1), 0, 11)
        assert await graph.renew([page(2)]) == ()
        found = graph.query(GraphQuery("SELECT ?s { ?s <http://v.test/has> ?v }", ("csv",)))
        assert await found.read() == f"s\r\n{url(2)}#it\r\n".encode()
        one = Dataset(default=(url(1),))
        for text, dataset, answer in (
            ("ASK { ?s ?p ?v }", one, b"false"),
            ("ASK { ?s ?p ?v }", Dataset(), b"true"),
        ):
            asked = GraphQuery(text, ("csv",), dataset=dataset)
            assert await graph.query(asked).read() == answer + b"\r\n"
        assert len(await exported(graph, url(2))) == 10
        await graph.replace([page(n, size=0) for n in (1, 2)])

    talking(server, talk)


def test_texts_come_back_as_they_were_sent(server: Server) -> None:
    odd = small_page(
        ODD,
        f'<{ODD}#i> <{S}name> "quote \\" back\\\\slash \\\\u0041 new\\nline \\t é 漢 😀"',
        f'<{ODD}#i> <{S}empty> ""',
        f'<{ODD}#i> <{S}in> "x"@en',
        f'<{ODD}#i> <{S}day> "2024-05-17"^^<http://www.w3.org/2001/XMLSchema#date>',
        f"<{ODD}#i> <{S}link> <http://x.test/a%20b?q=é#f>",
        "_:b <http://v.test/is> _:c",
    )

    async def talk(graph: ServerGraph) -> None:
        assert await graph.replace([odd]) == ()
        assert odd.nquads is not None
        sent = {
            line.removesuffix(b" .")
            for line in odd.nquads.splitlines()
            if not line.startswith(b"_:")
        }
        held = {line.removesuffix(b" .") for line in await exported(graph, ODD)}
        assert sent <= held
        assert len(held) == 6
        assert await graph.renew([odd]) == ()

    talking(server, talk)


def test_a_number_beyond_its_integers_costs_the_page(server: Server) -> None:
    huge = f'<{ODD}#n> <{S}n> "123456789012345678901234567890"^^<http://www.w3.org/2001/XMLSchema#integer>'

    async def talk(graph: ServerGraph) -> None:
        (refused,) = await graph.replace([small_page("http://huge.test/", huge), page(3)])
        assert refused.url == "http://huge.test/"
        assert "Invalid integer" in refused.message
        assert await exported(graph, url(3))

    talking(server, talk)


def test_a_page_of_more_lines_than_it_reads_in_an_update_goes_graph_by_graph(
    server: Server,
) -> None:
    async def talk(graph: ServerGraph) -> None:
        assert await graph.replace([large(6_000), page(4)]) == ()
        counted = "SELECT (COUNT(*) AS ?n) { GRAPH <http://big.test/> { ?s ?p ?o } }"
        assert await graph.query(GraphQuery(counted, ("csv",))).read() == b"n\r\n6000\r\n"
        with pytest.raises(
            QueryError, match=f"cuts its answers at {MOST_ROWS} rows.*ResultSetMaxRows"
        ):
            await exported(graph, "http://big.test/")
        answer = graph.query(
            GraphQuery("SELECT * { GRAPH <http://big.test/> { ?s ?p ?o } }", ("csv",))
        )
        await answer.read()
        assert answer.cut
        with pytest.raises(GraphError, match="ResultSetMaxRows"):  # rather than a wrong difference
            await graph.renew([large(10)])
        assert await graph.replace([small_page("http://big.test/", drop=True)]) == ()

    talking(server, talk)


def test_words_read_it_ahead_and_count_links(server: Server) -> None:
    things = [
        thing(f"http://w.test/#{n}", name=f"Ada {n}", knows="<http://w.test/#0>") for n in range(60)
    ]
    said = small_page("http://w.test/", *(each for those in things for each in those))

    async def talk(graph: ServerGraph) -> None:
        assert await graph.replace([said]) == ()

    talking(server, talk)
    remote = RemoteStore.open(written(server))
    statements = RemoteStatements(remote)
    iris = [f"http://w.test/#{n}" for n in range(60)]
    statements.ahead(iris)
    assert {len(statements.about(each)) for each in iris} == {3}
    assert statements.linked(iris) == {iris[0]}
    assert statements.links_to([iris[0]]) == 59
    assert f"{S}Person" in {each.value for each in remote.classes()}  # type: ignore[union-attr]  # IRIs


def test_a_wrong_password_is_an_error_at_once(server: Server) -> None:
    with pytest.raises(GraphError, match="does not let us in"):
        talking(replace(server, password="wrong"), lambda _: asyncio.sleep(0))
