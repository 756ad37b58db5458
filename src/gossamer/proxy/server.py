"""The proxy at its socket, within an event loop that is somebody else's; how many clients there is room for."""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from ipaddress import ip_address
from typing import Final

from gossamer.config import Config
from gossamer.events import ProxyFull
from gossamer.fetch.connect_to import Endpoint
from gossamer.http.listening import NO_ROOM, listen
from gossamer.proxy.connection import ClientConnection
from gossamer.proxy.handling import ProxyParts

# For databases, logs and processes, for looking up names, and for a crawl beside us.
FILES_OF_OTHERS: Final = 192
LOOK_SECONDS: Final = 0.05


@asynccontextmanager
async def serve_clients(parts: ProxyParts, ours: socket.socket) -> AsyncIterator[None]:
    """Serve clients at a socket until the block ends."""
    listening = listen(
        lambda: ClientConnection(parts),
        ours,
        parts.connections,
        lambda message: parts.log(ProxyFull(message=message)),
        parts.upstreams.sweep,
    )
    try:
        async with listening:
            yield
    finally:
        try:
            await _drain(parts)
        finally:
            for connection in [*parts.connections]:
                await connection.end()
        for task in parts.refreshing:
            task.cancel()
        await asyncio.gather(*parts.refreshing, return_exceptions=True)


async def _drain(parts: ProxyParts) -> None:
    """Tell those who wait that nothing comes, and give answers under way some time."""
    parts.is_ending = True
    for connection in [*parts.connections]:
        connection.wind_down()
    with suppress(TimeoutError):
        async with asyncio.timeout(parts.proxy.drain_time.total_seconds()):
            while parts.connections:  # noqa: ASYNC110 (each ends by itself)
                await asyncio.sleep(LOOK_SECONDS)


def new_name() -> bytes:
    """A random name for the Via field, by which a loop is recognised."""
    return b"gossamer-" + secrets.token_hex(4).encode()


def is_here(port: int) -> Callable[[Endpoint], bool]:
    """Whether an address is this machine's, at a port where we listen ourselves."""

    def is_ours(endpoint: Endpoint) -> bool:
        return endpoint.port == port and _is_this_machine(str(endpoint.address))

    return is_ours


def clients_within(files: int, taken: int) -> int:
    """How many clients fit within the limit on open files, given how many are open.

    Each may want a server of its own, which is another.
    """
    left = files - taken - min(FILES_OF_OTHERS, files // 4)
    return max(left // 2, 1)


def with_at_most(config: Config, clients: int) -> Config:
    """The configuration with no more clients than that."""
    most = min(config.proxy.max_connections, clients)
    return replace(config, proxy=replace(config.proxy, max_connections=most))


def _is_this_machine(address: str) -> bool:
    if ip_address(address).is_loopback:
        return True
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))  # which only addresses of our own allow
    except OSError as error:
        return error.errno in NO_ROOM  # where nobody can tell, nothing is sent
    return True
