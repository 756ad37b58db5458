"""The socket from both sides: answers, errors, strangers, and those who hang up."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest

from gossamer.owner.client import Owner
from gossamer.owner.messages import (
    MOST_QUESTION_BYTES,
    VERSION,
    AnswerError,
    Question,
    Record,
    UnableError,
    question_frame,
    record_of,
)
from gossamer.owner.place import way_to
from gossamer.owner.serving import MOST_AT_ONCE, serving
from gossamer.processes.protocol import HEADER, Kind, header

pytestmark = pytest.mark.timeout(60)
STATUS = Question(what="status")


class Echo:
    """Answers `query` with its texts as bytes, `stop` with an error, all else with a record."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.stopped = asyncio.Event()

    def answer(self, question: Question) -> "EchoAnswer":
        return EchoAnswer(self, question)


class EchoAnswer:
    def __init__(self, echo: Echo, question: Question) -> None:
        self.end: Record = {}
        self._echo, self._question = echo, question

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        if self._question.what == "stop":
            raise UnableError("Not me.")
        if self._question.what == "hosts":
            raise RuntimeError("a mistake of ours")
        for text in self._question.texts:
            yield text.encode()
        if self._question.what == "export":
            try:
                self._echo.begun.set()
                await asyncio.Event().wait()
            finally:
                self._echo.stopped.set()
        self.end = {"asked": self._question.what}


def served(tmp_path: Path, work: Callable[[Owner, Echo], Awaitable[None]]) -> None:
    async def run() -> None:
        echo, path = Echo(), tmp_path / "gossamer.sock"
        async with asyncio.timeout(30), serving(path, echo):
            await work(Owner(path), echo)

    asyncio.run(run())


def test_bytes_come_as_they_are_sent_and_the_record_last(tmp_path: Path) -> None:
    async def work(owner: Owner, _: Echo) -> None:
        answer = owner.answer(Question(what="query", texts=("one", "two" * 100_000)))
        assert b"".join([part async for part in answer]) == b"one" + b"two" * 100_000
        assert answer.end == {"asked": "query"}

    served(tmp_path, work)


def test_errors_are_sentences_on_the_other_side(tmp_path: Path) -> None:
    async def work(owner: Owner, _: Echo) -> None:
        with pytest.raises(UnableError, match="Not me"):
            await record_of(owner.answer(Question(what="stop")))
        with pytest.raises(AnswerError, match=r"should not have happened .*a mistake of ours"):
            await record_of(owner.answer(Question(what="hosts")))
        assert await record_of(owner.answer(STATUS)) == {"asked": "status"}

    served(tmp_path, work)


def test_many_may_ask_at_once(tmp_path: Path) -> None:
    async def work(owner: Owner, _: Echo) -> None:
        asked = [record_of(owner.answer(STATUS)) for _ in range(3 * MOST_AT_ONCE)]
        assert await asyncio.gather(*asked) == [{"asked": "status"}] * len(asked)

    served(tmp_path, work)


def test_a_search_does_not_wait_for_those_who_take_long(tmp_path: Path) -> None:
    async def work(owner: Owner, echo: Echo) -> None:
        long = [
            asyncio.ensure_future(record_of(owner.answer(Question(what="export"))))
            for _ in range(2 * MOST_AT_ONCE)
        ]
        await echo.begun.wait()
        assert await record_of(owner.answer(Question(what="search"))) == {"asked": "search"}
        for each in long:
            each.cancel()
        await asyncio.gather(*long, return_exceptions=True)

    served(tmp_path, work)


def test_who_hangs_up_is_no_longer_worked_for(tmp_path: Path) -> None:
    async def work(owner: Owner, echo: Echo) -> None:
        asking = asyncio.ensure_future(record_of(owner.answer(Question(what="export"))))
        await echo.begun.wait()
        asking.cancel()
        await echo.stopped.wait()

    served(tmp_path, work)


def test_who_still_waits_at_the_end_is_told(tmp_path: Path) -> None:
    asked: list[asyncio.Future[Record]] = []

    async def run() -> None:
        echo, path = Echo(), tmp_path / "gossamer.sock"
        async with asyncio.timeout(30):
            async with serving(path, echo):
                answer = Owner(path).answer(Question(what="export"))
                asked.append(asyncio.ensure_future(record_of(answer)))
                await echo.begun.wait()
            with pytest.raises(AnswerError, match="ended before it had answered"):
                await asked[0]
            assert echo.stopped.is_set()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "no question"),
        (header(Kind.JOB, VERSION, 3) + b"abc", "no question"),
        (header(Kind.JOB, VERSION + 1, 0), "another version"),
        (header(Kind.JOB, VERSION, MOST_QUESTION_BYTES + 1), "may have"),
        (header(Kind.ANSWER, VERSION, 0), "may have"),
    ],
)
def test_strangers_get_a_sentence_and_do_no_harm(tmp_path: Path, said: bytes, told: str) -> None:
    async def work(owner: Owner, _: Echo) -> None:
        reader, writer = await asyncio.open_unix_connection(way_to(tmp_path / "gossamer.sock"))
        writer.write(said)
        reply = await reader.read()
        assert told in json.loads(reply[HEADER.size :])["error"]
        writer.close()
        assert await record_of(owner.answer(STATUS)) == {"asked": "status"}

    served(tmp_path, work)


def test_who_leaves_in_the_middle_of_a_question_does_no_harm(tmp_path: Path) -> None:
    async def work(owner: Owner, _: Echo) -> None:
        _reader, writer = await asyncio.open_unix_connection(way_to(tmp_path / "gossamer.sock"))
        writer.write(question_frame(STATUS)[:-2])
        writer.close()
        assert await record_of(owner.answer(STATUS)) == {"asked": "status"}

    served(tmp_path, work)
