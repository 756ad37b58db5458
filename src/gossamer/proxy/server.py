"""The proxy at its socket, within an event loop that is somebody else's."""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address

from gossamer.events import ProxyFull
from gossamer.fetch.connect_to import Endpoint
from gossamer.http.listening import NO_ROOM, listen
from gossamer.proxy.connection import ClientConnection
from gossamer.proxy.serving import Serving


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
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))  # which only addresses of our own allow
    except OSError as error:
        return error.errno in NO_ROOM  # where nobody can tell, nothing is sent
    return True


@asynccontextmanager
async def served(serving: Serving, ours: socket.socket) -> AsyncIterator[None]:
    """Serve clients at a socket until the block ends."""
    parts = serving.parts
    listening = listen(
        lambda: ClientConnection(serving),
        ours,
        serving.connections,
        lambda message: serving.tell(ProxyFull(message=message)),
        parts.upstreams.sweep,
    )
    try:
        async with listening:
            yield
    finally:
        for connection in [*serving.connections]:
            await connection.end()
        for task in parts.refreshing:
            task.cancel()
        await asyncio.gather(*parts.refreshing, return_exceptions=True)
