"""What a command that asks the web builds: folder, log, store, fetcher, polite client."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from gossamer import __version__
from gossamer.config import Config
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.holding import Holdings, lease_length, longest_request
from gossamer.data import DataFolder
from gossamer.events import Started, Stopped
from gossamer.fetch.agent import user_agent
from gossamer.fetch.http import HttpFetcher
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.robots import RobotsStore
from gossamer.graph import servers_of
from gossamer.log import HumanLog, JsonLog, Sink, both
from gossamer.moments import now_utc
from gossamer.node import Place, opened
from gossamer.owner.answers import Answers
from gossamer.owner.opening import answering
from gossamer.polite import PoliteClient
from gossamer.politeness.ledger import Ledger

Result = TypeVar("Result")


def ask(
    command: str,
    data: DataFolder,
    config: Config,
    work: Callable[[PoliteClient], Awaitable[Result]],
) -> Result:
    """Own the folder, do the work with a polite client, write down how it ended."""
    with data.owned():  # before there is an event loop, so that Ctrl-C ends the wait for it
        return politely(command, data, config, lambda client, _: work(client))


def politely(
    command: str,
    data: DataFolder,
    config: Config,
    work: Callable[[PoliteClient, Answers], Awaitable[Result]],
) -> Result:
    """The same in a folder that is ours; whoever asks about it meanwhile is answered."""

    async def run() -> Result:
        async with (
            polite_client(command, data, config) as client,
            answering(command, data, config) as answers,
        ):
            return await work(client, answers)

    return asyncio.run(run())


@dataclass(frozen=True, slots=True)
class Sending:
    """What a client that sends is made of, in a folder that is ours."""

    config: Config
    http: HttpFetcher
    place: Place
    clocks: Place  # the same, for the thread of the event loop; the other is the clerk's
    clerk: Clerk
    tell: Sink


@asynccontextmanager
async def polite_client(
    command: str, data: DataFolder, config: Config
) -> AsyncIterator[PoliteClient]:
    """A client on the clocks and robots records of a folder that the caller owns."""
    async with sending(command, data, config) as parts:
        yield among_others(parts)[0] if parts.place.is_shared else _alone(parts)


@asynccontextmanager
async def sending(
    command: str, data: DataFolder, config: Config, *, keeps_connections: bool = True
) -> AsyncIterator[Sending]:
    """All that is needed to send, and word in the log of who does so."""
    agent = user_agent(config.politeness, __version__)
    with (
        closing(JsonLog(data.log_folder, config.log)) as log,
        opened(data, config.frontier) as place,
        opened(data, config.frontier) as clocks,
        Clerk("frontier") as clerk,
    ):
        tell = both(log, HumanLog(sys.stderr))
        async with HttpFetcher(
            config.fetch,
            agent,
            keep_off=servers_of(config),
            keeps_connections=keeps_connections,
        ) as http:
            tell(Started(command=command, agent=agent, version=__version__))
            ended = "broken off"
            try:
                yield Sending(config, http, place, clocks, clerk, tell)
                ended = "done"
            finally:
                tell(Stopped(command=command, ended=ended))


def _alone(parts: Sending) -> PoliteClient:
    """A client that may ask any host: whoever owns the folder is the only one who does."""
    hosts = StoredHosts(parts.clocks.store)
    hosts.take_over(now_utc())
    ledger = Ledger(parts.config.politeness, hosts)
    robots = RobotsStore(parts.clocks.store)
    return PoliteClient(parts.config, parts.http, ledger, robots, parts.tell)


def among_others(parts: Sending, lasting: timedelta | None = None) -> tuple[PoliteClient, Holdings]:
    """A client that has each host reserved while it asks it: other nodes ask hosts too.

    Its requests take as long as `lasting` at most, or as any of ours.
    """
    config, longest = parts.config, lasting or longest_request(parts.config.fetch)
    frontier = parts.place.frontier(
        config, lease_length=max(lease_length(config.fetch), 2 * longest)
    )
    parts.place.take_over(frontier)
    holdings = Holdings(frontier, parts.clerk, now_utc, longest)
    # Of a host that we do not hold the clock is known as it was last written down.
    ledger = Ledger(config.politeness, holdings.ledgers, StoredHosts(parts.clocks.store))
    client = PoliteClient(
        config, parts.http, ledger, holdings, parts.tell, holding=holdings.holding
    )
    return client, holdings
