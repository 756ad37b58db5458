"""The other side of the socket: questions to the process that owns a data folder."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from gossamer.owner.messages import (
    MOST_FRAME_BYTES,
    VERSION,
    AnswerError,
    LeftError,
    Question,
    Record,
    question_frame,
    read_end,
)
from gossamer.owner.place import way_to
from gossamer.processes.protocol import HEADER, Frame, Kind, ProtocolError, read_header

CONNECT_SECONDS: Final = 5.0


class NoOwnerError(Exception):
    """Nobody listens: there is no owner, or it has not come so far."""


class Owner:
    """Whoever listens at this path. Each question is a connection of its own."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def answer(self, question: Question) -> "RemoteAnswer":
        """The answer; `NoOwnerError` is raised while it is taken, if at all."""
        return RemoteAnswer(self._path, question)


class RemoteAnswer:
    """An answer on its way: bytes, to be iterated once, and then a record."""

    def __init__(self, path: Path, question: Question) -> None:
        self._path = path
        self._question = question
        self.end: Record = {}

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        reader, writer = await _connected(self._path)
        try:
            writer.write(question_frame(self._question))
            while (frame := await _frame(reader)).kind is Kind.PART:
                yield frame.payload
            self.end = read_end(frame)
        except (ConnectionError, asyncio.IncompleteReadError, ProtocolError):
            raise LeftError(
                "The process that owns the data folder ended before it had answered. Ask again."
            ) from None
        finally:
            writer.close()


async def _connected(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            return await asyncio.open_unix_connection(way_to(path))
    except (OSError, TimeoutError):
        raise NoOwnerError(str(path)) from None


async def _frame(reader: asyncio.StreamReader) -> Frame:
    kind, version, length = read_header(await reader.readexactly(HEADER.size))
    if version != VERSION:
        raise AnswerError(
            "The process that owns the data folder is of another version of Gossamer. "
            "Use that version, or wait until it is done."
        )
    if length > MOST_FRAME_BYTES:
        raise ProtocolError(f"a frame of {length} bytes is too long")
    return Frame(kind, version, await reader.readexactly(length))
