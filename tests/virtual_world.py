"""A polite client in virtual time: real clocks, frontier and rules before a web that only takes time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar, cast

from gossamer.config import Config
from gossamer.events import Event
from gossamer.fetch.http import HttpFetcher
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.protocol import Assignment, Ended, Lease, NewUrl, Settlement
from gossamer.frontier.robots import RobotsStore
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.thread import FrontierThread
from gossamer.model import BodyState, Fetched, Url
from gossamer.politeness.ledger import Ledger, Wait
from gossamer.sending.client import PoliteClient
from gossamer.sending.hosts.leased import Holdings, lease_length, longest_request
from gossamer.sending.lent import LentRights
from gossamer.urls import host_of

from .virtual_time import now

T = TypeVar("T")
STAY = timedelta(seconds=3)


@dataclass(frozen=True)
class Visit:
    """One request as its host sees it."""

    host: str
    started_at: datetime
    ended_at: datetime
    who: str


@dataclass
class Web:
    """Hosts that answer after a while, and remember who asked."""

    robots: dict[str, bytes] = field(default_factory=dict)
    seconds: float = 0.3
    retry_after: dict[str, str] = field(default_factory=dict)  # 429 for pages of these hosts
    visits: list[Visit] = field(default_factory=list)

    async def address_of(self, _: Url) -> str | None:
        return None

    async def get(self, url: Url, **_: Any) -> Fetched:
        started_at, host = now(), host_of(url)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.visits.append(Visit(host, started_at, now(), "gossamer"))
        is_robots = url.endswith("/robots.txt")
        asks = None if is_robots else self.retry_after.get(host)
        return Fetched(
            url=url,
            status=429 if asks else 200,
            headers=(("retry-after", asks),) if asks else (),
            body=self.robots.get(host, b"") if is_robots else b"",
            body_state=BodyState.WHOLE,
            http_version="1.1",
            address=None,
            started_at=started_at,
            first_byte_at=now(),
            finished_at=now(),
        )


class AtOnce(FrontierThread):
    """A frontier_thread without a thread: no virtual time passes while it works."""

    async def do(self, call: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        await asyncio.sleep(0)
        return call(*args, **kwargs)

    async def at_once(self, call: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        return await self.do(call, *args, **kwargs)

    def later(self, call: Callable[..., object], *args: Any, **kwargs: Any) -> None:
        call(*args, **kwargs)


@dataclass
class Scene:
    """Those who ask hosts, all on one ledger."""

    web: Web
    client: PoliteClient
    leases: LentRights
    frontier: SqlFrontier
    holdings: Holdings | None  # of a crawl, where there can be one
    events: list[Event]

    async def crawl(self, urls: list[Url]) -> None:
        """Fetch pages until somebody has heard enough: the loop of `crawl/loop.py`, bare."""
        assert self.holdings is not None
        self.frontier.add([NewUrl(url, seed=True) for url in urls])
        async with asyncio.TaskGroup() as visits:
            visits.create_task(self._renew(self.holdings))
            while True:
                for lease in self.frontier.lease(4, pages=2):
                    visits.create_task(self._visit(self.holdings, lease))
                await asyncio.sleep(0.5)

    async def _renew(self, holdings: Holdings) -> None:
        while True:
            await asyncio.sleep(self.frontier.lease_length.total_seconds() / 4)
            await holdings.renew()

    async def _visit(self, holdings: Holdings, lease: Lease) -> None:
        holdings.take(lease)
        unsent = list(lease.pages)
        try:
            while unsent and await self._fetched(holdings, unsent[0]):
                unsent.pop(0)
        finally:
            await holdings.end(lease, unsent)

    async def _fetched(self, holdings: Holdings, page: Assignment) -> bool:
        if isinstance(await self.client.rules(page.url, STAY), Wait):
            return False
        answer = await self.client.get(page.url, "page", STAY)
        if isinstance(answer, Wait):
            return False
        self.frontier.settle([Settlement(page=page, ended=Ended.CONTENT)], holdings.news())
        return True


@asynccontextmanager
async def scene(file: Path, config: Config, web: Web, *, crawling: bool) -> AsyncIterator[Scene]:
    """A folder's owner at work: a crawl that may run, or a process that does not crawl."""
    events: list[Event] = []
    http = cast(HttpFetcher, web)
    with closing(SqliteStore(file, now)) as store:
        frontier = SqlFrontier(store, "one", config.politeness, lease_length=lease_length(config))
        frontier.take_over()
        frontier_thread, holdings = AtOnce("none"), None
        if crawling:
            holdings = Holdings(frontier, frontier_thread, now, longest_request(config.fetch))
            client = PoliteClient(
                config,
                http,
                Ledger(config.politeness, holdings.ledgers),
                holdings,
                events.append,
                hosts=holdings,
                now=now,
            )
        else:
            hosts = StoredHosts(store)
            hosts.take_over(now())
            client = PoliteClient(
                config,
                http,
                Ledger(config.politeness, hosts),
                RobotsStore(store),
                events.append,
                now=now,
            )

        async def lend(host: str, until: datetime | None) -> None:
            await frontier_thread.do(frontier.lend, host, until)

        async with LentRights(client.rights, client.hosts, lend) as leases:
            yield Scene(web, client, leases, frontier, holdings, events)


@asynccontextmanager
async def beside(work: Any) -> AsyncIterator[None]:
    """Something that goes on meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
