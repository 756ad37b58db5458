"""A server at its socket, within an event loop that is somebody else's."""

import asyncio
import errno
import socket
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Final

from gossamer.http.connection import ServerConnection

BACKLOG: Final = 1024
# Where there is no room, each failure has the event loop try again a second later: several at a
# time would become more and more.
ACCEPTED_AT_ONCE: Final = 1
SWEEP_SECONDS: Final = 1.0
TELL_AGAIN_SECONDS: Final = 60.0
NO_ROOM: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


@asynccontextmanager
async def listen(
    make: Callable[[], ServerConnection],
    ours: socket.socket,
    connections: Collection[ServerConnection],
    tell_full: Callable[[str], None],
    sweep: Callable[[], None] = lambda: None,
) -> AsyncIterator[None]:
    """Accept clients until the block ends, and look after them; those who are left are the caller's."""
    server = await asyncio.get_running_loop().create_server(
        make, sock=ours, backlog=ACCEPTED_AT_ONCE
    )
    ours.listen(BACKLOG)
    sweeping = asyncio.create_task(_sweep(connections, sweep))
    try:
        with complain_rarely(tell_full):
            yield
    finally:
        server.close()
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping


@contextmanager
def complain_rarely(tell_full: Callable[[str], None]) -> Iterator[None]:
    """Have people hear now and then that nobody can be let in; the event loop tells each time."""
    loop, told_at = asyncio.get_running_loop(), -TELL_AGAIN_SECONDS
    before = loop.get_exception_handler()

    def hear(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal told_at
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in NO_ROOM and "socket" in context:
            if loop.time() - told_at >= TELL_AGAIN_SECONDS:
                told_at = loop.time()
                tell_full(error.strerror or str(error))
        elif before is not None:
            before(loop, context)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(hear)
    try:
        yield
    finally:
        loop.set_exception_handler(before)


async def _sweep(connections: Collection[ServerConnection], sweep: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        now = time.monotonic()
        for connection in [*connections]:
            connection.look(now)
        sweep()
