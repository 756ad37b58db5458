"""What serves as a proxy, within whatever command answers for the folder."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

import click

from gossamer import __version__
from gossamer.cli.serving import USUAL, settle_for
from gossamer.config import Config, Proxy
from gossamer.crawling.interpreter import set_for_crawling
from gossamer.data import DataFolder
from gossamer.errors import GossamerError
from gossamer.fetch.agent import user_agent
from gossamer.graph import servers_of
from gossamer.log import HumanLog, JsonLog, both
from gossamer.moments import now_utc
from gossamer.processes.open_files import open_files, raise_open_files
from gossamer.proxy.access import Door, checked_place
from gossamer.proxy.batch import Batch
from gossamer.proxy.cache.cache import open_cache
from gossamer.proxy.cache.protocol import Cache
from gossamer.proxy.figures import Figures
from gossamer.proxy.handling import Parts
from gossamer.proxy.passwords import told_of_cheap
from gossamer.proxy.permits import Permits
from gossamer.proxy.server import is_here, new_name, served
from gossamer.proxy.serving import Certificates, Serving, clients_within, with_at_most
from gossamer.proxy.upstream import Upstreams
from gossamer.service.listening import Address, bound, url_of

Shown = Callable[[], Mapping[str, object]]
"""What a proxy did and does, as JSON has it."""
ENDS_SOON: Final = timedelta(days=30)  # to have another authority trusted everywhere
LOOK_SECONDS: Final = 1.0  # how soon a changed configuration is seen
proxy_option = click.option(
    "--proxy",
    metavar="[ADDR:PORT]",
    is_flag=False,
    flag_value=USUAL,
    help="Be a polite proxy meanwhile, as `gossamer proxy` is.",
)


@contextmanager
def place_to_proxy(where: str | None, proxy: Proxy) -> Iterator[socket.socket | None]:
    """The socket to be a proxy at; None where there is to be none."""
    if where is None:
        yield None
        return
    with bound(checked_place(Address.read(where or proxy.address), proxy)) as ours:
        yield ours


@asynccontextmanager
async def proxying(
    ours: socket.socket | None,
    data: DataFolder,
    config: Config,
    permits: Permits,
    say: Callable[[str], None],
) -> AsyncIterator[Shown | None]:
    """Be a proxy at a socket, if there is one, and say where; gives who tells what it is at."""
    if ours is None:
        yield None
        return
    certificates = certificates_of(data, config, say)
    if (told := told_of_cheap(config.proxy.users)) is not None:
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
        parts = Parts(
            config=config,
            permits=permits,
            upstreams=upstreams,
            cache=cache,
            figures=Figures(),
            name=new_name(),
            agent=user_agent(config.politeness, __version__).encode("ascii"),
        )
        serving = Serving(parts, Door(config.proxy), tell, certificates)
        await life.enter_async_context(served(serving, ours))
        following = asyncio.create_task(_follow(data, serving, most))
        life.callback(following.cancel)
        say(f"Proxy for {data.path} at {url_of(ours)}")
        permits.proxy = partial(_shown, serving, url_of(ours).removeprefix("http://"))
        try:
            yield permits.proxy
        finally:
            permits.proxy = None


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


def _shown(serving: Serving, address: str) -> dict[str, Any]:
    parts = serving.parts
    return parts.figures.record(
        address, parts.cache.counters.figures(), intercepts=serving.certificates is not None
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
) -> Certificates | None:
    """What HTTPS is looked into with, if it is; raises where the authority is of no use."""
    if not config.proxy.intercept:
        return None
    from gossamer.cli.ca import folder_of  # which brings cryptography with it
    from gossamer.proxy.authority import Authority
    from gossamer.proxy.certificates import Certificates as Made

    authority = Authority.load(folder_of(data), now_utc())
    if authority.expires_at - now_utc() < ENDS_SOON:
        say(
            f"The certificate authority ends on {authority.expires_at:%Y-%m-%d}, and nobody gets to HTTPS "
            "through this proxy from then on. Make a new one, and have it trusted: "
            "gossamer ca create --anew"
        )
    return Made(authority)


async def _follow(data: DataFolder, serving: Serving, most: int) -> None:
    """Take up what is changed at run time, whoever owns the folder."""
    settle, seen = settle_for(data), _changed_at(data)
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if (changed_at := _changed_at(data)) != seen:
            seen = changed_at
            with suppress(GossamerError):  # which whoever changed it was told
                config = with_at_most((await asyncio.to_thread(settle, None)).config, most)
                serving.door = Door(config.proxy)
                # How servers are reached is settled: connections and robots.txt go by one word.
                serving.parts.config = replace(config, fetch=serving.parts.config.fetch)


def _changed_at(data: DataFolder) -> int:
    try:
        return data.runtime_file.stat().st_mtime_ns
    except OSError:
        return 0
