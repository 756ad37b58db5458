"""Listening: the address as a user writes it, the names it is asked by, the socket, and the loop that accepts clients."""

import asyncio
import contextlib
import errno
import ipaddress
import re
import socket
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from gossamer.config import Service
from gossamer.errors import ConfigError, GossamerError
from gossamer.http.connection import ServerConnection

BACKLOG: Final = 1024
# Where there is no room, each failure has the event loop try again a second later: several at a
# time would become more and more.
ACCEPTED_AT_ONCE: Final = 1
SWEEP_SECONDS: Final = 1.0
TELL_AGAIN_SECONDS: Final = 60.0
NO_ROOM: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_ADDRESS: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:/\[\]]*)):(\d{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> "Address":
        """`ADDR:PORT`, `:PORT` or `PORT`; an IPv6 address stands in brackets."""
        found = _ADDRESS.fullmatch(f":{text}" if text.isdecimal() else text)
        if found is None or int(found[3]) > 65535:
            raise ConfigError(
                f"{text!r} is no place to listen; write ADDR:PORT, such as 127.0.0.1:8717."
            )
        return cls(found[1] or found[2] or "127.0.0.1", int(found[3]))

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine gets there."""
        return is_loopback(self.host)

    def checked(self, service: Service) -> "Address":
        """The address, if it is safe to listen there; raises `ConfigError` where others need a token."""
        if not self.is_loopback and not service.token:
            raise ConfigError(
                f"Others than this machine get to {self.host}, so whoever asks has to send a token: "
                "set one with GOSSAMER_SERVICE_TOKEN or --token, or listen on 127.0.0.1."
            )
        return self


class ListenError(GossamerError):
    """We cannot listen there; says why, and what can be done."""


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches an address, or the name `localhost`."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


@contextmanager
def bind_socket(address: Address) -> Iterator[socket.socket]:
    """A socket that is ours, there; port 0 takes any that is free."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # With its protocol by name: else asyncio leaves Nagle's delay on, 40 ms for each answer.
        ours = socket.socket(family, kind, protocol)
    except OSError as error:
        raise _cannot(address, error) from None
    with contextlib.closing(ours):
        try:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            ours.bind(place)
            ours.listen(BACKLOG)
        except OSError as error:
            raise _cannot(address, error) from None
        yield ours


def url_of(bind_socket: socket.socket) -> str:
    """The address of a socket, for a browser."""
    host, port = bind_socket.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


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
        # A client that was accepted just now becomes a connection first: asyncio would lose it.
        asyncio.get_running_loop().remove_reader(ours)
        await asyncio.sleep(0)
        server.close()
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping


@contextmanager
def complain_rarely(tell_full: Callable[[str], None]) -> Iterator[None]:
    """Report once a minute that no client can be accepted; the event loop would report each try."""
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


def _cannot(address: Address, error: OSError) -> ListenError:
    return ListenError(
        f"{address.host}:{address.port} cannot be listened on: {error.strerror or error}. "
        "Choose another place (ADDR:PORT; port 0 takes any)."
    )


def own_name(host: str, listed: Iterable[str]) -> str | None:
    """The name in a Host field, without its port, if it is ours; None for anybody else's.

    The name of another site can be made to lead to this machine (DNS rebinding), and then its pages could
    read what we answer. No site goes by an address or by localhost; `listed` are names that the user gave us.
    """
    name = _asked_name(host)
    if name is None:
        return None
    if name == "localhost" or name.endswith(".localhost") or _is_address(name):
        return name
    return name if name in {each.lower().rstrip(".") for each in listed} else None


def _asked_name(host: str) -> str | None:
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if not parts.hostname or parts.path or parts.query or parts.fragment or parts.username:
        return None
    return parts.hostname.lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
