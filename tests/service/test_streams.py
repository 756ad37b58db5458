"""Answers of bytes on their way, and those who go away meanwhile."""

import asyncio
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import StreamingResponse

from gossamer.owner.handlers import LocalAnswer
from gossamer.service.answers import begin_answer, streamed_response, while_there
from gossamer.service.errors import ProblemError


class Source:
    """Gives so many pieces of ten bytes, and knows whether it was closed."""

    def __init__(self, pieces: int, error: Exception | None = None) -> None:
        self.given = 0
        self.closed = False
        self.answer = LocalAnswer(partial(self._parts, pieces, error))

    async def _parts(
        self, pieces: int, error: Exception | None, answer: LocalAnswer
    ) -> AsyncGenerator[bytes, None]:
        try:
            for _ in range(pieces):
                self.given += 1
                yield b"x" * 10
            if error is not None:
                raise error
            answer.end = {"rows": pieces}
        finally:
            self.closed = True


def asked(*messages: dict[str, Any]) -> Request:
    waiting = list(messages)

    async def receive() -> dict[str, Any]:
        if not waiting:
            await asyncio.Event().wait()
        return waiting.pop(0)

    return Request({"type": "http", "headers": []}, receive)


def test_a_short_answer_is_had_as_a_whole() -> None:
    async def run() -> None:
        source = Source(3)
        found = await begin_answer(source.answer, most=50)
        assert (found.head, found.rest, found.end) == (b"x" * 30, None, {"rows": 3})
        assert streamed_response(found, b"all", "text/plain", {}).body == b"all"

    asyncio.run(run())


def test_an_answer_that_fails_early_fails_before_anything_is_sent() -> None:
    async def run() -> None:
        source = Source(3, ValueError("No."))
        with pytest.raises(ValueError, match="No"):
            await begin_answer(source.answer, most=50)
        assert source.closed

    asyncio.run(run())


def test_a_long_answer_is_taken_as_it_is_sent() -> None:
    async def run() -> None:
        source = Source(100)
        found = await begin_answer(source.answer, most=50)
        assert (source.given, found.end) == (6, None)
        response = streamed_response(found, found.head, "text/plain", {})
        assert isinstance(response, StreamingResponse)
        parts = [part async for part in response.body_iterator]
        assert sum(map(len, parts)) == 1000
        assert source.closed

    asyncio.run(run())


def test_work_ends_when_whoever_asked_is_gone() -> None:
    async def run() -> None:
        ended = asyncio.Event()

        async def work() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        request = asked({"type": "http.request"}, {"type": "http.disconnect"})
        with pytest.raises(ProblemError, match="gone"):
            await while_there(request, work())
        assert ended.is_set()

    asyncio.run(run())


def test_work_that_is_done_is_handed_over_and_what_it_raises_too() -> None:
    async def good() -> int:
        return 7

    async def bad() -> int:
        raise ValueError("No.")

    assert asyncio.run(while_there(asked(), good())) == 7
    with pytest.raises(ValueError, match="No"):
        asyncio.run(while_there(asked(), bad()))
