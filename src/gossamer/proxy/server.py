"""The proxy at its socket, within an event loop that is somebody else's."""

import asyncio
import secrets
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address

from gossamer.fetch.connect_to import Endpoint
from gossamer.proxy.connection import ClientConnection
from gossamer.proxy.serving import Serving

BACKLOG = 1024
SWEEP_SECONDS = 1.0


def new_name() -> bytes:
    """What we are called in Via: nobody else is called so."""
    return b"gossamer-" + secrets.token_hex(4).encode()


def is_here(port: int) -> Callable[[Endpoint], bool]:
    """Whether an address is this machine's, at a port where we listen ourselves."""

    def is_ours(endpoint: Endpoint) -> bool:
        return endpoint.port == port and _is_this_machine(str(endpoint.address))

    return is_ours


def _is_this_machine(address: str) -> bool:
    if ip_address(address).is_loopback:
        return True
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))  # which only addresses of our own allow
        except OSError:
            return False
    return True


@asynccontextmanager
async def served(serving: Serving, ours: socket.socket) -> AsyncIterator[None]:
    """Serve clients at a socket until the block ends."""
    server = await asyncio.get_running_loop().create_server(
        lambda: ClientConnection(serving), sock=ours, backlog=BACKLOG
    )
    sweeping = asyncio.create_task(_sweep(serving))
    try:
        yield
    finally:
        server.close()
        sweeping.cancel()
        for connection in [*serving.connections]:
            await connection.end()
        for task in (*serving.parts.refreshing, sweeping):
            task.cancel()
        await asyncio.gather(*serving.parts.refreshing, sweeping, return_exceptions=True)


async def _sweep(serving: Serving) -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        now = time.monotonic()
        for connection in [*serving.connections]:
            connection.look(now)
        serving.parts.upstreams.sweep()
