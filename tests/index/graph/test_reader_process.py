import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.index.made_pages import page

from gossamer.index.graph.messages import ASKS, BEGINS, ENDS, Ask, Begin, End
from gossamer.index.graph.query import GraphExport, GraphQuery
from gossamer.index.graph.reader_process import program
from gossamer.index.graph.store import GraphStore
from gossamer.processes.channel import Line, connect
from gossamer.processes.protocol import Kind

MIB = 1024 * 1024


def with_a_reader(talk: Callable[[Line], Awaitable[None]]) -> None:
    async def run() -> None:
        async with connect(
            program(Path(tempfile.gettempdir()), 512 * MIB, tuple(sys.path))
        ) as line:
            assert (await line.receive()).kind is Kind.READY
            await talk(line)

    asyncio.run(run())


async def answer(line: Line, ask: Ask) -> tuple[list[bytes], End]:
    line.say(0, ASKS.dumps(ask))
    parts = []
    while (frame := await line.receive()).kind is Kind.PART:
        parts.append(frame.payload)
    return parts, ENDS.loads(frame.payload)


def test_questions_are_answered_in_turn_each_about_its_snapshot(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    store.replace([page(1)])
    first = str(store.snapshot())
    store.replace([page(2)])
    second = str(store.snapshot())

    async def talk(line: Line) -> None:
        count = "SELECT (COUNT(*) AS ?n) { ?s <http://v.test/is> ?o }"
        for snapshot, number in ((first, 5), (second, 10), (second, 10), (first, 5)):
            parts, end = await answer(line, Ask(snapshot, GraphQuery(count, ("csv",))))
            assert BEGINS.loads(parts[0]) == Begin("csv")
            assert parts[1:] == [f"n\r\n{number}\r\n".encode()]
            assert end == End(1, cut=False)
        parts, end = await answer(line, Ask(second, export=GraphExport("nquads", page(1).url)))
        assert b"".join(parts[1:]).count(b"\n") == end.rows == 10

    with_a_reader(talk)


def test_a_wrong_question_is_told_and_the_next_one_answered(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    snapshot = str(store.snapshot())

    async def talk(line: Line) -> None:
        _, end = await answer(line, Ask(snapshot, GraphQuery("SELECT", ("csv",))))
        assert end.fault is not None
        assert "no SPARQL query" in end.fault
        _, end = await answer(line, Ask(str(tmp_path / "nowhere"), GraphQuery("ASK {}", ("csv",))))
        assert end.fault is not None
        assert end.fault.startswith("The graph cannot be read: ")
        assert (await answer(line, Ask(snapshot, GraphQuery("ASK {}", ("csv",)))))[1] == End(
            1, cut=False
        )

    with_a_reader(talk)
