"""A folder that is owned while questions come, and let go afterwards."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from tests.owner.small_crawl import made
from tests.owner.test_folder_keeper import taken

from gossamer.config import Config
from gossamer.folder.data import DataFolder
from gossamer.owner import on_demand as on_demand_owner
from gossamer.owner.handlers import Handlers
from gossamer.owner.messages import LeftError, ask
from gossamer.owner.on_demand import OnDemandOwner
from gossamer.owner.opening import Answers, answer_folder, answer_with, read_folder
from gossamer.owner.questions import ExportGraph, MakeWay, Query, Status, Who
from gossamer.owner.unix_socket import Owner


def on_demand(data: DataFolder, idle_seconds: float) -> OnDemandOwner:
    @asynccontextmanager
    async def own(make_way: Callable[[], None]) -> AsyncIterator[Answers]:
        async with read_folder("python", data, Config()) as folder:
            making_way = Handlers().on(MakeWay, folder.doing(make_way))
            async with answer_with(folder, making_way) as answers:
                yield answers

    return OnDemandOwner(data, own, idle_seconds)


def test_a_folder_is_ours_for_a_while_after_a_question(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        async with on_demand(data, idle_seconds=0.01) as owner:
            for _ in range(2):  # and again
                assert (await ask(owner, Who()))["command"] == "python"
                async with taken(data):  # as soon as it is let go, of which nobody has to be asked
                    pass

    asyncio.run(run())


def test_whoever_wants_the_folder_gets_it_and_is_asked(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        async with on_demand(data, idle_seconds=600) as owner:
            assert (await ask(owner, Status()))["graph"]["quads"] == 3
            await ask(Owner(data.socket_file), MakeWay())
            async with taken(data), answer_folder("crawl", data, Config()):
                assert (await ask(owner, Who()))["command"] == "crawl"
            assert (await ask(owner, Who()))["command"] == "python"

    asyncio.run(run())


def test_an_answer_under_way_is_given_before_the_folder_is_let_go(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        async with on_demand(data, idle_seconds=600) as owner:
            answer = owner.answer(ExportGraph("nquads"))
            parts = answer.__aiter__()
            assert await anext(parts)
            leaving = asyncio.create_task(owner.let_go())
            rest = b"".join([part async for part in parts])
            assert rest.count(b"\n") == answer.end["rows"]
            await leaving
            with data.owned(timedelta(0)):
                pass

    asyncio.run(run())


def test_whoever_reads_too_slowly_is_told_that_the_folder_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_demand_owner, "GRACE_SECONDS", 0.01)

    async def run() -> None:
        data = await made(tmp_path)
        async with on_demand(data, idle_seconds=600) as owner:
            many = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }"
            parts = owner.answer(Query(many, ("tsv",))).__aiter__()
            assert await anext(parts)
            await owner.let_go()
            with pytest.raises(LeftError, match="another owner now"):
                async for _ in parts:
                    pass
            assert (await ask(owner, Who()))["command"] == "python"

    asyncio.run(run())
