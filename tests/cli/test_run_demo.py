"""The demo web crawled and served beside us."""

import asyncio
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.crawl.commands import until

from gossamer.cli.run_demo import DemoCrawl, crawl_demo, free_place, serve_demo, start_child

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
        assert await crawl_demo(NOBODY, is_quiet=True) is None
        async with serve_demo(NOBODY, free_place("127.0.0.1:0")) as is_ready:
            assert not is_ready

    asyncio.run(run())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of it")
def test_a_child_dies_with_whoever_is_killed() -> None:
    program = """
import asyncio, os, sys
from gossamer.cli.run_demo import start_child
async def run():
    async with start_child([sys.executable, "-c", "import time; time.sleep(600)"], stdout=None, stderr=None) as made:
        print(made.pid, flush=True)
        await asyncio.sleep(0.1)  # so that it is past its beginning, where it can be
        os.kill(os.getpid(), 9)
asyncio.run(run())
"""
    killed = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    until(lambda: is_dead(int(killed.stdout)))


def is_dead(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"  # nobody has asked how it ended


@pytest.mark.parametrize("program", ["import time; time.sleep(60)", ""])
def test_a_child_ends_with_the_block(program: str) -> None:
    async def run() -> int | None:
        async with start_child(
            [sys.executable, "-c", program], stdout=None, stderr=None
        ) as process:
            pass
        return process.returncode

    assert asyncio.run(run()) is not None
