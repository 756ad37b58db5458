import asyncio
import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.api.chains import FRONT, Chain, served
from tests.crawl.commands import CLEAN, states, until
from tests.slowness import patience

import gossamer
import gossamer.crawl.loop
from gossamer.api.crawl import RunningCrawl
from gossamer.errors import GossamerError
from gossamer.folder.data import DataFolder
from gossamer.frontier.schema import SETTLED


def is_free(folder: Path) -> bool:
    """Whether nobody owns a folder any more."""
    try:
        with DataFolder(folder).owned(timedelta(0)):
            return True
    except GossamerError:
        return False


def summary_of(crawl: RunningCrawl | gossamer.Crawl) -> dict[str, Any]:
    """The summary of a crawl that has ended."""
    assert crawl.summary is not None
    return crawl.summary


def test_pages_come_with_all_they_say_and_a_temporary_folder_goes_with_the_crawl() -> None:
    with served(3) as chain, gossamer.crawl(FRONT, **chain.options) as crawl:
        assert crawl.summary is None
        first = next(crawl)
        assert (first.url, first.outcome, first.status, first.depth) == (FRONT, "fetched", 200, 0)
        assert first.items["json-ld"][0]["name"] == "Ada 0"
        assert len(list(first.quads)) == first.count > 1
        assert [link.url for link in first.links] == ["http://a.test/1"]
        assert crawl.status()["owner"]["command"] == "crawl"
        rest = {page.url: page.outcome for page in crawl}
        assert rest.pop("http://a.test/3") == "missing"
        assert set(rest.values()) == {"fetched"}
        assert summary_of(crawl)["pages"] == 3
        assert summary_of(crawl)["ended"] == "done"
        assert "Nothing is left to fetch" in crawl.messages
        with gossamer.open(crawl.data) as data:
            names = data.query("SELECT ?name {?s schema:name ?name} ORDER BY ?name").rows()
        assert [row["name"] for row in names] == ["Ada 0", "Ada 1", "Ada 2"]
    assert not crawl.data.exists()
    assert list(crawl) == []


def test_ctrl_c_ends_the_crawl_and_leaves_what_was_settled(tmp_path: Path) -> None:
    def interrupt(path: str) -> None:
        if path == "/2":  # whoever waits for the page is interrupted, wherever that is
            os.kill(os.getpid(), signal.SIGINT)

    taken: list[str] = []
    with served() as chain:
        chain.when_asked = interrupt
        crawl = gossamer.crawl(FRONT, data=tmp_path / "data", **chain.options)
        with pytest.raises(KeyboardInterrupt):
            taken.extend(page.url for page in crawl)
    assert is_free(tmp_path / "data")
    assert set(taken) <= {
        url for url, state in states(tmp_path / "data").items() if state == SETTLED
    }


def test_whoever_breaks_out_ends_the_crawl(tmp_path: Path) -> None:
    with served() as chain:
        for page in gossamer.crawl(FRONT, data=tmp_path / "data", **chain.options):
            assert page.url == FRONT
            break
        assert is_free(tmp_path / "data")
        asked = len(chain.asked)
        assert len(chain.asked) == asked < 10**4


def test_a_loop_goes_on_while_a_crawl_runs_in_it_and_an_exception_ends_it(tmp_path: Path) -> None:
    class OddError(Exception):
        pass

    async def run(chain: Chain) -> None:
        loop, turning = asyncio.get_running_loop(), asyncio.Event()

        # The server answers when the loop has turned while somebody waits for the page.
        def wait(path: str) -> None:
            if path == "/1":
                asyncio.run_coroutine_threadsafe(turning.wait(), loop).result()

        chain.when_asked = wait
        crawl = gossamer.Crawl(FRONT, data=tmp_path / "data", **chain.options)
        with pytest.raises(RuntimeError, match="async with"):
            await anext(crawl)
        async with crawl:
            assert (await anext(crawl)).url == FRONT
            loop.call_later(0.01, turning.set)
            assert (await anext(crawl)).url == "http://a.test/1"
            assert (await crawl.status())["owner"]["command"] == "crawl"
            crawl.stop()
            async for _ in crawl:
                pass
            assert summary_of(crawl)["ended"] == "stopped"
        with pytest.raises(OddError):
            await raise_at_once(gossamer.Crawl([], data=tmp_path / "data", **chain.options))

    async def raise_at_once(crawl: gossamer.Crawl) -> None:
        async with crawl:
            async for page in crawl:
                assert page.url not in (FRONT, "http://a.test/1")
                raise OddError

    async def in_time(chain: Chain) -> None:
        async with asyncio.timeout(patience(60)):
            await run(chain)

    with served() as chain:
        asyncio.run(in_time(chain))
    assert is_free(tmp_path / "data")


SCRIPT = """
import sys, gossamer
for page in gossamer.crawl(sys.argv[1], data=sys.argv[2], connect_to=sys.argv[3], delay=0, workers=1):
    print(page.url, flush=True)
    sys.stdin.read()  # as long as a person looks at it
"""


def test_a_program_that_is_killed_leaves_no_crawl_behind(tmp_path: Path) -> None:
    with served() as chain:
        order = [FRONT, str(tmp_path / "data"), *chain.options["connect_to"]]
        with subprocess.Popen(
            [sys.executable, "-c", SCRIPT, *order],
            env=CLEAN,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as program:
            assert program.stdout is not None
            assert program.stdout.readline() == f"{FRONT}\n".encode()
            assert not is_free(tmp_path / "data")
            program.kill()
        until(lambda: is_free(tmp_path / "data"))


def test_what_the_crawl_complains_of_is_an_error_with_its_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GossamerError, match=r"^The data folder .* cannot be made"):
        next(gossamer.crawl("a.test", data=tmp_path / "file" / "data"))


def test_an_unknown_option_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="'dept'"):
        gossamer.crawl("a.test", dept=2)  # type: ignore[call-arg]
