"""Ctrl-C and TERM: an end in good order, then one at once; nothing is lost by either."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.crawl.commands import CrawlCommand, states, until
from tests.crawl.sites import Sent
from tests.fetch.servers import Conversation, serving
from tests.slowness import patience

from gossamer.frontier.schema import HANDED, PENDING, SETTLED

START, SLOW, SILENT = "http://a.test/", "http://slow.test/", "http://silent.test/"
ORDER = ("--scope", "any", "--delay", "0", "--workers", "1", "--config", "sitemaps.use=false")


class Servers:
    """One that answers, one that does so when it is told to, one that never does."""

    def __init__(self) -> None:
        self.asked: dict[str, asyncio.Event] = {}
        self.answer_slowly = asyncio.Event()
        self.is_silent = True

    def asked_for(self, url: str) -> asyncio.Event:
        """Happens when a page is asked for."""
        return self.asked.setdefault(url, asyncio.Event())

    async def __call__(self, conversation: Conversation) -> None:
        first, host, *_ = conversation.request.decode("latin-1").split("\r\n")
        url = f"http://{host.removeprefix('Host: ')}{first.split()[1]}"
        if url.endswith("/robots.txt"):
            await conversation.say(Sent(status=404).written())
            return
        self.asked_for(url).set()
        if url == SLOW:
            await self.answer_slowly.wait()
        if url == SILENT and self.is_silent:
            await conversation.client_gone()
            return
        links = f"<a href='{SLOW}'>.</a><a href='{SILENT}'>.</a>" if url == START else "<p>"
        await conversation.say(Sent(links).written())


def served(work: Callable[[Servers, str], Awaitable[None]]) -> None:
    async def run() -> None:
        servers = Servers()
        async with serving(servers) as server, asyncio.timeout(patience(100)):
            await work(servers, f"*.test=127.0.0.1:{server.port}")

    asyncio.run(run())


def test_what_is_in_flight_is_finished_and_the_rest_left_for_later(tmp_path: Path) -> None:
    data = tmp_path / "the data"

    async def work(servers: Servers, connect_to: str) -> None:
        with CrawlCommand(data, START, *ORDER, "--connect-to", connect_to) as crawl:
            await servers.asked_for(SLOW).wait()
            await servers.asked_for(SILENT).wait()
            crawl.interrupt(signal.SIGINT)
            await asyncio.to_thread(crawl.says, "Stopping")
            servers.answer_slowly.set()
            assert await asyncio.to_thread(crawl.ended) == 130
            assert crawl.summary()["ended"] == "stopped"
            assert f"gossamer crawl --data '{data}'" in crawl.words
        assert states(data) == {START: SETTLED, SLOW: SETTLED, SILENT: PENDING}

        servers.asked.clear()
        with CrawlCommand(data) as crawl:
            await servers.asked_for(SILENT).wait()
            crawl.interrupt(signal.SIGTERM)
            await asyncio.to_thread(crawl.says, "Stopping")
            crawl.interrupt(signal.SIGTERM, group=False)
            assert await asyncio.to_thread(crawl.ended) == 130
            assert "Stopped at once" in crawl.words
        assert states(data) == {START: SETTLED, SLOW: SETTLED, SILENT: HANDED}

        servers.asked.clear()
        servers.is_silent = False
        with CrawlCommand(data) as crawl:
            assert (await asyncio.to_thread(crawl.summary))["pages"] == 3
        assert set(servers.asked) == {SILENT}

    served(work)


@pytest.mark.parametrize(
    ("ends", "status"),
    [
        (lambda crawl: crawl.interrupt(signal.SIGTERM, group=False), 0),
        (lambda crawl: crawl.interrupt(signal.SIGINT), 130),
        (lambda crawl: stop(crawl.data), 0),
    ],
    ids=["TERM", "Ctrl-C", "gossamer stop"],
)
def test_to_a_service_manager_a_stop_that_was_asked_for_is_no_failure(
    tmp_path: Path, ends: Callable[[CrawlCommand], object], status: int
) -> None:
    async def work(servers: Servers, connect_to: str) -> None:
        order = (START, *ORDER, "--connect-to", connect_to, "--service")
        with CrawlCommand(tmp_path / "data", *order) as crawl:
            await servers.asked_for(SILENT).wait()
            await asyncio.to_thread(ends, crawl)
            servers.answer_slowly.set()
            assert await asyncio.to_thread(crawl.ended) == status
            assert crawl.summary()["ended"] == "stopped"

    served(work)


def stop(data: Path) -> None:
    command = [sys.executable, "-m", "gossamer", "stop", "--data", str(data)]
    subprocess.run(command, check=True, capture_output=True)


def test_a_crawl_that_has_hardly_begun_can_be_stopped_too(tmp_path: Path) -> None:
    async def work(servers: Servers, connect_to: str) -> None:
        with CrawlCommand(tmp_path / "data", START, *ORDER, "--connect-to", connect_to) as crawl:
            await asyncio.to_thread(until, (tmp_path / "data" / "frontier.db").exists)
            crawl.interrupt(signal.SIGINT)
            assert await asyncio.to_thread(crawl.ended) == 130
            assert "Traceback" not in crawl.words

    served(work)
