import asyncio
import os
import signal
from pathlib import Path

from tests.slowness import patience

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder
from gossamer.model import Url
from gossamer.service.child_crawl import ChildCrawl, Order, command, last_lines

WORLD = World(pages=60_000, hosts=6)


def test_secrets_are_not_put_on_a_command_line(tmp_path: Path) -> None:
    given = {
        "service.token": "hush",
        "fetch.upstream_proxy": "http://me:hush@127.0.0.1:1",
        "fetch.connect_to": ("*.test=127.0.0.1:1", "*.invalid=127.0.0.1:2"),
    }
    order = Order(seeds=[Url("http://a.test/")], options={"crawl.depth": 2}, again=True)
    words = command(DataFolder(tmp_path), order, given)
    assert "hush" not in " ".join(words)
    assert '--config=fetch.connect_to=["*.test=127.0.0.1:1", "*.invalid=127.0.0.1:2"]' in words
    assert words[-3:] == ["--config=crawl.depth=2", "--again", "@/dev/stdin"]


def test_without_seeds_a_crawl_goes_on(tmp_path: Path) -> None:
    assert not [word for word in command(DataFolder(tmp_path), Order(), {}) if "stdin" in word]


def test_a_crawl_that_cannot_begin_says_why(tmp_path: Path) -> None:
    async def run() -> None:
        child = ChildCrawl(DataFolder(tmp_path))
        assert child.record() is None
        await child.start(Order())
        async with asyncio.timeout(patience(60)):
            while child.process is not None:  # noqa: ASYNC110 (nobody tells)
                await asyncio.sleep(0.02)
        told = child.record()
        assert told is not None
        assert told["status"] == 2
        assert "Name a seed" in " ".join(told["lines"])

    asyncio.run(run())


def test_a_crawl_ends_in_good_order_with_whoever_began_it(tmp_path: Path) -> None:
    async def run(connect_to: str) -> None:
        child = ChildCrawl(DataFolder(tmp_path), {"fetch.connect_to": (connect_to,)})
        await child.start(Order(seeds=[Url(WORLD.front(0))], options={"politeness.delay": 0.2}))
        async with asyncio.timeout(patience(60)):
            while not DataFolder(tmp_path).socket_file.exists():  # noqa: ASYNC110 (nobody tells)
                await asyncio.sleep(0.02)
        await child.close()
        told = child.record()
        assert told is not None
        assert told["summary"]["ended"] == "stopped"
        assert told["ended_at"] >= told["began_at"]

    with DemoServer(WORLD) as demo:
        asyncio.run(run(demo.connect_to))


def test_a_crawl_that_was_killed_has_no_summary(tmp_path: Path) -> None:
    async def run(connect_to: str) -> None:
        child = ChildCrawl(DataFolder(tmp_path), {"fetch.connect_to": (connect_to,)})
        await child.start(Order(seeds=[Url(WORLD.front(0))]))
        assert child.process is not None
        os.kill(child.process, signal.SIGKILL)
        await child.close()
        told = child.record()
        assert told is not None
        assert (told["status"], told["summary"]) == (-signal.SIGKILL, None)

    with DemoServer(WORLD) as demo:
        asyncio.run(run(demo.connect_to))


def test_the_last_lines_of_a_file_are_its_last(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    assert last_lines(file) == []
    file.write_text("".join(f"line {number}\n" for number in range(5_000)))
    assert last_lines(file, 2) == ["line 4998", "line 4999"]
