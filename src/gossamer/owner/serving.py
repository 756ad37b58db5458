"""The owner's side of the socket: takes questions, one a connection, and sends the answers.

Whoever hangs up is no longer worked for. Nothing that goes wrong here harms what the owner does.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from gossamer.errors import GossamerError
from gossamer.owner.messages import (
    DEFECT,
    MOST_QUESTION_BYTES,
    QUESTIONS,
    VERSION,
    Answer,
    AnswerError,
    Answering,
    Question,
    What,
    end_frame,
    fault_frame,
    part_frame,
)
from gossamer.owner.place import listening
from gossamer.processes.protocol import HEADER, Kind, ProtocolError, read_header
from gossamer.processes.wire import WireError

MOST_AT_ONCE: Final = 16
MOST_WAITING: Final = 500  # for hosts or for other processes, which costs next to nothing
# Over before one hangs up.
BRIEF: Final[frozenset[What]] = frozenset({"search", "who", "health", "steer"})
WAITING: Final[frozenset[What]] = frozenset({"check", "lease", *BRIEF})
ASK_SECONDS: Final = 10.0  # to say what one wants
TAKE_SECONDS: Final = 300.0  # to take the next bytes: somebody may be reading page by page


class Room(NamedTuple):
    """How many are answered side by side; whoever waits for a host keeps no others waiting."""

    busy: asyncio.Semaphore
    waiting: asyncio.Semaphore

    def of(self, question: Question) -> asyncio.Semaphore:
        """The room that a question takes a place in."""
        return self.waiting if question.what in WAITING else self.busy


@asynccontextmanager
async def serving(path: Path, answering: Answering) -> AsyncIterator[None]:
    """Answer questions at this path until the block ends."""
    room = Room(asyncio.Semaphore(MOST_AT_ONCE), asyncio.Semaphore(MOST_WAITING))
    asking: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(_serve(answering, room, reader, writer))
        asking.add(task)
        task.add_done_callback(asking.discard)

    with listening(path) as bound:
        server = await asyncio.start_unix_server(connected, sock=bound)
        try:
            yield
        finally:
            server.close()
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)


async def _serve(
    answering: Answering,
    room: Room,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    try:
        await _converse(answering, room, reader, writer)
        await writer.drain()
    except (OSError, TimeoutError, asyncio.IncompleteReadError):
        pass  # they are gone, or asleep
    finally:
        writer.close()


async def _converse(
    answering: Answering,
    room: Room,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    try:
        question = await _question(reader)
        async with room.of(question):
            sending = _send(answering.answer(question), writer)
            # To listen for those who hang up takes turns of a loop that a crawl keeps busy.
            brief = question.what in BRIEF
            await (sending if brief else _while_there(reader, sending))
    except GossamerError as error:
        writer.write(fault_frame(error))
    except (OSError, TimeoutError, asyncio.IncompleteReadError):
        raise
    except Exception as error:  # the owner has more to do than to answer
        why = f"This should not have happened ({type(error).__name__}: {error})."
        defect = AnswerError(why)
        defect.kind = DEFECT
        writer.write(fault_frame(defect))


async def _question(reader: asyncio.StreamReader) -> Question:
    async with asyncio.timeout(ASK_SECONDS):
        try:
            kind, version, length = read_header(await reader.readexactly(HEADER.size))
            if version != VERSION:
                raise AnswerError(
                    "The process that owns the data folder is of another version of Gossamer. "
                    "Use that version, or wait until it is done."
                )
            if kind is not Kind.JOB or length > MOST_QUESTION_BYTES:
                raise AnswerError(f"A question may have {MOST_QUESTION_BYTES:,} bytes.")
            return QUESTIONS.loads(await reader.readexactly(length))
        except (ProtocolError, WireError) as error:
            raise AnswerError(f"This is no question: {error}.") from None


async def _while_there(reader: asyncio.StreamReader, sending: Coroutine[None, None, None]) -> None:
    """Send, unless whoever asked hangs up: there is nothing else to be read from them."""
    sent, gone = asyncio.ensure_future(sending), asyncio.ensure_future(reader.read(1))
    try:
        await asyncio.wait([sent, gone], return_when=asyncio.FIRST_COMPLETED)
        if sent.done():
            await sent
    finally:
        sent.cancel()
        gone.cancel()
        await asyncio.gather(sent, gone, return_exceptions=True)


async def _send(answer: Answer, writer: asyncio.StreamWriter) -> None:
    async with aclosing(answer.__aiter__()) as parts:
        async for part in parts:
            writer.write(part_frame(part))
            async with asyncio.timeout(TAKE_SECONDS):
                await writer.drain()
    writer.write(end_frame(answer.end))
