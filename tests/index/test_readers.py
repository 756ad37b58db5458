import asyncio
import sys
import tempfile
from pathlib import Path

import pytest

from gossamer.index.folder import GraphError
from gossamer.index.readers import Readers
from gossamer.index.reading import program
from gossamer.processes.process import Program

pytestmark = pytest.mark.timeout(60)
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
        readers = Readers(Program("gossamer.index.reading:nobody", {}, tuple(sys.path)), 1)
        with pytest.raises(GraphError, match=r"does not start: .* has no attribute 'nobody'"):
            async with readers.one():
                pass
        assert not readers.pids

    asyncio.run(run())
