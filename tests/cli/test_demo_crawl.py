"""The demo web crawled and served beside us."""

import asyncio
import socket
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.cli.demo_crawl import DemoCrawl, child, crawled, free_place, served

NOBODY = DemoCrawl("http://site0.test/", "127.0.0.1:9", Path("/proc/nobody"), "me@a.test")


def test_a_place_that_is_taken_is_left_for_another() -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        usual = f"127.0.0.1:{taken.getsockname()[1]}"
        other = free_place(usual)
    assert other != usual
    assert other.startswith("127.0.0.1:")
    assert free_place(other) == other


def test_commands_name_the_folder_and_the_way_to_the_web() -> None:
    for command in (NOBODY.crawl_command, NOBODY.serve_command("127.0.0.1:80")):
        assert tuple(command[-4:-2]) == ("--data", "/proc/nobody")
        assert command[-1] == "*.test=127.0.0.1:9"


def test_what_cannot_be_crawled_or_served_says_so_by_nothing() -> None:
    async def run() -> None:
        assert await crawled(NOBODY, is_quiet=True) is None
        async with served(NOBODY, free_place("127.0.0.1:0")) as is_ready:
            assert not is_ready

    asyncio.run(run())


@pytest.mark.parametrize("program", ["import time; time.sleep(60)", ""])
def test_a_child_ends_with_the_block(program: str) -> None:
    async def run() -> int | None:
        async with child([sys.executable, "-c", program], stdout=None, stderr=None) as process:
            pass
        return process.returncode

    assert asyncio.run(run()) is not None
