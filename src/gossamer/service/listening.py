"""Where the service listens, and the server that does: within an event loop that is somebody else's."""

import asyncio
import contextlib
import logging
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from gossamer.config import Service
from gossamer.errors import ConfigError, GossamerError
from gossamer.service.guard import is_loopback
from gossamer.service.protocol import ServiceProtocol

BACKLOG: Final = 512
KEEP_ALIVE_SECONDS: Final = 30
END_SECONDS: Final = 3  # for what is being answered when we close
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
async def served(app: ASGIApp, ours: socket.socket) -> AsyncIterator[None]:
    """Serve an app at a socket until the block ends."""
    config = uvicorn.Config(
        app,
        http=ServiceProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the guard knows whom to believe
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=END_SECONDS,
    )
    # What goes wrong in our handlers is told as an event; that somebody left is no news.
    logging.getLogger("uvicorn.error").disabled = True
    server = _Server(config)
    running = asyncio.create_task(server.serve([ours]))
    try:
        yield
    finally:
        server.should_exit = True
        await running


class _Server(uvicorn.Server):
    """A server that leaves signals to whoever runs the event loop."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _cannot(address: Address, error: OSError) -> ListenError:
    return ListenError(
        f"{address.host}:{address.port} cannot be listened on: {error.strerror or error}. "
        "Choose another place (ADDR:PORT; port 0 takes any)."
    )
