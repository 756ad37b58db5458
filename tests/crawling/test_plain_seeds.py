import asyncio
import json
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from gossamer.crawling.opening import Running
from gossamer.crawling.plain_seeds import PlainSeeds
from gossamer.events import Event, RequestFailed
from gossamer.frontier.protocol import Ended, NewUrl, Settlement
from gossamer.model import Cause, Url
from gossamer.moments import now_utc

from .sites import Pages, Site, on_site, served

SECURE = Url("https://www.example.org/")
FRONT = "http://www.example.org/"
PAGES: Pages = {FRONT: '<a href="/x">x</a>', FRONT + "x": "<p>"}


async def crawled(folder: Path, *seeds: str) -> tuple[dict[str, object], str, Site]:
    """What a crawl says in the end, what it said before that, and what it asked for."""
    async with served(PAGES) as site, asyncio.timeout(60):
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


@pytest.mark.parametrize("is_known", [False, True])
def test_a_seed_that_was_had_before_is_not_given_up(tmp_path: Path, is_known: bool) -> None:
    told: list[Event] = []

    async def work(running: Running, site: Site) -> list[bool]:
        frontier = running.frontier
        frontier.add([NewUrl(SECURE, seed=True)])
        if is_known:
            (lease,) = frontier.lease(1)
            frontier.settle([Settlement(page=lease.pages[0], ended=Ended.CONTENT)], {})
            frontier.again(now_utc() + timedelta(days=1))
        seeds = PlainSeeds(told.append)
        seeds.expect({SECURE: Url(FRONT)})
        seeds.hear(failed(Cause.CONNECT))
        await seeds.replace_one(running)
        return [frontier.page(url) is not None for url in (SECURE, Url(FRONT))]

    assert on_site(tmp_path, {}, work) == [is_known, not is_known]
    assert len(told) == (not is_known)
