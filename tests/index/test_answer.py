"""Answers within their limits, by real processes that are really killed."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path

import pytest
from tests.index.made_pages import PAGES, page
from tests.transform.pool.crew import all_end

from gossamer.index.answer import Answer, QueryError, QueryLimits
from gossamer.index.client import GraphProcess

pytestmark = pytest.mark.timeout(60)
MIB = 1024 * 1024
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

    asyncio.run(run())


async def begun(graph: GraphProcess, answer: Answer) -> list[int]:
    """The processes at work once the query is being answered."""
    for _ in range(20_000):
        if answer.format is not None:
            return list(graph.reader_pids)
        await asyncio.sleep(0.001)
    raise AssertionError("the query never began")


def test_a_query_that_would_take_hours_ends_at_its_limit_and_so_does_its_process(
    tmp_path: Path,
) -> None:
    async def talk(graph: GraphProcess) -> None:
        limits = QueryLimits(time=timedelta(milliseconds=300))
        answer = graph.query(HOURS, "json", limits)
        running = asyncio.create_task(answer.read())
        pids = await begun(graph, answer)
        with pytest.raises(QueryError, match=r"longer than 0\.3s\. Ask for less"):
            await running
        assert all_end(pids)
        assert (await graph.query("ASK {}", "csv").read()) == b"true\r\n"

    with_a_graph(tmp_path, talk)


def test_a_query_that_says_nothing_until_its_end_is_stopped_all_the_same(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        limits = QueryLimits(time=timedelta(milliseconds=100))
        with pytest.raises(QueryError, match=r"longer than 0\.1s"):
            await graph.query(HOURS_BEFORE_IT_BEGINS, "json", limits).read()
        assert not graph.reader_pids

    with_a_graph(tmp_path, talk)


def test_writes_go_on_beside_a_query(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        answer = graph.query(HOURS, "json")
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
        answer = graph.query(HOURS, "json")
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
        async with aclosing(graph.query(ROWS_WITHOUT_END, "tsv")) as answer:
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
        answer = graph.query(ROWS_WITHOUT_END, "csv", limits)
        body = await answer.read()
        assert body.count(b"\r\n") == 20_001
        assert (answer.rows, answer.cut) == (20_000, True)

    with_a_graph(tmp_path, talk)


def test_time_in_which_nobody_reads_is_not_the_querys(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        loop, rest = asyncio.get_running_loop(), 0.3
        limits = QueryLimits(time=timedelta(seconds=50), rows=20_000)
        answer = graph.query(ROWS_WITHOUT_END, "csv", limits)
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
            await graph.query(hungry, "csv").read()
        assert (await graph.query("ASK {}", "csv").read()) == b"true\r\n"

    with_a_graph(tmp_path, talk, query_bytes=384 * MIB)


def test_a_malformed_query_is_told_with_its_place(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        with pytest.raises(QueryError, match=r"line 2, column \d+"):
            await graph.query("SELECT * {\n?s ?p }", "csv").read()

    with_a_graph(tmp_path, talk)


def test_the_format_is_the_first_that_suits_the_query(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        for text, expected in ((EVERYTHING, "json"), ("CONSTRUCT WHERE { ?s ?p ?o }", "turtle")):
            answer = graph.query(text, ("json", "turtle"))
            assert await answer.read()
            assert answer.format == expected

    with_a_graph(tmp_path, talk)


def test_what_was_written_before_is_seen_and_an_older_view_can_be_had(tmp_path: Path) -> None:
    async def talk(graph: GraphProcess) -> None:
        count = "SELECT (COUNT(*) AS ?n) { ?s <http://v.test/is> ?o }"
        assert await graph.query(count, "csv").read() == f"n\r\n{PAGES * 5}\r\n".encode()
        await graph.replace([page(PAGES)])
        old = QueryLimits(max_age=timedelta(hours=1))
        assert await graph.query(count, "csv", old).read() == f"n\r\n{PAGES * 5}\r\n".encode()
        assert await graph.query(count, "csv").read() == f"n\r\n{PAGES * 5 + 5}\r\n".encode()

    with_a_graph(tmp_path, talk)


def test_values_that_have_no_order_are_told_from_other_trouble(tmp_path: Path) -> None:
    chance = random.Random(1)
    mixed = ("{}", '"{}"')  # numbers, and texts that look like numbers
    values = (chance.choice(mixed).format(chance.randrange(1000)) for _ in range(400))
    query = f"SELECT ?v {{ VALUES ?v {{ {' '.join(values)} }} }} ORDER BY "

    async def talk(graph: GraphProcess) -> None:
        with pytest.raises(QueryError, match=r"cannot order values .* ORDER BY STR\(\?value\)"):
            await graph.query(f"{query} ?v", "csv").read()
        assert (await graph.query(f"{query} STR(?v)", "csv").read()).count(b"\n") == 401

    with_a_graph(tmp_path, talk)
