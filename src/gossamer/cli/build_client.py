"""A polite client for a command that asks the web, with folder, log, store and fetcher; and one page fetched by it."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeVar

from gossamer import __version__
from gossamer.config import Config
from gossamer.errors import InputError
from gossamer.events import Started, Stopped
from gossamer.fetch.agent import user_agent
from gossamer.fetch.http import HttpFetcher
from gossamer.fetch.response import redirect_of
from gossamer.folder.data import DataFolder
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.robots import RobotsStore
from gossamer.frontier.thread import FrontierThread
from gossamer.identity import signature_by
from gossamer.index.opening import servers_of
from gossamer.log import HumanLog, JsonLog, Sink, both
from gossamer.model import BodyState, Failed, Fetched, Refusal, Url
from gossamer.moments import now_utc
from gossamer.owner.folder_answers import FolderAnswers
from gossamer.owner.opening import answer_folder
from gossamer.politeness.ledger import Ledger, Wait
from gossamer.reading.inputs import Input
from gossamer.sending.check import check
from gossamer.sending.client import PoliteClient
from gossamer.sending.common_limits import limits_among_nodes, run_beside
from gossamer.sending.hosts import HostSource
from gossamer.sending.hosts.leased import Holdings, lease_length, longest_request
from gossamer.settings.node import OpenFolder, open_folder

Result = TypeVar("Result")
PATIENCE: Final = timedelta(minutes=1)  # somebody sits and waits


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
    work: Callable[[PoliteClient, FolderAnswers], Awaitable[Result]],
) -> Result:
    """Run work with a polite client in a folder that is ours; others who ask meanwhile are answered."""

    async def run() -> Result:
        async with (
            polite_client(command, data, config) as client,
            answer_folder(command, data, config) as answers,
        ):
            return await work(client, answers.folder)

    return asyncio.run(run())


@dataclass(frozen=True, slots=True)
class Sending:
    """What a client that sends is made of, in a folder that is ours."""

    config: Config
    http: HttpFetcher
    place: OpenFolder
    clocks: (
        OpenFolder  # the same, for the thread of the event loop; the other is the frontier_thread's
    )
    frontier_thread: FrontierThread
    tell: Sink


@asynccontextmanager
async def polite_client(
    command: str, data: DataFolder, config: Config
) -> AsyncIterator[PoliteClient]:
    """A client on the clocks and robots records of a folder that the caller owns."""
    async with sending(command, data, config) as parts:
        if not parts.place.is_shared:
            yield _alone(parts)
            return
        holdings = hosts_among_others(parts)
        async with client_among_others(parts, holdings, holdings) as client:
            yield client


@asynccontextmanager
async def sending(
    command: str, data: DataFolder, config: Config, *, keeps_connections: bool = True
) -> AsyncIterator[Sending]:
    """All that is needed to send, and word in the log of who does so."""
    agent = user_agent(config.politeness, __version__)
    with (
        closing(JsonLog(data.log_folder, config.log)) as log,
        open_folder(data, config.frontier) as place,
        open_folder(data, config.frontier) as clocks,
        FrontierThread("frontier") as frontier_thread,
    ):
        tell = both(log, HumanLog(sys.stderr))
        async with HttpFetcher(
            config.fetch,
            agent,
            keep_off=servers_of(config),
            keeps_connections=keeps_connections,
            sign=signature_by(data, config.identity, now_utc),
        ) as http:
            tell(Started(command=command, agent=agent, version=__version__))
            ended = "broken off"
            try:
                yield Sending(config, http, place, clocks, frontier_thread, tell)
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


def hosts_among_others(parts: Sending, lasting: timedelta | None = None) -> Holdings:
    """Hosts that are reserved while they are asked: other nodes ask them too.

    Requests take as long as `lasting` at most, or as any of ours.
    """
    config, longest = parts.config, lasting or longest_request(parts.config.fetch)
    frontier = parts.place.frontier(config, lease_length=max(lease_length(config), 2 * longest))
    parts.place.take_over(frontier)
    return Holdings(frontier, parts.frontier_thread, now_utc, longest)


@asynccontextmanager
async def client_among_others(
    parts: Sending, holdings: Holdings, hosts: HostSource
) -> AsyncIterator[PoliteClient]:
    """A client that sends to hosts which are ours for a while, within the limits of all nodes."""
    config = parts.config
    common = limits_among_nodes(holdings.frontier, parts.frontier_thread, config, now_utc)
    # Of a host that we do not hold the clock is known as it was last written down.
    ledger = Ledger(config.politeness, holdings.ledgers, StoredHosts(parts.clocks.store))
    client = PoliteClient(
        config, parts.http, ledger, holdings, parts.tell, hosts=hosts, common=common
    )
    async with run_beside(common):
        yield client


async def visit(client: PoliteClient, text: str) -> Input:
    """The page, wherever redirects lead; `InputError` says why it cannot be had."""
    asked: list[str] = []
    while True:
        fetched = await _fetch(client, text)
        target = redirect_of(fetched, hops=len(asked))
        if target is None:
            return _page(fetched)
        asked.append(fetched.url)
        if isinstance(target, Refusal):
            raise InputError(f"{fetched.url}: redirects to what cannot be fetched: {target.why}")
        if target in asked:
            raise InputError(f"{asked[0]}: redirects without end.")
        text = target


async def _fetch(client: PoliteClient, text: str) -> Fetched:
    checked = await check(client, text)
    verdict = checked.verdict
    hopeless = verdict.wait is None or verdict.wait > PATIENCE
    if checked.url is None or checked.decision is None or not checked.decision.allowed or hopeless:
        raise InputError(f"{verdict.url}: may not be fetched: {verdict.error}")
    answer = await client.get(checked.url, "page", PATIENCE)
    if isinstance(answer, Wait):
        raise InputError(f"{checked.url}: the host rests for longer than we wait: {answer.delay}.")
    if isinstance(answer, Failed):
        raise InputError(f"{checked.url}: {answer.message}")
    return answer


def _page(fetched: Fetched) -> Input:
    if not 200 <= fetched.status < 300:
        raise InputError(f"{fetched.url}: the server answered {fetched.status}.")
    if fetched.body_state is not BodyState.WHOLE:
        raise InputError(f"{fetched.url}: the answer broke off before its end; try again later.")
    return Input(
        name=fetched.url,
        url=Url(fetched.url),
        body=fetched.body,
        content_type=fetched.header("content-type"),
        content_encoding=fetched.content_encoding,
    )
