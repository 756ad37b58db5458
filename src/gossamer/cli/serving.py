"""What serves a folder over HTTP, within whatever command answers for it."""

import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import click

from gossamer.changing import Settle
from gossamer.cli.folder import in_force
from gossamer.config import Service
from gossamer.data import DataFolder
from gossamer.errors import ConfigError
from gossamer.log import Sink
from gossamer.owner.messages import Answering, Record
from gossamer.service.child_crawl import ChildCrawl
from gossamer.service.listening import Address, bound, served, url_of
from gossamer.settings import Settings

USUAL: Final = ""  # the place that the configuration names


def looks_like_a_place(text: str) -> bool:
    """Whether somebody meant ADDR:PORT by this."""
    try:
        Address.read(text)
    except ConfigError:
        return False
    return True


@contextmanager
def place_to_serve(where: str | None, service: Service) -> Iterator[socket.socket | None]:
    """The socket to serve at; None where nothing is to be served."""
    if where is None:
        yield None
        return
    with bound(Address.read(where or service.address).checked(service)) as ours:
        yield ours


@asynccontextmanager
async def serving(
    ours: socket.socket | None,
    data: DataFolder,
    answering: Answering,
    service: Service,
    tell: Sink,
    say: Callable[[str], None],
    child: ChildCrawl | None = None,
    proxy: Callable[[], Record] | None = None,
) -> AsyncIterator[None]:
    """Serve the folder at a socket, if there is one, and say where."""
    if ours is None:
        yield
        return
    # For those who serve alone: it takes a quarter of the time in which a crawl is loaded.
    from gossamer.service.app import application
    from gossamer.service.crawls import watched
    from gossamer.service.in_force import InForce
    from gossamer.service.routes import Parts

    parts = watched(
        Parts(
            data=data,
            answering=answering,
            in_force=InForce(
                data=data,
                service=service,
                settle=settle_for(data),
                is_loopback=Address(*ours.getsockname()[:2]).is_loopback,
            ),
            tell=tell,
            child=child,
            proxy=proxy,
        )
    )
    assert parts.watch is not None
    async with (
        served(application(parts), ours, tell, service.max_connections),
        parts.watch.running(),
    ):
        say(f"Serving {data.path} at {url_of(ours)}")
        yield


def settle_for(data: DataFolder) -> Settle:
    """The configuration in force for the command that runs, asked for in any thread."""
    context = click.get_current_context()

    def settle(runtime: Mapping[str, object] | None) -> Settings:
        with context.scope(cleanup=False):
            return in_force(data, runtime)

    return settle
