"""Answers for a folder that changes hands."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from tests.owner.small_crawl import made

from gossamer.config import Config
from gossamer.data import DataFolder
from gossamer.errors import FolderInUseError
from gossamer.owner import steward as stewards
from gossamer.owner.answers import Answers
from gossamer.owner.client import NoOwnerError, Owner
from gossamer.owner.messages import LeftError, Question, UnableError, What, record_of
from gossamer.owner.opening import answering
from gossamer.owner.steward import Steward

pytestmark = pytest.mark.timeout(60)
WHO = Question(what="who")


@asynccontextmanager
async def stewarding(data: DataFolder) -> AsyncIterator[Steward]:
    @asynccontextmanager
    async def own() -> AsyncIterator[Answers]:
        async with answering("serve", data, Config()) as answers:
            yield answers

    steward = Steward(data, own)
    running = asyncio.create_task(steward.run())
    try:
        yield steward
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def taken(data: DataFolder) -> AsyncIterator[None]:
    """Own the folder as soon as it can be had, and let others in this process go on meanwhile."""
    with ExitStack() as life:
        for _ in range(200):
            try:
                life.enter_context(data.owned(timedelta(0)))
                break
            except FolderInUseError:
                await asyncio.sleep(0.02)
        yield


async def owner_of(steward: Steward | Owner) -> str:
    return str((await record_of(steward.answer(WHO)))["command"])


def test_a_folder_that_nobody_has_is_ours_until_somebody_wants_it(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        async with stewarding(data) as steward:
            assert await owner_of(steward) == "serve"
            with pytest.raises(FolderInUseError), data.owned(timedelta(0)):
                pass
            told = await record_of(Owner(data.socket_file).answer(Question(what="make way")))
            assert told["command"] == "serve"
            async with taken(data), answering("crawl", data, Config()):
                assert await owner_of(steward) == "crawl"
            assert await owner_of(steward) == "serve"  # after a moment, of which nobody is told

    asyncio.run(run())


def test_bytes_and_record_come_from_whoever_has_the_folder(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        query = Question(what="query", texts=("ASK { ?s ?p ?o }",), formats=("csv",))
        async with stewarding(data) as steward:
            answer = steward.answer(query)
            assert b"".join([part async for part in answer]) == b"csv\ntrue\r\n"
            assert answer.end["rows"] == 1

    asyncio.run(run())


def test_whoever_asks_in_vain_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stewards, "WAIT_SECONDS", 0.2)

    async def run() -> None:
        data = DataFolder(tmp_path)
        with data.owned():  # by somebody who answers nothing
            async with stewarding(data) as steward:
                with pytest.raises(NoOwnerError):
                    await record_of(steward.answer(WHO))

    asyncio.run(run())


def test_what_is_being_answered_when_we_make_way_comes_to_its_end(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        async with stewarding(data) as steward:
            query = Question(what="export", formats=("nquads",))
            parts = steward.answer(query).__aiter__()
            assert await anext(parts) == b"nquads\n"
            steward.make_way()
            await asyncio.sleep(0)
            assert b"".join([part async for part in parts]).count(b"\n") > 3

    asyncio.run(run())


def test_a_crawl_does_not_make_way(tmp_path: Path) -> None:
    async def run() -> None:
        async with answering("crawl", await made(tmp_path), Config()) as answers:
            with pytest.raises(UnableError, match="keeps the folder"):
                await record_of(answers.answer(Question(what="make way")))

    asyncio.run(run())


@pytest.mark.parametrize(("what", "asks"), [("who", 2), ("stop", 1)])
def test_whoever_asks_an_owner_that_just_leaves_asks_the_next_one(
    tmp_path: Path, what: What, asks: int
) -> None:
    async def run() -> None:
        data, came = await made(tmp_path), 0

        async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal came
            came += 1
            if came < asks:
                writer.close()
                return
            server.close()
            writer.close()

        with data.owned():
            async with stewarding(data) as steward:
                server = await asyncio.start_unix_server(hang_up, data.socket_file)
                asking = asyncio.ensure_future(record_of(steward.answer(Question(what=what))))
                await asyncio.wait([asking], timeout=1)
                assert came == asks
                if what == "stop":  # which may have been heard
                    with pytest.raises(LeftError, match="Ask again"):
                        await asking
                asking.cancel()

    asyncio.run(run())
