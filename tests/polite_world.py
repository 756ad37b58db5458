"""A polite client before a demo web on loopback: what the tests of polite, check and explain share."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

from gossamer.config import Config, Fetch, Politeness
from gossamer.demo.accesslog import Access
from gossamer.demo.server import serve
from gossamer.demo.world import World
from gossamer.events import Event
from gossamer.fetch.http import HttpFetcher
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.robots import RobotsStore
from gossamer.frontier.sqlite import SqliteStore
from gossamer.politeness.ledger import Ledger
from gossamer.sending.client import PoliteClient

Result = TypeVar("Result")
WORLD = World(seed=1, pages=200, hosts=24, crawl_delay=0.5)
HURRIED = Politeness(delay=timedelta(0), contact="me@example.org")
SOON = timedelta(seconds=20)


def politely(
    folder: Path,
    work: Callable[[PoliteClient], Awaitable[Result]],
    *,
    politeness: Politeness = HURRIED,
    fetch: Fetch | None = None,
    world: World = WORLD,
) -> tuple[Result, Sequence[Access], Sequence[Event]]:
    """Do the work with a client on the folder's clocks; its result, the server's log, our events."""

    async def run() -> tuple[Result, Sequence[Access], Sequence[Event]]:
        events: list[Event] = []
        async with serve(world) as running:
            reached = replace(fetch or Fetch(), connect_to=(f"*.test={running.address}",))
            config = Config(politeness=politeness, fetch=reached)
            with closing(SqliteStore(folder / "frontier.db")) as store:
                async with HttpFetcher(config.fetch, "gossamer/0") as http:
                    ledger = Ledger(config.politeness, StoredHosts(store))
                    client = PoliteClient(config, http, ledger, RobotsStore(store), events.append)
                    result = await work(client)
            return result, running.log, events

    return asyncio.run(run())
