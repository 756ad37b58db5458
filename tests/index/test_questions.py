"""Both kinds of graphs answer by the same code; what they answer is in their own tests."""

import asyncio
from pathlib import Path

import pytest

from gossamer.index.answer import QueryLimits
from gossamer.index.client import GraphProcess
from gossamer.index.pages import PageGraphs
from gossamer.index.questions import AskedGraph
from gossamer.index.server.client import ServerGraph

PAGE = "http://a.test/"
SAYS = '<http://a.test/s> <http://a.test/p> "x" <http://a.test/> .'


@pytest.mark.parametrize("kind", [GraphProcess, ServerGraph])
def test_a_graph_is_asked_in_one_way_wherever_it_is(kind: type[AskedGraph]) -> None:
    assert kind.query is AskedGraph.query
    assert kind.export is AskedGraph.export


def test_a_place_to_read_is_held_until_the_answer_was_read(tmp_path: Path) -> None:
    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            await graph.replace([PageGraphs(PAGE, SAYS.encode(), b"")])
            answer = graph.query("SELECT ?o { ?s ?p ?o }", ("turtle", "csv"), QueryLimits(rows=1))
            assert await answer.read() == b"o\r\nx\r\n"
            assert answer.format == "csv"
            assert len(graph.reader_pids) == 1
            assert b'"x"' in await graph.export("nquads").read()
            assert len(graph.reader_pids) == 1  # the same, which was free again

    asyncio.run(run())
