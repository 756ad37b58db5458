"""What a command listens with: the service over HTTP, and the proxy, beside whoever answers for the folder."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from gossamer import __version__
from gossamer.cli.folder import in_force
from gossamer.cli.options import effective_settings, written_settings
from gossamer.config import Config, Proxy, Service
from gossamer.errors import ConfigError, GossamerError
from gossamer.fetch.agent import user_agent
from gossamer.folder.data import DataFolder
from gossamer.http.listening import Address, bind_socket, url_of
from gossamer.index.opening import servers_of
from gossamer.log import Batch, HumanLog, JsonLog, Sink, both
from gossamer.moments import now_utc
from gossamer.owner.cache_answers import NAMES, PAGES, OpenCache
from gossamer.owner.folder_answers import FolderAnswers
from gossamer.owner.handlers import Handlers
from gossamer.owner.messages import Answering, Record
from gossamer.owner.questions import ProxyState
from gossamer.owner.told import ProxyShown
from gossamer.processes.confine import open_files, raise_open_files
from gossamer.processes.interpreter import set_for_crawling
from gossamer.proxy.access import AccessControl, checked_place, told_of_cheap
from gossamer.proxy.cache.cache import open_cache
from gossamer.proxy.cache.clearing import answer_request
from gossamer.proxy.cache.protocol import Cache
from gossamer.proxy.destinations import told_of_exempt
from gossamer.proxy.handling import ProxyParts
from gossamer.proxy.permits import OwnRights, Permits
from gossamer.proxy.server import clients_within, is_here, new_name, serve_clients, with_at_most
from gossamer.proxy.spool import SpoolRoom
from gossamer.proxy.upstream import Upstreams
from gossamer.sending.client import PoliteClient
from gossamer.service.child_crawl import ChildCrawl
from gossamer.service.listening import serve_app
from gossamer.settings.in_force import settings_look
from gossamer.settings.runtime import Settle
from gossamer.settings.sources import Settings

if TYPE_CHECKING:
    from gossamer.proxy.certificates import Certificates

Shown = Callable[[], Mapping[str, object]]
"""What a proxy did and does, as JSON has it."""
ENDS_SOON: Final = timedelta(days=30)  # to have another authority trusted everywhere
LOOK_SECONDS: Final = 1.0  # how soon a changed configuration is seen


def is_address(text: str) -> bool:
    """Whether somebody meant ADDR:PORT by this."""
    try:
        Address.read(text)
    except ConfigError:
        return False
    return True


@contextmanager
def bind_service(where: str | None, service: Service) -> Iterator[socket.socket | None]:
    """The socket to serve at; None where nothing is to be served."""
    if where is None:
        yield None
        return
    with bind_socket(Address.read(where or service.address).checked(service)) as ours:
        yield ours


@asynccontextmanager
async def serve_http(
    ours: socket.socket | None,
    data: DataFolder,
    answering: Answering,
    service: Service,
    tell: Sink,
    say: Callable[[str], None],
    child: ChildCrawl | None = None,
    proxy: Callable[[], Record] | None = None,
    caches: Sequence[OpenCache] = (),
) -> AsyncIterator[None]:
    """Serve the folder at a socket, if there is one, and say where."""
    if ours is None:
        yield
        return
    # For those who serve alone: it takes a quarter of the time in which a crawl is loaded.
    from gossamer.proxy.cache.clearing import drop_pages
    from gossamer.service.crawls import watched
    from gossamer.service.guard import InForce
    from gossamer.service.routes import Parts as ServiceParts
    from gossamer.web.app import application

    parts = watched(
        ServiceParts(
            data=data,
            answering=answering,
            in_force=InForce(
                data=data,
                service=service,
                settings=effective_settings(data),
                settle=settle_for(data),
                written=_written_for(data),
                is_loopback=Address(*ours.getsockname()[:2]).is_loopback,
            ),
            tell=tell,
            child=child,
            proxy=proxy,
            caches=caches,
            drop_pages=partial(drop_pages, data.proxy_cache_file),
        )
    )
    assert parts.watch is not None
    async with (
        serve_app(application(parts), ours, tell, service.max_connections),
        parts.watch.running(),
    ):
        say(f"Serving {data.path} at {url_of(ours)}")
        yield


@contextmanager
def bind_proxy(where: str | None, proxy: Proxy) -> Iterator[socket.socket | None]:
    """The socket to be a proxy at; None where there is to be none."""
    if where is None:
        yield None
        return
    with bind_socket(checked_place(Address.read(where or proxy.address), proxy)) as ours:
        yield ours


@asynccontextmanager
async def serve_proxy(
    ours: socket.socket | None,
    data: DataFolder,
    config: Config,
    permits: Permits | None,
    say: Callable[[str], None],
) -> AsyncIterator[Shown | None]:
    """Be a proxy at a socket, if there is one, and say where; gives who tells what it is at."""
    if ours is None or permits is None:
        yield None
        return
    certificates = certificates_of(data, config, say)
    for told in (told_of_cheap(config.proxy.users), told_of_exempt(config.proxy)):
        if told is not None:
            say(told)
    most = most_clients(config.proxy, say)
    config = with_at_most(config, most)
    async with AsyncExitStack() as life:
        life.enter_context(set_for_crawling())
        log = life.enter_context(closing(JsonLog(data.log_folder / "proxy", config.log)))
        # People first: what they are told may be why the log cannot be written.
        tell = life.enter_context(closing(Batch(both(HumanLog(sys.stderr), log))))
        upstreams = life.enter_context(
            closing(Upstreams(config.fetch, is_here(ours.getsockname()[1]), servers_of(config)))
        )
        cache = await life.enter_async_context(_cache(data, config))
        parts = ProxyParts(
            config=config,
            access=AccessControl(config.proxy),
            permits=permits,
            upstreams=upstreams,
            cache=cache,
            name=new_name(),
            agent=user_agent(config.politeness, __version__).encode("ascii"),
            log=tell,
            certificates=certificates,
        )
        parts.spool = SpoolRoom(data.path, lambda: parts.proxy.spool_bytes)
        await life.enter_async_context(serve_clients(parts, ours))
        following = asyncio.create_task(_follow(data, parts, most))
        life.callback(following.cancel)
        say(f"Proxy for {data.path} at {url_of(ours)}")
        permits.proxy = partial(_shown, parts, url_of(ours).removeprefix("http://"))
        permits.caches += [
            OpenCache(PAGES, cache.counters.figures, cache.clear),
            OpenCache(NAMES, upstreams.names.figures, upstreams.names.clear),
        ]
        try:
            yield permits.proxy
        finally:
            permits.proxy = None
            permits.caches.clear()


def most_clients(proxy: Proxy, say: Callable[[str], None]) -> int:
    """How many clients there is room for; people hear of it where that is less than they wish."""
    files = raise_open_files()
    most = clients_within(files, open_files())
    if most < proxy.max_connections:
        say(
            f"The system allows this process {files} open files: so {most} clients may be connected at "
            f"a time, and not {proxy.max_connections} (proxy.max_connections). To have more, raise the "
            "limit (ulimit -n) and start again."
        )
    return most


def _shown(parts: ProxyParts, address: str) -> dict[str, Any]:
    return parts.figures.record(
        address, parts.cache.counters.figures(), intercepts=parts.certificates is not None
    )


@asynccontextmanager
async def _cache(data: DataFolder, config: Config) -> AsyncIterator[Cache]:
    cache = open_cache(data.proxy_cache_file, config.proxy)
    try:
        yield cache
    finally:
        await cache.close()


def certificates_of(
    data: DataFolder, config: Config, say: Callable[[str], None]
) -> "Certificates | None":
    """What HTTPS is looked into with, if it is; raises where the authority is of no use."""
    if not config.proxy.intercept:
        return None
    from gossamer.cli.commands.ca import folder_of  # which brings cryptography with it
    from gossamer.proxy.authority import Authority
    from gossamer.proxy.certificates import Certificates

    authority = Authority.load(folder_of(data), now_utc())
    if authority.expires_at - now_utc() < ENDS_SOON:
        say(
            f"The certificate authority ends on {authority.expires_at:%Y-%m-%d}, and nobody gets to HTTPS "
            "through this proxy from then on. Make a new one, and have it trusted: "
            "gossamer ca create --anew"
        )
    return Certificates(authority)


async def _follow(data: DataFolder, parts: ProxyParts, most: int) -> None:
    """Take up what is changed at run time, whoever owns the folder."""
    settle, seen = settle_for(data), settings_look(data)
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        answer_request(data.proxy_cache_file, parts.cache)
        if (look := settings_look(data)) != seen:
            seen = look
            with suppress(GossamerError):  # which whoever changed it was told
                config = with_at_most((await asyncio.to_thread(settle, None)).config, most)
                parts.access = AccessControl(config.proxy)
                # How servers are reached is settled: connections and robots.txt go by one word.
                parts.config = replace(config, fetch=parts.config.fetch)


def settle_for(data: DataFolder) -> Settle:
    """The configuration in force for the command that runs, asked for in any thread."""
    context = click.get_current_context()

    def settle(runtime: Mapping[str, object] | None) -> Settings:
        with context.scope(cleanup=False):
            return in_force(data, runtime)

    return settle


def _written_for(data: DataFolder) -> Callable[[], Settings]:
    """The configuration by the user's file as it is now, asked for in any thread."""
    context = click.get_current_context()

    def written() -> Settings:
        with context.scope(cleanup=False):
            in_force(data)  # takes up the options of the folder's crawl
            return written_settings(data)

    return written


def proxy_handlers(permits: Permits | None) -> Handlers:
    """Handlers for questions about the proxy that these permits are for, if there is one."""

    async def shown(_: ProxyState) -> ProxyShown:
        return {"proxy": permits.shown() if permits else None}

    return Handlers().on(ProxyState, shown)


@asynccontextmanager
async def crawl_permits(client: PoliteClient, folder: FolderAnswers) -> AsyncIterator[Permits]:
    """Permits from a crawl in this process, in turn with its own requests."""
    async with own_rights(client, folder) as own:
        yield Permits(own, own)


def own_rights(client: PoliteClient, folder: FolderAnswers) -> OwnRights:
    """Rights for a proxy in the process that owns the folder."""

    async def lend(host: str, until: datetime | None) -> None:
        await folder.frontier_thread.do(folder.frontier.lend, host, until)

    return OwnRights(client.rights, lend)
