"""`gossamer crawl -o`: pages leave the crawl as they are settled."""

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.crawl.commands import CrawlCommand, states, until
from tests.crawl.sites import NOT_FOUND, Sent, Site, on_site, served
from tests.in_process import run_here
from tests.slowness import patience

from gossamer.crawl.handle import CrawlHandle
from gossamer.errors import SinkLostError
from gossamer.events import Event, SinkLost
from gossamer.frontier.schema import SETTLED
from gossamer.sinks.protocol import StoppableCrawl

FRONT = "http://a.test/0"
ORDER = ("--delay", "0", "--workers", "1", "--config", "sitemaps.use=false")


LINKED = '{"@context": "http://schema.org/", "@type": "Person", "name": "Ada"}'


def written(file: Path) -> list[dict[str, Any]]:
    """The whole lines of a file."""
    lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
    return [json.loads(line) for line in lines]


def chain(pages: int) -> Any:
    """A site of which each page leads to the next."""

    def answer(url: str, _: Mapping[str, str]) -> Sent:
        number = url.rpartition("/")[2]
        if not number.isdigit() or int(number) >= pages:
            return NOT_FOUND
        return Sent(
            f"<title>{number}</title><script type='application/ld+json'>{LINKED}</script><a href='/{int(number) + 1}'>.</a>"
        )

    return answer


def test_every_settled_page_is_in_the_file_whenever_the_crawl_is_killed(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "pages.jsonl"

    async def run(site: Site) -> None:
        order = (*ORDER, "--connect-to", f"*.test={site.address}", "-o", str(file))
        with CrawlCommand(data, FRONT, *order) as crawl:
            await asyncio.to_thread(until, lambda: len(written(file)) >= 5)
            crawl.kill()
        settled = {url for url, state in states(data).items() if state == SETTLED}
        assert settled <= {page["url"] for page in written(file)}
        with file.open("ab") as torn:
            torn.write(b'{"url": "http://a.te')
        with CrawlCommand(data, *order) as crawl:
            assert (await asyncio.to_thread(crawl.summary))["ended"] == "done"
            assert "20 bytes of a line that was not finished are cut off" in crawl.words

    async def all_of_it() -> None:
        async with served(chain(30)) as site, asyncio.timeout(patience(100)):
            await run(site)

    asyncio.run(all_of_it())
    pages = {page["url"]: page for page in written(file)}
    assert {page["outcome"] for page in pages.values()} == {"fetched", "missing"}
    assert sorted(int(url.rpartition("/")[2]) for url in pages) == list(range(31))
    assert '"7"' in pages["http://a.test/7"]["nquads"]
    assert pages["http://a.test/7"]["items"]["json-ld"][0]["name"] == "Ada"
    assert pages["http://a.test/7"]["links"] == ["http://a.test/8"]


def test_a_reader_that_has_seen_enough_ends_the_crawl_and_it_can_go_on(tmp_path: Path) -> None:
    data = tmp_path / "data"

    async def run(site: Site) -> None:
        order = (*ORDER, "--connect-to", f"*.test={site.address}")
        reading, writing = os.pipe()
        with CrawlCommand(
            data, FRONT, *order, "-o", f"/dev/fd/{writing}", keep=(writing,)
        ) as crawl:
            os.close(writing)
            with os.fdopen(reading, "rb") as pages:
                assert json.loads(await asyncio.to_thread(pages.readline))["url"] == FRONT
            assert await asyncio.to_thread(crawl.ended) == 0
            assert "Whoever read its pages has gone." in crawl.words
            assert crawl.last_line["ended"] == "stopped"

    async def all_of_it() -> None:
        async with served(chain(10**9)) as site, asyncio.timeout(patience(100)):
            await run(site)

    asyncio.run(all_of_it())
    assert states(data)[FRONT] == SETTLED


def test_pages_and_summary_do_not_share_standard_output(tmp_path: Path) -> None:
    done = run_here("crawl", FRONT, "--data", str(tmp_path / "data"), "-o", "-", "--json")
    assert done.returncode == 2
    assert "-o - and --json both write to standard output" in done.stderr


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    done = run_here("crawl", FRONT, "--data", str(tmp_path / "data"), "-o", str(tmp_path))
    assert (done.returncode, done.stderr) == (
        1,
        f"gossamer: -o {tmp_path} cannot be written: Is a directory.\n",
    )


class Failing:
    """A sink that takes nothing."""

    name = "failing"

    async def write(self, lines: Sequence[bytes]) -> None:
        """Fail."""
        raise SinkLostError("it failed.")

    async def run(self, stop: StoppableCrawl) -> None:
        """Nothing is to be looked after."""

    def close(self) -> None:
        """Nothing is open."""


def test_a_sink_that_fails_is_told_of_once_and_the_crawl_goes_on(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, _: Site) -> list[Event]:
        told: list[Event] = []
        running.crawl.batches.tell = told.append
        running.crawl.batches.sinks = [Failing()]
        assert (await running.crawl.run()).kind == "done"
        return told

    told = on_site(tmp_path, chain(3), work, seeds=[FRONT])
    assert told == [SinkLost(sink="failing", message="it failed.")]
    assert states(tmp_path)[FRONT] == SETTLED
