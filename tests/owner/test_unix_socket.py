import asyncio
import gc
import json
import os
import socket
import stat
import warnings
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.slowness import patience

from gossamer.index.words.asked import Search
from gossamer.owner.messages import (
    MOST_FRAME_BYTES,
    MOST_QUESTION_BYTES,
    VERSION,
    AnswerError,
    LeftError,
    Record,
    UnableError,
    ask,
    part_frame,
    question_frame,
    record_of,
)
from gossamer.owner.questions import (
    ExportGraph,
    Hosts,
    Query,
    Question,
    SearchWords,
    Status,
    StopOwner,
)
from gossamer.owner.unix_socket import (
    MOST_AT_ONCE,
    MOST_PATH_BYTES,
    NoOwnerError,
    Owner,
    listen_at,
    serve_questions,
    socket_address,
)
from gossamer.processes.protocol import HEADER, Kind, header
from gossamer.processes.wire import Wire


def asked(path: Path) -> None:
    asyncio.run(ask(Owner(path), Status()))


def answered_with(path: Path, reply: bytes) -> None:
    """Ask somebody who says this, whatever is asked."""

    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(reply)
        writer.close()

    async def run(work: Callable[[], Awaitable[object]]) -> None:
        with listen_at(path) as bound:
            async with await asyncio.start_unix_server(say, sock=bound):
                await work()

    asyncio.run(run(lambda: ask(Owner(path), Status())))


def test_where_nobody_listens_there_is_no_owner(tmp_path: Path) -> None:
    with pytest.raises(NoOwnerError):
        asked(tmp_path / "gossamer.sock")
    with pytest.raises(NoOwnerError):
        asked(tmp_path / "no such folder" / "gossamer.sock")
    (tmp_path / "gossamer.sock").write_text("no socket")
    with pytest.raises(NoOwnerError):
        asked(tmp_path / "gossamer.sock")


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (part_frame(b"some"), "ended before"),
        (header(Kind.PART, VERSION, MOST_FRAME_BYTES + 1), "ended before"),
        (b"\xff" * 20, "ended before"),
        (header(Kind.ANSWER, VERSION + 1, 2) + b"{}", "another version"),
    ],
)
def test_an_answer_that_is_none_is_a_sentence(tmp_path: Path, reply: bytes, told: str) -> None:
    with pytest.raises(AnswerError, match=told):
        answered_with(tmp_path / "gossamer.sock", reply)


@pytest.mark.parametrize("reply", [b"", header(Kind.ANSWER, VERSION, 10) + b"{"])
def test_an_owner_that_leaves_before_it_has_answered_is_none(tmp_path: Path, reply: bytes) -> None:
    with pytest.raises(NoOwnerError):
        answered_with(tmp_path / "gossamer.sock", reply)


def heard(path: Path) -> bool:
    """Whether somebody listens where this path leads."""
    with socket.socket(socket.AF_UNIX) as asking:
        try:
            asking.connect(socket_address(path))
        except OSError:
            return False
        return True


@pytest.fixture
def short(tmp_path: Path) -> Path:
    return tmp_path / "gossamer.sock"


@pytest.fixture
def long(tmp_path: Path) -> Path:
    folder = tmp_path / ("deep" * 40)
    folder.mkdir()
    return folder / "gossamer.sock"


@pytest.mark.parametrize("which", ["short", "long"])
def test_who_asks_is_heard_while_somebody_listens(
    which: str, request: pytest.FixtureRequest
) -> None:
    path: Path = request.getfixturevalue(which)
    assert not heard(path)
    with listen_at(path):
        assert heard(path)
        assert len(os.fsencode(socket_address(path))) <= MOST_PATH_BYTES
    assert not heard(path)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("which", ["short", "long"])
def test_nobody_else_may_connect(which: str, request: pytest.FixtureRequest) -> None:
    path: Path = request.getfixturevalue(which)
    with listen_at(path):
        assert stat.S_IMODE(Path(socket_address(path)).stat().st_mode) == 0o600


def test_a_short_place_of_its_own_goes_with_its_owner(long: Path) -> None:
    with listen_at(long):
        elsewhere = Path(socket_address(long)).parent
        assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o700
    assert not elsewhere.exists()


@pytest.mark.parametrize("which", ["short", "long"])
def test_what_a_killed_owner_left_is_in_nobodys_way(
    which: str, request: pytest.FixtureRequest
) -> None:
    path: Path = request.getfixturevalue(which)
    first = listen_at(path)
    first.__enter__().close()  # as if killed: what it made is still there
    left = Path(socket_address(path))
    assert left.exists()
    assert not heard(path)
    with listen_at(path):
        assert heard(path)
        assert which == "short" or not left.exists()


def test_a_link_that_is_not_ours_is_not_followed_to_be_cleared(short: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "precious"
    theirs.mkdir()
    (theirs / "file").touch()
    short.symlink_to(theirs / "file")
    with listen_at(short):
        pass
    assert (theirs / "file").exists()


STATUS = Status()
EXPORT = ExportGraph("nquads")  # never comes to its end by itself
BEGUN = ExportGraph("nquads", types=("begun",))  # of which a part comes first


class Echo:
    """Answers a query with its text as bytes, a stop with an error, all else with a record."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.stopped = asyncio.Event()
        self.going_on = asyncio.Event()

    def answer(self, question: Question) -> "EchoAnswer":
        return EchoAnswer(self, question)


class EchoAnswer:
    def __init__(self, echo: Echo, question: Question) -> None:
        self.end: Record = {}
        self._echo, self._question = echo, question

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        if isinstance(self._question, StopOwner):
            raise UnableError("Not me.")
        if isinstance(self._question, Hosts):
            raise RuntimeError("a mistake of ours")
        if isinstance(self._question, Query):
            for word in self._question.text.split():
                yield word.encode()
        if isinstance(self._question, ExportGraph):
            if self._question == BEGUN:
                yield b"some"
            try:
                self._echo.begun.set()
                await self._echo.going_on.wait()
            finally:
                self._echo.stopped.set()
        self.end = {"asked": type(self._question).__name__}


def job(said: tuple[str, bytes]) -> bytes:
    """A question by its name, whatever is said with it."""
    payload = Wire(tuple[str, bytes]).dumps(said)
    return header(Kind.JOB, VERSION, len(payload)) + payload


def served(tmp_path: Path, work: Callable[[Owner, Echo], Awaitable[None]]) -> None:
    async def run() -> None:
        echo, path = Echo(), tmp_path / "gossamer.sock"
        async with asyncio.timeout(patience(30)), serve_questions(path, echo):
            await work(Owner(path), echo)

    asyncio.run(run())


def test_bytes_come_as_they_are_sent_and_the_record_last(tmp_path: Path) -> None:
    async def work(owner: Owner, _: Echo) -> None:
        answer = owner.answer(Query("one " + "two" * 100_000, ()))
        assert b"".join([part async for part in answer]) == b"one" + b"two" * 100_000
        assert answer.end == {"asked": "Query"}

    served(tmp_path, work)


def test_errors_are_sentences_on_the_other_side(tmp_path: Path) -> None:
    async def work(owner: Owner, _: Echo) -> None:
        with pytest.raises(UnableError, match="Not me"):
            await record_of(owner.answer(StopOwner()))
        with pytest.raises(AnswerError, match=r"should not have happened .*a mistake of ours"):
            await record_of(owner.answer(Hosts()))
        assert await record_of(owner.answer(STATUS)) == {"asked": "Status"}

    served(tmp_path, work)


def test_many_may_ask_at_once(tmp_path: Path) -> None:
    async def work(owner: Owner, _: Echo) -> None:
        asked = [record_of(owner.answer(STATUS)) for _ in range(3 * MOST_AT_ONCE)]
        assert await asyncio.gather(*asked) == [{"asked": "Status"}] * len(asked)

    served(tmp_path, work)


def test_a_search_does_not_wait_for_those_who_take_long(tmp_path: Path) -> None:
    async def work(owner: Owner, echo: Echo) -> None:
        long = [
            asyncio.ensure_future(record_of(owner.answer(EXPORT))) for _ in range(2 * MOST_AT_ONCE)
        ]
        await echo.begun.wait()
        assert await record_of(owner.answer(SearchWords(Search()))) == {"asked": "SearchWords"}
        for each in long:
            each.cancel()
        await asyncio.gather(*long, return_exceptions=True)

    served(tmp_path, work)


def test_who_hangs_up_is_no_longer_worked_for(tmp_path: Path) -> None:
    async def work(owner: Owner, echo: Echo) -> None:
        asking = asyncio.ensure_future(record_of(owner.answer(EXPORT)))
        await echo.begun.wait()
        asking.cancel()
        await echo.stopped.wait()

    served(tmp_path, work)


@pytest.mark.parametrize(("question", "error"), [(EXPORT, NoOwnerError), (BEGUN, LeftError)])
def test_who_still_waits_at_the_end_is_told_and_may_ask_the_next_owner(
    tmp_path: Path, question: ExportGraph, error: type[Exception]
) -> None:
    """An answer that has begun is not begun again: somebody has seen part of it."""
    asked: list[asyncio.Future[Record]] = []

    async def run() -> None:
        echo, path = Echo(), tmp_path / "gossamer.sock"
        async with asyncio.timeout(patience(30)):
            async with serve_questions(path, echo):
                answer = Owner(path).answer(question)
                asked.append(asyncio.ensure_future(record_of(answer)))
                await echo.begun.wait()
            with pytest.raises(error):
                await asked[0]
            assert echo.stopped.is_set()

    asyncio.run(run())


@pytest.mark.parametrize("question", [EXPORT, BEGUN])
def test_what_is_being_answered_at_the_end_has_a_while_more(
    tmp_path: Path, question: ExportGraph
) -> None:
    async def run() -> None:
        echo, path = Echo(), tmp_path / "gossamer.sock"
        async with asyncio.timeout(patience(30)):
            async with serve_questions(path, echo, grace=patience(20)):
                asked = asyncio.ensure_future(record_of(Owner(path).answer(question)))
                await echo.begun.wait()
                asyncio.get_running_loop().call_later(0.05, echo.going_on.set)
            assert await asked == {"asked": "ExportGraph"}

    asyncio.run(run())


def test_an_owner_that_fails_gives_nobody_a_while(tmp_path: Path) -> None:
    async def fail(path: Path, echo: Echo) -> None:
        async with serve_questions(path, echo, grace=patience(3600)):
            asking = asyncio.ensure_future(record_of(Owner(path).answer(EXPORT)))
            await echo.begun.wait()
            asking.add_done_callback(lambda _: asking.exception())
            raise ZeroDivisionError

    async def run() -> None:
        async with asyncio.timeout(patience(30)):
            with pytest.raises(ZeroDivisionError):
                await fail(tmp_path / "gossamer.sock", Echo())

    asyncio.run(run())


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "no question"),
        (header(Kind.JOB, VERSION, 3) + b"abc", "no question"),
        (job(("Riddle", b"")), "nobody knows what is asked"),
        (job(("Status", b"more")), "more is said"),
        (job(("Explain", Wire(tuple[int]).dumps((3,)))), "no question"),
        (header(Kind.JOB, VERSION + 1, 0), "another version"),
        (header(Kind.JOB, VERSION, MOST_QUESTION_BYTES + 1), "may have"),
        (header(Kind.ANSWER, VERSION, 0), "may have"),
    ],
)
def test_strangers_get_a_sentence_and_do_no_harm(tmp_path: Path, said: bytes, told: str) -> None:
    async def work(owner: Owner, _: Echo) -> None:
        reader, writer = await asyncio.open_unix_connection(
            socket_address(tmp_path / "gossamer.sock")
        )
        writer.write(said)
        reply = await reader.read()
        assert told in json.loads(reply[HEADER.size :])["error"]
        writer.close()
        assert await record_of(owner.answer(STATUS)) == {"asked": "Status"}

    served(tmp_path, work)


def test_who_leaves_in_the_middle_of_a_question_does_no_harm(tmp_path: Path) -> None:
    async def work(owner: Owner, _: Echo) -> None:
        _reader, writer = await asyncio.open_unix_connection(
            socket_address(tmp_path / "gossamer.sock")
        )
        writer.write(question_frame(STATUS)[:-2])
        writer.close()
        assert await record_of(owner.answer(STATUS)) == {"asked": "Status"}

    served(tmp_path, work)


@pytest.mark.parametrize("turns", range(6))
def test_a_connection_that_comes_just_as_the_owner_ends_is_closed(
    tmp_path: Path, turns: int
) -> None:
    async def run(client: socket.socket) -> None:
        async with serve_questions(tmp_path / "s", Echo()):
            client.connect(socket_address(tmp_path / "s"))
            for _ in range(turns):  # of the loop: before, while and after it is accepted
                await asyncio.sleep(0)
        for _ in range(3):
            await asyncio.sleep(0)

    with warnings.catch_warnings(), socket.socket(socket.AF_UNIX) as client:
        warnings.simplefilter("error")
        asyncio.run(run(client))
        gc.collect()
        client.settimeout(patience(5))
        with suppress(ConnectionError):
            assert client.recv(1) == b""
