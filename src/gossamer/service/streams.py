"""Answers of bytes on their way to whoever asked: held back while they may still fail, then streamed.

A status cannot be taken back. So the first bytes of an answer are kept until it has ended or there
are many; what fails after that is broken off, which HTTP shows to whoever reads. Whoever goes away
is no longer worked for.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from gossamer.owner.messages import Answer, Record
from gossamer.service.errors import ProblemError

T = TypeVar("T")
HELD_BYTES: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Begun:
    """The beginning of an answer."""

    head: bytes
    rest: AsyncGenerator[bytes, None] | None  # None: this was all
    answer: Answer

    @property
    def end(self) -> Record | None:
        """How it ended, if that is known."""
        return self.answer.end if self.rest is None else None


async def begun(answer: Answer, most: int = HELD_BYTES) -> Begun:
    """Take the beginning of an answer, or all of it."""
    held, parts = bytearray(), answer.__aiter__()
    try:
        async for part in parts:
            held += part
            if len(held) > most:
                return Begun(bytes(held), parts, answer)
    except BaseException:
        await parts.aclose()
        raise
    return Begun(bytes(held), None, answer)


def sent(begun: Begun, head: bytes, media_type: str, headers: dict[str, str]) -> Response:
    """The response, with `head` in the place of what was held back."""
    if begun.rest is None:
        return Response(head, media_type=media_type, headers=headers)
    return StreamingResponse(_together(head, begun.rest), media_type=media_type, headers=headers)


async def _together(head: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    async with aclosing(rest):
        yield head
        async for part in rest:
            yield part


async def while_there(request: Request, work: Coroutine[None, None, T]) -> T:
    """Do some work, unless whoever asked hangs up meanwhile."""
    doing = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait([doing, gone], return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return await doing
        raise ProblemError(400, "gone", "Whoever asked is gone.")
    finally:
        doing.cancel()
        gone.cancel()
        await asyncio.gather(doing, gone, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
