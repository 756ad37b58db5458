import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gossamer.owner.client import NoOwnerError, Owner
from gossamer.owner.messages import MOST_FRAME_BYTES, VERSION, AnswerError, Question, record_of
from gossamer.owner.place import listening
from gossamer.processes.protocol import Kind, header

pytestmark = pytest.mark.timeout(60)


def asked(path: Path) -> None:
    asyncio.run(record_of(Owner(path).answer(Question(what="status"))))


def answered_with(path: Path, reply: bytes) -> None:
    """Ask somebody who says this, whatever is asked."""

    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(reply)
        writer.close()

    async def run(work: Callable[[], Awaitable[object]]) -> None:
        with listening(path) as bound:
            async with await asyncio.start_unix_server(say, sock=bound):
                await work()

    asyncio.run(run(lambda: record_of(Owner(path).answer(Question(what="status")))))


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
        (b"", "ended before"),
        (header(Kind.ANSWER, VERSION, 10) + b"{", "ended before"),
        (header(Kind.PART, VERSION, MOST_FRAME_BYTES + 1), "ended before"),
        (b"\xff" * 20, "ended before"),
        (header(Kind.ANSWER, VERSION + 1, 2) + b"{}", "another version"),
    ],
)
def test_an_answer_that_is_none_is_a_sentence(tmp_path: Path, reply: bytes, told: str) -> None:
    with pytest.raises(AnswerError, match=told):
        answered_with(tmp_path / "gossamer.sock", reply)
