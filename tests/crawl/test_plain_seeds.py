import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.commands import CrawlCommand, states, until
from tests.crawl.sites import Pages, Site, on_site, served
from tests.slowness import patience

from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.plain_seeds import PlainSeeds
from gossamer.events import Event, Requested, RequestFailed
from gossamer.frontier.protocol import Ended, NewUrl, Settlement
from gossamer.frontier.schema import HANDED
from gossamer.model import Cause, Url
from gossamer.moments import now_utc

SECURE = Url("https://www.example.org/")
FRONT = "http://www.example.org/"
PAGES: Pages = {FRONT: '<a href="/x">x</a>', FRONT + "x": "<p>"}


async def crawled(folder: Path, *seeds: str) -> tuple[dict[str, object], str, Site]:
    """What a crawl says in the end, what it said before that, and what it asked for."""
    async with served(PAGES) as site, asyncio.timeout(patience(60)):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "gossamer", "crawl", *seeds, "--data", str(folder), "--json"),
            *("--connect-to", f"*.example.org={site.address}", "--delay", "0"),
            *("--config", "politeness.backoff_first=0.1s", "--config", "sitemaps.use=false"),
            *("--config", "fetch.connect_timeout=2s"),  # TLS has our server wait for the rest
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        said, talk = await process.communicate()
    assert process.returncode == 0, talk
    summary = json.loads(said)
    assert isinstance(summary, dict)
    return summary, talk.decode(), site


def test_a_host_that_speaks_http_alone_is_crawled_where_no_scheme_was_given(tmp_path: Path) -> None:
    summary, talk, site = asyncio.run(crawled(tmp_path, "www.example.org"))
    assert (summary["pages"], summary["failed"], summary["refused"]) == (2, 0, 0)
    assert summary["ended"] == "done"
    assert f"{FRONT} is the seed now" in talk
    assert site.pages_asked == [FRONT, FRONT + "x"]


def test_a_run_that_ends_before_https_fails_leaves_the_http_form_to_the_next(
    tmp_path: Path,
) -> None:
    async def run() -> tuple[dict[str, object], str, Site]:
        async with served(PAGES) as site:
            reach = ("--connect-to", f"*.example.org={site.address}")
            with CrawlCommand(tmp_path, "www.example.org", *reach) as first:
                await asyncio.to_thread(until, lambda: states(tmp_path) == {SECURE: HANDED})
                await asyncio.to_thread(first.kill)
        return await crawled(tmp_path)

    summary, talk, site = asyncio.run(run())
    assert (summary["pages"], summary["refused"]) == (2, 0)
    assert f"{FRONT} is the seed now" in talk
    assert site.pages_asked == [FRONT, FRONT + "x"]


def failed(cause: Cause, url: str = "https://www.example.org/robots.txt") -> RequestFailed:
    return RequestFailed(
        host="www.example.org",
        url=url,
        purpose="robots",
        started_at=now_utc(),
        ended_at=now_utc(),
        cause=cause,
        message="It failed.",
        delay=timedelta(0),
        delay_source="",
    )


ANSWERED = Requested(
    host="www.example.org",
    url=SECURE,
    purpose="page",
    started_at=now_utc(),
    ended_at=now_utc(),
    status=200,
    bytes=1,
    delay=timedelta(0),
    delay_source="",
)


@pytest.mark.parametrize(
    ("events", "given_up"),
    [
        ([failed(Cause.CONNECT)], 1),
        ([failed(Cause.CERTIFICATE)], 1),
        ([failed(Cause.TLS), failed(Cause.TLS)], 1),
        ([failed(Cause.NO_SUCH_NAME)], 0),
        ([failed(Cause.TIMEOUT_FIRST_BYTE), failed(Cause.CONNECT)], 0),
        ([failed(Cause.CONNECT, "https://example.org/robots.txt")], 0),
        ([failed(Cause.CONNECT, "http://www.example.org/robots.txt")], 0),
    ],
)
def test_only_an_origin_that_cannot_be_connected_to_at_first_is_given_up(
    events: list[RequestFailed], given_up: int
) -> None:
    seeds = PlainSeeds(lambda _: None)
    seeds.expect({SECURE: Url(FRONT)})
    for event in events:
        seeds.hear(event)
    assert seeds._failed.qsize() == given_up


CLOSED = "robots: The host is closed for now: robots.txt did not come."


@pytest.mark.parametrize(
    ("ended", "is_had"),
    [
        (None, False),
        ({"ended": Ended.FAILED, "why": "connect: Nobody is there."}, False),
        ({"ended": Ended.REFUSED, "why": CLOSED}, False),
        ({"ended": Ended.REFUSED, "why": "robots: Disallow: /"}, True),
        ({"ended": Ended.FAILED, "status": 503}, True),
        ({"ended": Ended.FAILED, "digest": b"had before"}, True),
        ({"ended": Ended.CONTENT}, True),
    ],
)
def test_a_seed_that_was_had_before_is_not_given_up(
    tmp_path: Path, ended: dict[str, Any] | None, is_had: bool
) -> None:
    told: list[Event] = []

    async def work(running: CrawlHandle, site: Site) -> list[bool]:
        frontier = running.frontier
        frontier.add([NewUrl(SECURE, seed=True)])
        if ended is not None:
            (lease,) = frontier.lease(1)
            frontier.settle([Settlement(page=lease.pages[0], **ended)], {})
            frontier.refetch(now_utc() + timedelta(days=1))
        seeds = PlainSeeds(told.append)
        seeds.expect({SECURE: Url(FRONT)})
        seeds.hear(failed(Cause.CONNECT))
        await seeds.replace_one(running)
        return [frontier.page(url) is not None for url in (SECURE, Url(FRONT))]

    assert on_site(tmp_path, {}, work) == [is_had, not is_had]
    assert len(told) == (not is_had)


def left_open(
    folder: Path, seeds: Sequence[Url], instead: Mapping[Url, Url], *events: Event
) -> dict[Url, Url]:
    """What the next run waits for, after one with these seeds that heard this."""

    async def work(running: CrawlHandle, _: Site) -> dict[Url, Url]:
        now, later = PlainSeeds(lambda _: None), PlainSeeds(lambda _: None)
        now.begin(running.frontier, seeds, instead)
        waiting = asyncio.create_task(now.run(running))
        await asyncio.sleep(0)
        for event in events:
            now.hear(event)
        waiting.cancel()
        await asyncio.wait([waiting])
        await running.frontier_thread.do(later.begin, running.frontier, (), {})
        return later._open

    return on_site(folder, {}, work)


def test_runs_wait_until_the_origin_answers_or_somebody_names_the_scheme(tmp_path: Path) -> None:
    pair = {SECURE: Url(FRONT)}
    assert left_open(tmp_path, [SECURE], pair) == pair
    assert left_open(tmp_path, [], {}, failed(Cause.NO_SUCH_NAME)) == pair
    assert left_open(tmp_path, [SECURE], {}) == {}
    assert left_open(tmp_path, [SECURE], pair, ANSWERED) == {}
