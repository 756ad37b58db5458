"""Where the service listens, and the server that does: within an event loop that is somebody else's."""

import contextlib
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final

from starlette.types import ASGIApp

from gossamer.config import Service
from gossamer.errors import ConfigError, GossamerError
from gossamer.events import ServiceFull
from gossamer.http.asgi import AsgiServer
from gossamer.http.connections import Bounds
from gossamer.http.listening import listen
from gossamer.http.throttle import Throttle
from gossamer.log import Sink
from gossamer.service.errors import fault_of
from gossamer.service.guard import is_loopback
from gossamer.service.protocol import last_problem

BACKLOG: Final = 512
MOST_CONNECTIONS: Final = Service().max_connections
HEAD_SECONDS: Final = 20.0  # for all of a request but its body
IDLE_SECONDS: Final = 30.0  # between two requests
STALL_SECONDS: Final = 60.0  # for a client that takes nothing of its answer
END_SECONDS: Final = 3.0  # for what is being answered when we close
_ADDRESS: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:/\[\]]*)):(\d{1,5})", re.ASCII)


class ListenError(GossamerError):
    """We cannot listen there; says why, and what can be done."""


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
        """This, if whoever gets there may be let in; raises `ConfigError`."""
        if not self.is_loopback and not service.token:
            raise ConfigError(
                f"Others than this machine get to {self.host}, so whoever asks has to send a token: "
                "set one with GOSSAMER_SERVICE_TOKEN or --token, or listen on 127.0.0.1."
            )
        return self


def url_of(bound: socket.socket) -> str:
    """The address of a socket, for a browser."""
    host, port = bound.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


@contextmanager
def bound(address: Address) -> Iterator[socket.socket]:
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


@asynccontextmanager
async def served(
    app: ASGIApp, ours: socket.socket, tell: Sink = lambda _: None, most: int = MOST_CONNECTIONS
) -> AsyncIterator[None]:
    """Serve an app at a socket until the block ends."""
    throttle = Throttle()

    def tell_fault(error: Exception) -> None:
        if throttle.admits(type(error).__name__):
            tell(fault_of("connection", error))

    bounds = Bounds(most, HEAD_SECONDS, IDLE_SECONDS, STALL_SECONDS)
    server = AsgiServer(app, bounds, last_problem, tell_fault)
    try:
        async with listen(
            server.connect,
            ours,
            server.connections,
            lambda message: tell(ServiceFull(message=message)),
        ):
            yield
    finally:
        await server.end(END_SECONDS)


def _cannot(address: Address, error: OSError) -> ListenError:
    return ListenError(
        f"{address.host}:{address.port} cannot be listened on: {error.strerror or error}. "
        "Choose another place (ADDR:PORT; port 0 takes any)."
    )
