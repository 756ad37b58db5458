"""The crawl in virtual time: the real loop, frontier, clocks and decisions before a web that only takes time."""

import asyncio
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from bench.fairness_cases.measures import Request
from bench.fairness_cases.web import Break, Web, break_of, page_number
from tests.virtual_crawl import LinkedWeb, crawl_of
from tests.virtual_time import START, in_virtual_time, now
from tests.virtual_world import scene

from gossamer.config import Config
from gossamer.frontier.protocol import NewUrl
from gossamer.model import BodyState, Cause, Failed, Fetched, Url
from gossamer.politeness.priority import MOST
from gossamer.urls import host_of

SECONDS: Final = 0.1  # that an answer takes
_CAUSES: Final = {
    Break.RESET: Cause.RESET,
    Break.SILENT: Cause.TIMEOUT_FIRST_BYTE,
    Break.GARBAGE: Cause.BAD_RESPONSE,
}


class UnequalWeb(LinkedWeb):
    """Answers as the web of `web.py` does, and remembers each request."""

    def __init__(self, web: Web, patience: float) -> None:
        super().__init__(seconds=SECONDS)
        self._web = web
        self._patience = patience  # of whoever waits for an answer that never comes
        self.requests: list[Request] = []

    def links(self, page: Url) -> list[Url]:
        """Where a page leads."""
        host, number = host_of(page), page_number(_path(page))
        assert number is not None
        found = self._web.links(host, number)
        return [Url(f"http://{host}{link}" if link[0] == "/" else link) for link in found]

    async def get(self, url: Url, **_: object) -> Fetched | Failed:  # type: ignore[override] # a broken web fails
        """Answer after a while, if at all."""
        started_at, host, number = now(), host_of(url), page_number(_path(url))
        breaks = None if number is None else break_of(host, number)
        await asyncio.sleep(self._patience if breaks is Break.SILENT else self.seconds)
        self.requests.append(
            Request(host, number is not None, _seconds(started_at), _seconds(now()))
        )
        if cause := _CAUSES.get(breaks) if breaks else None:
            return Failed(url, cause, "It is broken.", started_at, now())
        status = 404 if number is None else 500 if breaks is Break.ERROR else 200
        return Fetched(
            url=url,
            status=status,
            headers=(("content-type", "text/html"),),
            body=b"",
            body_state=BodyState.TRUNCATED if breaks is Break.CUT else BodyState.WHOLE,
            http_version="1.1",
            address=None,
            started_at=started_at,
            first_byte_at=now(),
            finished_at=now(),
        )


def crawl_in_virtual_time(web: Web, config: Config) -> tuple[list[Request], float]:
    """Crawl for the time that the configuration allows; all requests, and when it ended."""
    patience = config.fetch.first_byte_timeout.total_seconds()

    async def run(folder: Path) -> tuple[list[Request], float]:
        before = UnequalWeb(web, patience)
        async with scene(folder / "frontier.db", config, before, crawling=True) as owner:
            owner.frontier.set_budget(config.budget)
            seeds = [Url(f"http://{host}/p/0") for host in web.hosts]
            owner.frontier.add([NewUrl(seed, priority=MOST, seed=True) for seed in seeds])
            await crawl_of(owner, config, folder).run()
        most = config.crawl.max_time or timedelta.max
        return before.requests, most.total_seconds()

    with tempfile.TemporaryDirectory() as folder:
        requests, end = in_virtual_time(run(Path(folder)))
    return [each for each in requests if each.started <= end], end


def _seconds(moment: datetime) -> float:
    return (moment - START).total_seconds()


def _path(url: Url) -> str:
    return "/" + url.split("/", 3)[3]
