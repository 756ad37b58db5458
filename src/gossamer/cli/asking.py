"""What a command that asks the web builds: folder, log, store, fetcher, polite client."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from typing import TypeVar

from gossamer import __version__
from gossamer.config import Config
from gossamer.data import DataFolder
from gossamer.events import Started, Stopped
from gossamer.fetch.agent import user_agent
from gossamer.fetch.http import HttpFetcher
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.robots import RobotsStore
from gossamer.frontier.sqlite import SqliteStore
from gossamer.log import HumanLog, JsonLog, both
from gossamer.moments import now_utc
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


@asynccontextmanager
async def polite_client(
    command: str, data: DataFolder, config: Config
) -> AsyncIterator[PoliteClient]:
    """A client on the clocks and robots records of a folder that the caller owns."""
    agent = user_agent(config.politeness, __version__)
    with (
        closing(JsonLog(data.log_folder, config.log)) as log,
        closing(SqliteStore(data.frontier_file)) as store,
    ):
        hosts = StoredHosts(store)
        hosts.take_over(now_utc())
        tell = both(log, HumanLog(sys.stderr))
        async with HttpFetcher(config.fetch, agent) as http:
            ledger = Ledger(config.politeness, hosts)
            tell(Started(command=command, agent=agent, version=__version__))
            ended = "broken off"
            try:
                yield PoliteClient(config, http, ledger, RobotsStore(store), tell)
                ended = "done"
            finally:
                tell(Stopped(command=command, ended=ended))
