import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from tests.index.made_pages import page, url
from tests.index.server.gate import Gate, Seen, Told, always
from tests.index.server.oxigraph import Oxigraph
from tests.slowness import patience

from gossamer.errors import GraphAwayError, GraphError
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.graph.pages import PageChanged
from gossamer.index.graph.query import Dataset, GraphExport, GraphQuery, QueryLimits
from gossamer.index.graph.reader_pool import QueryError
from gossamer.index.server.address import Server
from gossamer.index.server.client import ServerGraph


def talking(server: Server, talk: Callable[[ServerGraph], Awaitable[None]]) -> None:
    async def run() -> None:
        async with ServerGraph(server, queries=1) as graph:
            await talk(graph)

    asyncio.run(run())


def test_a_graph_on_a_server_is_filled_asked_counted_and_exported(oxigraph: Oxigraph) -> None:
    async def talk(graph: ServerGraph) -> None:
        assert await graph.counts() == GraphCounts()
        assert await graph.replace([page(1), page(2)]) == ()
        await graph.flush()
        assert await graph.counts() == GraphCounts(2, 4, 22)
        assert await graph.renew([page(1, size=0)]) == (PageChanged(url(1), 0, 11),)
        assert await graph.counts() == GraphCounts(2, 2, 11)
        rows = await graph.query(
            GraphQuery("SELECT ?s { ?s <http://v.test/has> ?v }", ("csv",))
        ).read()
        assert rows == f"s\r\n{url(2)}#it\r\n".encode()
        assert len((await graph.export(GraphExport("nquads", url(2))).read()).splitlines()) == 10
        one = Dataset(default=(url(1),))
        assert (
            await graph.query(GraphQuery("ASK { ?s ?p ?v }", ("csv",), dataset=one)).read()
            == b"false\r\n"
        )

    talking(Server(oxigraph.url), talk)


def test_a_server_that_does_not_let_us_in_is_an_error_at_once() -> None:
    with Gate() as gate:
        gate.rule = always(401)
        with pytest.raises(GraphError, match="does not let us in"):
            talking(Server(gate.url), lambda _: asyncio.sleep(0))


def test_a_server_that_goes_away_and_comes_back_loses_nothing(tmp_path: Path) -> None:
    with Oxigraph(tmp_path) as oxigraph:

        async def talk(graph: ServerGraph) -> None:
            await graph.replace([page(1)])
            oxigraph.kill()
            with pytest.raises(GraphAwayError, match="does not answer"):
                await graph.replace([page(2)])
            with pytest.raises(GraphAwayError, match="does not answer"):
                await graph.counts()
            oxigraph.start()
            await graph.replace([page(2)])
            assert (await graph.counts()).pages == 2

        talking(Server(oxigraph.url), talk)


def test_whoever_leaves_before_the_answer_leaves_nobody_with_it(gate: Gate) -> None:
    async def talk(graph: ServerGraph) -> None:
        came = asyncio.Event()
        loop = asyncio.get_running_loop()

        def rule(seen: Seen) -> Told | None:
            loop.call_soon_threadsafe(came.set)
            return Told(400) if b"page1>" in seen.body and seen.is_update else None

        gate.rule = rule
        leaving = asyncio.create_task(graph.replace([page(1)]))
        await came.wait()
        leaving.cancel()
        assert await graph.replace([page(2)]) == ()

    talking(Server(gate.url), talk)


def test_the_end_of_the_process_is_told(oxigraph: Oxigraph) -> None:
    async def talk(graph: ServerGraph) -> None:
        os.kill(graph.pid, signal.SIGKILL)
        with pytest.raises(GraphError, match="has ended"):
            await graph.replace([page(1)])

    talking(Server(oxigraph.url), talk)


def test_a_query_that_takes_too_long_is_stopped(gate: Gate) -> None:
    async def talk(graph: ServerGraph) -> None:
        await graph.query(GraphQuery("ASK { }", ("json",))).read()
        gate.rule = lambda seen: None if seen.body.startswith(b"ASK") else slow(seen)
        answer = graph.query(
            GraphQuery("SELECT * { }", ("json",), QueryLimits(time=timedelta(seconds=0.2)))
        )
        with pytest.raises(QueryError, match="took longer than"):
            await answer.read()
        done.set()

    done = threading.Event()

    def slow(_: Seen) -> Told | None:
        done.wait(patience(30))
        return Told(200)

    talking(Server(gate.url), talk)


def seen_of(pid: int) -> bytes:
    """What others can see of a process."""
    return Path(f"/proc/{pid}/cmdline").read_bytes() + Path(f"/proc/{pid}/environ").read_bytes()


def test_no_secret_is_seen_in_the_list_of_processes(gate: Gate) -> None:
    async def talk(graph: ServerGraph) -> None:
        answer = graph.query(GraphQuery("SELECT * { ?s ?p ?o }", ("json",)))
        await answer.read()
        pids = [graph.pid, *graph.reader_pids]
        assert len(pids) == 2
        assert not any(b"hidden" in seen_of(pid) for pid in pids)

    talking(Server(gate.url, user="me", password="hidden", token="hidden"), talk)
    assert any("Authorization" in seen.headers for seen in gate.seen)
