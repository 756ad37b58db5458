import asyncio
import random
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path

import pytest
from tests.index.made_pages import PAGES, page
from tests.reading.pool.crew import all_end
from tests.virtual_time import SkippingLoop, time_skipped

from gossamer.errors import GraphError
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.query import GraphExport, GraphQuery, QueryLimits
from gossamer.index.graph.reader_pool import GraphAnswer, QueryError, ReadableGraph, Readers
from gossamer.index.graph.reader_process import program
from gossamer.index.server.client import ServerGraph
from gossamer.processes.process import Program

MIB = 1024 * 1024


def made(most: int) -> Readers:
    return Readers(program(Path(tempfile.gettempdir()), 256 * MIB, tuple(sys.path)), most)


def test_a_reader_is_used_again_unless_it_was_left_in_the_middle() -> None:
    async def run() -> None:
        readers = made(2)
        async with readers.one() as first:
            pass
        async with readers.one() as second:
            assert second is first
            second.is_busy = True
        assert not readers.pids
        async with readers.one() as third:
            assert third is not first
            assert readers.pids == (third.line.pid,)
        await readers.aclose()
        assert not readers.pids

    asyncio.run(run())


def test_there_are_no_more_than_so_many_at_once() -> None:
    async def run() -> None:
        readers = made(1)
        order = []

        async def use(name: str) -> None:
            async with readers.one():
                order.append(f"{name} in")
                await asyncio.sleep(0)
                order.append(f"{name} out")

        async with asyncio.TaskGroup() as group:
            group.create_task(use("a"))
            group.create_task(use("b"))
        assert order == ["a in", "a out", "b in", "b out"]
        await readers.aclose()

    asyncio.run(run())


def test_a_process_that_does_not_start_is_told_with_its_last_words() -> None:
    async def run() -> None:
        readers = Readers(
            Program("gossamer.index.graph.reader_process:nobody", {}, tuple(sys.path)), 1
        )
        with pytest.raises(GraphError, match=r"does not start: .* has no attribute 'nobody'"):
            async with readers.one():
                pass
        assert not readers.pids

    asyncio.run(run())


EVERYTHING = "SELECT * { ?s ?p ?o }"
CROSS = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l"
LENGTHS = " + ".join(f"STRLEN(STR(?{name}))" for name in "adgj")
HOURS = f"SELECT * {{ {CROSS} FILTER({LENGTHS} = 1) }}"
HOURS_BEFORE_IT_BEGINS = f"SELECT (COUNT(*) AS ?n) {{ {CROSS} }}"
ROWS_WITHOUT_END = f"SELECT * {{ {CROSS} }}"


def with_a_graph(
    folder: Path, talk: Callable[[GraphProcess], Awaitable[None]], query_bytes: int = 512 * MIB
) -> None:
    async def run() -> None:
        async with GraphProcess(folder, queries=2, query_bytes=query_bytes) as graph:
            await graph.replace([page(number) for number in range(PAGES)])
            await talk(graph)

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(run())


async def begun(graph: GraphProcess, answer: GraphAnswer) -> list[int]:
    """The processes at work once the query is being answered."""
    while answer.format is None:  # noqa: ASYNC110 (nobody tells)
        await asyncio.sleep(0.001)
    return list(graph.reader_pids)


def test_a_query_that_would_take_hours_ends_at_its_limit_and_so_does_its_process(
    tmp_path: Path,
) -> None:
    async def talk(graph: GraphProcess) -> None:
        limits = QueryLimits(time=timedelta(minutes=5))
        answer = graph.query(GraphQuery(HOURS, ("json",), limits))
        running = asyncio.create_task(answer.read())
        pids = await begun(graph, answer)
        with time_skipped(), pytest.raises(QueryError, match=r"longer than 5min\. Ask for less"):
            await running
        assert all_end(pids)
        assert (await graph.query(GraphQuery("ASK {}", ("csv",))).read()) == b"true\r\n"

    with_a_graph(tmp_path, talk)


def test_a_query_that_says_nothing_until_its_end_is_stopped_all_the_same(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        limits = QueryLimits(time=timedelta(milliseconds=100))
        with pytest.raises(QueryError, match=r"longer than 0\.1s"):
            await graph.query(GraphQuery(HOURS_BEFORE_IT_BEGINS, ("json",), limits)).read()
        assert not graph.reader_pids

    with_a_graph(tmp_path, talk)


def test_writes_go_on_beside_a_query(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        answer = graph.query(GraphQuery(HOURS, ("json",)))
        running = asyncio.create_task(answer.read())
        await begun(graph, answer)
        await graph.replace([page(number, version=1) for number in range(PAGES)])
        await graph.flush()
        assert (await graph.counts()).pages == PAGES
        assert not running.done()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    with_a_graph(tmp_path, talk)


def test_a_query_that_is_cancelled_is_stopped(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        answer = graph.query(GraphQuery(HOURS, ("json",)))
        running = asyncio.create_task(answer.read())
        pids = await begun(graph, answer)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert all_end(pids)
        assert graph.reader_pids == ()

    with_a_graph(tmp_path, talk)


def test_an_answer_that_nobody_reads_on_is_stopped(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        async with aclosing(graph.query(GraphQuery(ROWS_WITHOUT_END, ("tsv",)))) as answer:
            async for part in answer:
                assert part.startswith(b"?")
                assert answer.format == "tsv"
                pids = list(graph.reader_pids)
                break
        assert all_end(pids)

    with_a_graph(tmp_path, talk)


def test_rows_come_while_the_query_runs_and_wait_for_whoever_reads(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        limits = QueryLimits(rows=20_000)
        answer = graph.query(GraphQuery(ROWS_WITHOUT_END, ("csv",), limits))
        body = await answer.read()
        assert body.count(b"\r\n") == 20_001
        assert (answer.rows, answer.cut) == (20_000, True)

    with_a_graph(tmp_path, talk)


def test_time_in_which_nobody_reads_is_not_the_querys(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        loop, rest = asyncio.get_running_loop(), 0.3
        limits = QueryLimits(time=timedelta(seconds=50), rows=20_000)
        answer = graph.query(GraphQuery(ROWS_WITHOUT_END, ("csv",), limits))
        started = loop.time()
        async for _ in answer:
            await asyncio.sleep(rest)
            rest = 0
        assert answer.took <= loop.time() - started - 0.3

    with_a_graph(tmp_path, talk)


def test_a_query_that_needs_too_much_memory_is_told_so(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        hungry = f"SELECT * {{ {CROSS} }} ORDER BY ?a"
        with pytest.raises(QueryError, match="too much memory"):
            await graph.query(GraphQuery(hungry, ("csv",))).read()
        assert (await graph.query(GraphQuery("ASK {}", ("csv",))).read()) == b"true\r\n"

    with_a_graph(tmp_path, talk, query_bytes=384 * MIB)


def test_a_malformed_query_is_told_with_its_place(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        with pytest.raises(QueryError, match=r"line 2, column \d+"):
            await graph.query(GraphQuery("SELECT * {\n?s ?p }", ("csv",))).read()

    with_a_graph(tmp_path, talk)


def test_the_format_is_the_first_that_suits_the_query(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        for text, expected in ((EVERYTHING, "json"), ("CONSTRUCT WHERE { ?s ?p ?o }", "turtle")):
            answer = graph.query(GraphQuery(text, ("json", "turtle")))
            assert await answer.read()
            assert answer.format == expected

    with_a_graph(tmp_path, talk)


def test_what_was_written_before_is_seen_and_an_older_view_can_be_had(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        count = "SELECT (COUNT(*) AS ?n) { ?s <http://v.test/is> ?o }"
        assert (
            await graph.query(GraphQuery(count, ("csv",))).read()
            == f"n\r\n{PAGES * 5}\r\n".encode()
        )
        await graph.replace([page(PAGES)])
        old = QueryLimits(max_age=timedelta(hours=1))
        assert (
            await graph.query(GraphQuery(count, ("csv",), old)).read()
            == f"n\r\n{PAGES * 5}\r\n".encode()
        )
        assert (
            await graph.query(GraphQuery(count, ("csv",))).read()
            == f"n\r\n{PAGES * 5 + 5}\r\n".encode()
        )

    with_a_graph(tmp_path, talk)


def test_values_that_have_no_order_are_told_from_other_trouble(tmp_path: Path) -> None:
    chance = random.Random(1)
    mixed = ("{}", '"{}"')  # numbers, and texts that look like numbers
    values = (chance.choice(mixed).format(chance.randrange(1000)) for _ in range(400))
    query = f"SELECT ?v {{ VALUES ?v {{ {' '.join(values)} }} }} ORDER BY "

    async def talk(graph: GraphProcess) -> None:
        with pytest.raises(QueryError, match=r"cannot order values .* ORDER BY STR\(\?value\)"):
            await graph.query(GraphQuery(f"{query} ?v", ("csv",))).read()
        assert (await graph.query(GraphQuery(f"{query} STR(?v)", ("csv",))).read()).count(
            b"\n"
        ) == 401

    with_a_graph(tmp_path, talk)


PAGE = "http://a.test/"
SAYS = '<http://a.test/s> <http://a.test/p> "x" <http://a.test/> .'


@pytest.mark.parametrize("kind", [GraphProcess, ServerGraph])
def test_a_graph_is_asked_in_one_way_wherever_it_is(kind: type[ReadableGraph]) -> None:
    assert kind.query is ReadableGraph.query
    assert kind.export is ReadableGraph.export


def test_a_place_to_read_is_held_until_the_answer_was_read(tmp_path: Path) -> None:
    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            await graph.replace([PageGraphs(PAGE, SAYS.encode(), b"")])
            answer = graph.query(
                GraphQuery("SELECT ?o { ?s ?p ?o }", ("turtle", "csv"), QueryLimits(rows=1))
            )
            assert await answer.read() == b"o\r\nx\r\n"
            assert answer.format == "csv"
            assert len(graph.reader_pids) == 1
            assert b'"x"' in await graph.export(GraphExport("nquads")).read()
            assert len(graph.reader_pids) == 1  # the same, which was free again

    asyncio.run(run())
