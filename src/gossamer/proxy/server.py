"""The proxy at its socket, within an event loop that is somebody else's."""

import asyncio
import errno
import secrets
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_address
from typing import Any, Final

from gossamer.events import ProxyFull
from gossamer.fetch.connect_to import Endpoint
from gossamer.log import Sink
from gossamer.proxy.connection import ClientConnection
from gossamer.proxy.serving import Serving

BACKLOG = 1024
# Where there is no room, each failure has the event loop try again a second later: several at a
# time would become more and more.
ACCEPTED_AT_ONCE: Final = 1
SWEEP_SECONDS = 1.0
TELL_AGAIN_SECONDS: Final = 60.0
_NO_ROOM: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


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
        return error.errno in _NO_ROOM  # where nobody can tell, nothing is sent
    return True


@asynccontextmanager
async def served(serving: Serving, ours: socket.socket) -> AsyncIterator[None]:
    """Serve clients at a socket until the block ends."""
    server = await asyncio.get_running_loop().create_server(
        lambda: ClientConnection(serving), sock=ours, backlog=ACCEPTED_AT_ONCE
    )
    ours.listen(BACKLOG)
    sweeping = asyncio.create_task(_sweep(serving))
    try:
        with _calm(serving.tell):
            yield
    finally:
        server.close()
        sweeping.cancel()
        for connection in [*serving.connections]:
            await connection.end()
        for task in (*serving.parts.refreshing, sweeping):
            task.cancel()
        await asyncio.gather(*serving.parts.refreshing, sweeping, return_exceptions=True)


@contextmanager
def _calm(tell: Sink) -> Iterator[None]:
    """Have people hear now and then that nobody can be let in; the event loop tells each time."""
    loop, told_at = asyncio.get_running_loop(), -TELL_AGAIN_SECONDS
    before = loop.get_exception_handler()

    def hear(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal told_at
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in _NO_ROOM and "socket" in context:
            if loop.time() - told_at >= TELL_AGAIN_SECONDS:
                told_at = loop.time()
                tell(ProxyFull(message=error.strerror or str(error)))
        elif before is not None:
            before(loop, context)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(hear)
    try:
        yield
    finally:
        loop.set_exception_handler(before)


async def _sweep(serving: Serving) -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        now = time.monotonic()
        for connection in [*serving.connections]:
            connection.look(now)
        serving.parts.upstreams.sweep()
