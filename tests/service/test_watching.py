"""Those who watch, and how often the owner is asked for them."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

from tests.slowness import patience
from tests.virtual_time import in_virtual_time

from gossamer.errors import GossamerError
from gossamer.owner.messages import Record
from gossamer.owner.questions import Question, Who
from gossamer.service.watching import CrawlWatch

from .test_history import status

NOTHING: tuple[bytes, ...] = ()


class Answer:
    def __init__(self, end: Record) -> None:
        self.end: Record = end

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        for part in NOTHING:
            yield part


class Folder:
    """Somebody who answers for a folder, and counts."""

    def __init__(self, command: str = "crawl") -> None:
        self.command = command
        self.asked = 0
        self.is_away = False

    def answer(self, question: Question) -> Answer:
        assert isinstance(question, Who)
        return Answer({"command": self.command})

    async def status(self) -> dict[str, Any]:
        self.asked += 1
        if self.is_away:
            raise GossamerError("Nobody is there.")
        return status(self.asked)


def watch(folder: Folder, seconds: float = 0.02) -> CrawlWatch:
    return CrawlWatch(
        answering=folder, status=folder.status, look_seconds=seconds, idle_seconds=seconds
    )


async def snapshots(watching: CrawlWatch, count: int) -> list[Any]:
    found = []
    async for event in watching.events():
        if event.startswith(b"data: "):
            found.append(json.loads(event.removeprefix(b"data: ")))
        if len(found) == count:
            break
    return found


def test_all_who_watch_share_one_look() -> None:
    async def run() -> None:
        folder = Folder()
        watching = watch(folder)
        async with watching.running():
            seen = await asyncio.gather(*(snapshots(watching, 5) for _ in range(50)))
        assert folder.asked <= 8
        assert all(each == seen[0] for each in seen)
        assert seen[0][0]["point"]["left"] == 5

    in_virtual_time(run())


def test_a_folder_without_a_crawl_is_left_alone_until_somebody_watches() -> None:
    async def run() -> None:
        folder = Folder("serve")
        watching = watch(folder)
        async with watching.running():
            await asyncio.sleep(0.2)
            assert folder.asked == 0
            assert len(await snapshots(watching, 2)) == 2
            assert folder.asked

    asyncio.run(run())


def test_a_crawl_that_nobody_watches_leaves_its_history() -> None:
    async def run() -> None:
        folder = Folder()
        watching = watch(folder)
        async with watching.running(), asyncio.timeout(patience(60)):
            while not watching.history.record()["at"]:  # noqa: ASYNC110 (nobody tells)
                await asyncio.sleep(0.01)

    asyncio.run(run())


def test_those_who_watch_hear_that_nobody_answers_and_then_go_on() -> None:
    async def run() -> None:
        folder = Folder()
        folder.is_away = True
        watching = watch(folder)
        async with watching.running():
            assert (await snapshots(watching, 1))[0]["state"] == "away"
            folder.is_away = False
            assert (await snapshots(watching, 3))[-1]["state"] == "running"

    asyncio.run(run())


def test_those_who_watch_are_let_go_at_the_end() -> None:
    async def run() -> None:
        folder = Folder()
        watching = watch(folder)
        async with watching.running():
            watcher = asyncio.create_task(snapshots(watching, 1_000_000))
            await snapshots(watching, 1)
        async with asyncio.timeout(patience(60)):
            assert await watcher

    asyncio.run(run())
