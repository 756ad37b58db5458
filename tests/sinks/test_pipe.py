import asyncio
import os
from collections.abc import Iterator
from contextlib import suppress

import pytest
from tests.slowness import patience

from gossamer.sinks import pipe
from gossamer.sinks.pipe import PageStream

MUCH = [b"x" * 999 + b"\n"] * 300  # more than a pipe holds


class Stopping:
    """A crawl that can be asked to end."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.gone = asyncio.Event()

    def reader_gone(self) -> None:
        """Note it."""
        self.gone.set()

    async def stopping(self) -> None:
        """Wait until it is asked to end."""
        await self.asked.wait()


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for each in (reading, writing):
        with suppress(OSError):  # a test has closed it
            os.close(each)


def test_a_slow_reader_gets_every_byte_and_nobody_else_waits(ends: tuple[int, int]) -> None:
    reading, writing = ends

    async def run() -> bytes:
        stream = PageStream("a pipe", writing, owned=False)
        async with asyncio.timeout(patience(30)):
            taking = asyncio.create_task(stream.write(MUCH))
            taken = b""
            while len(taken) < 300_000:
                await asyncio.sleep(0)  # the loop turns while the pipe is full
                taken += await asyncio.to_thread(os.read, reading, 1000)
            await taking
        return taken

    assert asyncio.run(run()) == b"".join(MUCH)


def test_a_reader_that_goes_ends_the_crawl(ends: tuple[int, int]) -> None:
    reading, writing = ends

    async def run() -> None:
        stream, crawl = PageStream("a pipe", writing, owned=False), Stopping()
        looking = asyncio.create_task(stream.run(crawl))
        async with asyncio.timeout(patience(30)):
            taking = asyncio.create_task(stream.write(MUCH))
            await asyncio.to_thread(os.read, reading, 10)
            os.close(reading)
            await crawl.gone.wait()
            await taking
            await stream.write(MUCH)  # in vain, and at once
        looking.cancel()

    asyncio.run(run())


def test_when_the_crawl_ends_a_reader_that_takes_nothing_is_not_waited_for(
    ends: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, writing = ends
    monkeypatch.setattr(pipe, "GRACE", 0.0)

    async def run() -> None:
        stream, crawl = PageStream("a pipe", writing, owned=False), Stopping()
        looking = asyncio.create_task(stream.run(crawl))
        async with asyncio.timeout(patience(30)):
            taking = asyncio.create_task(stream.write(MUCH))
            crawl.asked.set()
            await taking
        looking.cancel()
        assert stream.is_gone

    asyncio.run(run())
