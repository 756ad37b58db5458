"""Questions over the Unix socket `gossamer.sock` of a data folder: who asks, and the owner who answers.

A question is a connection of its own. Whoever hangs up is no longer worked for; nothing that goes
wrong here harms what the owner does.

The path of a socket may have about a hundred bytes. Where the folder's is longer, the socket is
in a folder of its own among the temporary files, and `gossamer.sock` is a link that leads there.
"""

import asyncio
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator
from contextlib import aclosing, asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from gossamer.errors import GossamerError
from gossamer.owner.messages import (
    DEFECT,
    MOST_FRAME_BYTES,
    MOST_QUESTION_BYTES,
    VERSION,
    AnswerError,
    Answering,
    LeftError,
    OwnerAnswer,
    Record,
    end_frame,
    fault_frame,
    part_frame,
    question_frame,
    read_end,
)
from gossamer.owner.questions import (
    Check,
    Health,
    IsWanted,
    LendRight,
    NoteTimeLeft,
    Question,
    SearchWords,
    SteerCrawl,
    Who,
    load_question,
)
from gossamer.processes.protocol import HEADER, Frame, Kind, ProtocolError, read_header
from gossamer.processes.wire import WireError

MOST_PATH_BYTES: Final = 100  # macOS has room for 103, Linux for 107
PREFIX: Final = "gossamer-"
BACKLOG: Final = 16
CONNECT_SECONDS: Final = 5.0
MOST_AT_ONCE: Final = 16
MOST_WAITING: Final = 500  # for hosts or for other processes, which costs next to nothing
# Over before one hangs up.
BRIEF: Final = (SearchWords, Who, Health, SteerCrawl, IsWanted, NoteTimeLeft)
WAITING: Final = (Check, LendRight, *BRIEF)
ASK_SECONDS: Final = 10.0  # to say what one wants
TAKE_SECONDS: Final = 300.0  # to take the next bytes: somebody may be reading page by page


class NoOwnerError(Exception):
    """Nobody listens: there is no owner, or it has not come so far, or it left and nothing is lost by that."""


class Owner:
    """The owner that listens at a path. Each question is a connection of its own."""

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
        reader, writer = await _connect(self._path)
        may_ask_again = not self._question.changes
        try:
            writer.write(question_frame(self._question))
            while (frame := await _frame(reader)).kind is Kind.PART:
                may_ask_again = False
                yield frame.payload
            self.end = read_end(frame)
        except (ConnectionError, asyncio.IncompleteReadError, ProtocolError) as error:
            if may_ask_again and not isinstance(error, ProtocolError):
                raise NoOwnerError(str(self._path)) from None
            raise LeftError(
                "The process that owns the data folder ended before it had answered. Ask again."
            ) from None
        finally:
            writer.close()


async def _connect(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            return await asyncio.open_unix_connection(socket_address(path))
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


class Room(NamedTuple):
    """How many are answered side by side; whoever waits for a host keeps no others waiting."""

    busy: asyncio.Semaphore
    waiting: asyncio.Semaphore

    def of(self, question: Question) -> asyncio.Semaphore:
        """The room that a question takes a place in."""
        return self.waiting if isinstance(question, WAITING) else self.busy


@asynccontextmanager
async def serve_questions(
    path: Path, answering: Answering, grace: float = 0
) -> AsyncIterator[None]:
    """Answer questions at this path until the block ends.

    What is being answered then has `grace` seconds more, unless an exception ends the block.
    """
    room = Room(asyncio.Semaphore(MOST_AT_ONCE), asyncio.Semaphore(MOST_WAITING))
    asking: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not server.is_serving():  # it was accepted just before
            writer.close()
            return
        task = asyncio.ensure_future(_serve(answering, room, reader, writer))
        asking.add(task)
        task.add_done_callback(asking.discard)
        # Not by the task: one that is cancelled before its first step has no last one.
        task.add_done_callback(lambda _: writer.close())

    with listen_at(path) as bound:
        server = await asyncio.start_unix_server(connected, sock=bound)
        try:
            yield
        except BaseException:
            grace = 0
            raise
        finally:
            # A connection that was accepted just now becomes one first: asyncio would lose it.
            asyncio.get_running_loop().remove_reader(bound)
            await asyncio.sleep(0)
            server.close()
            if grace and asking:
                await asyncio.wait(asking, timeout=grace)
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
            brief = isinstance(question, BRIEF)
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
            return load_question(await reader.readexactly(length))
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


async def _send(answer: OwnerAnswer, writer: asyncio.StreamWriter) -> None:
    async with aclosing(answer.__aiter__()) as parts:
        async for part in parts:
            writer.write(part_frame(part))
            async with asyncio.timeout(TAKE_SECONDS):
                await writer.drain()
    writer.write(end_frame(answer.end))


@contextmanager
def listen_at(path: Path) -> Iterator[socket.socket]:
    """A socket that listens where this path leads; nobody but this user may connect."""
    place = path.parent.resolve() / path.name
    _clear(place)
    with closing(socket.socket(socket.AF_UNIX)) as bound:
        try:
            _bind(bound, place)
            bound.listen(BACKLOG)
            yield bound
        finally:
            _clear(place)


def socket_address(path: Path) -> str:
    """The address to connect to."""
    place = path.parent.resolve() / path.name
    return str(place.readlink() if place.is_symlink() else place)


def _bind(bound: socket.socket, place: Path) -> None:
    short = place
    if len(os.fsencode(place)) > MOST_PATH_BYTES:
        short = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_short_folder())) / place.name
        place.symlink_to(short)
    bound.bind(str(short))
    short.chmod(0o600)  # before it listens, so nobody can come sooner


def _short_folder() -> str:
    folder = tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) < MOST_PATH_BYTES // 2 else "/tmp"  # noqa: S108 (mkdtemp follows)


def _clear(place: Path) -> None:
    """Remove what we, or an owner that was killed, left here."""
    with suppress(OSError):
        if place.is_symlink() and place.readlink().parent.name.startswith(PREFIX):
            shutil.rmtree(place.readlink().parent)
    place.unlink(missing_ok=True)
