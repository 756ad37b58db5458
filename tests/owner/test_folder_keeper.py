"""Answers for a folder that changes hands."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.owner.small_crawl import made
from tests.slowness import patience

from gossamer.config import Config
from gossamer.errors import FolderInUseError
from gossamer.folder.data import DataFolder
from gossamer.owner import folder_keeper
from gossamer.owner.folder_keeper import FolderKeeper
from gossamer.owner.handlers import Handlers
from gossamer.owner.messages import LeftError, UnableError, ask
from gossamer.owner.opening import Answers, answer_folder, answer_with, read_folder
from gossamer.owner.questions import ExportGraph, MakeWay, Query, RecordQuestion, StopOwner, Who
from gossamer.owner.unix_socket import NoOwnerError, Owner

WHO = Who()


@pytest.fixture(autouse=True)
def wait_for_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for an owner longer than people do: on a busy machine it takes its time."""
    monkeypatch.setattr(folder_keeper, "WAIT_SECONDS", patience(60))


@asynccontextmanager
async def keeping(data: DataFolder) -> AsyncIterator[FolderKeeper]:
    @asynccontextmanager
    async def own(make_way: Callable[[], None]) -> AsyncIterator[Answers]:
        async with read_folder("serve", data, Config()) as folder:
            making_way = Handlers().on(MakeWay, folder.doing(make_way))
            async with answer_with(folder, making_way) as answers:
                yield answers

    keeper = FolderKeeper(data, own)
    running = asyncio.create_task(keeper.run())
    try:
        yield keeper
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def taken(data: DataFolder) -> AsyncIterator[None]:
    """Own the folder as soon as it can be had, and let others in this process go on meanwhile."""
    with ExitStack() as life:
        while True:
            try:
                life.enter_context(data.owned(timedelta(0)))
                break
            except FolderInUseError:
                await asyncio.sleep(0.02)
        yield


async def owner_of(keeper: FolderKeeper | Owner) -> str:
    return str((await ask(keeper, WHO))["command"])


def test_a_folder_that_nobody_has_is_ours_until_somebody_wants_it(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        async with keeping(data) as keeper:
            assert await owner_of(keeper) == "serve"
            with pytest.raises(FolderInUseError), data.owned(timedelta(0)):
                pass
            told = await ask(Owner(data.socket_file), MakeWay())
            assert told["command"] == "serve"
            async with taken(data), answer_folder("crawl", data, Config()):
                assert await owner_of(keeper) == "crawl"
            assert await owner_of(keeper) == "serve"  # after a moment, of which nobody is told

    asyncio.run(run())


def test_bytes_and_record_come_from_whoever_has_the_folder(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        query = Query("ASK { ?s ?p ?o }", ("csv",))
        async with keeping(data) as keeper:
            answer = keeper.answer(query)
            assert b"".join([part async for part in answer]) == b"csv\ntrue\r\n"
            assert answer.end["rows"] == 1

    asyncio.run(run())


def test_whoever_asks_in_vain_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_keeper, "WAIT_SECONDS", 0.2)

    async def run() -> None:
        data = DataFolder(tmp_path)
        with data.owned():  # by somebody who answers nothing
            async with keeping(data) as keeper:
                with pytest.raises(NoOwnerError):
                    await ask(keeper, WHO)

    asyncio.run(run())


def test_what_is_being_answered_when_we_make_way_comes_to_its_end(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        async with keeping(data) as keeper:
            query = ExportGraph("nquads")
            parts = keeper.answer(query).__aiter__()
            assert await anext(parts) == b"nquads\n"
            keeper.make_way()
            await asyncio.sleep(0)
            assert b"".join([part async for part in parts]).count(b"\n") > 3

    asyncio.run(run())


def test_a_crawl_does_not_make_way(tmp_path: Path) -> None:
    async def run() -> None:
        async with answer_folder("crawl", await made(tmp_path), Config()) as answers:
            with pytest.raises(UnableError, match="keeps the folder"):
                await ask(answers, MakeWay())

    asyncio.run(run())


@pytest.mark.parametrize(("question", "asks"), [(Who(), 2), (StopOwner(), 1)])
def test_whoever_asks_an_owner_that_just_leaves_asks_the_next_one(
    tmp_path: Path, question: RecordQuestion[Any], asks: int
) -> None:
    async def run() -> None:
        data, came, left = await made(tmp_path), 0, asyncio.Event()

        async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal came
            came += 1
            if came == asks:
                server.close()
                left.set()
            writer.close()

        with data.owned():
            async with keeping(data) as keeper:
                server = await asyncio.start_unix_server(hang_up, data.socket_file)
                asking = asyncio.ensure_future(ask(keeper, question))
                await left.wait()
                if question.changes:  # which may have been heard
                    with pytest.raises(LeftError, match="Ask again"):
                        await asking
                assert came == asks
                asking.cancel()

    asyncio.run(run())
