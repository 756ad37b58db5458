"""The server of the service, within an event loop that is somebody else's.

Clients whom no route answers hear a last word in the shape of all errors: for what is no HTTP, comes late or
finds no room.
"""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from starlette.types import ASGIApp

from gossamer.config import Service
from gossamer.events import ServiceFull
from gossamer.http.asgi import AsgiServer
from gossamer.http.connection import Bounds
from gossamer.http.listening import listen
from gossamer.http.throttle import Throttle
from gossamer.http.wire.fields import Malformed
from gossamer.log import Sink
from gossamer.service.errors import ProblemError, fault_of
from gossamer.service.guard import HEADERS

MOST_CONNECTIONS: Final = Service().max_connections
HEAD_SECONDS: Final = 20.0  # for all of a request but its body
IDLE_SECONDS: Final = 30.0  # between two requests
STALL_SECONDS: Final = 60.0  # for a client that takes nothing of its answer
END_SECONDS: Final = 3.0  # for what is being answered when we close


@dataclass(frozen=True, slots=True)
class LastProblem:
    """A problem in the shape of all errors, as bytes."""

    status: int
    why: str
    block: bytes
    body: bytes


def last_problem(bad: Malformed) -> LastProblem:
    """What is wrong with bytes that should have been a request."""
    status = 400 if bad.status == 414 else bad.status  # as for any other parameter that is too long
    code = {408: "too-slow", 500: "our-fault", 503: "busy"}.get(status, "bad-request")
    again = {"Retry-After": "1"} if status == 503 else None
    response = ProblemError(status, code, bad.why, again).response()
    told = {**HEADERS, **response.headers}
    block = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    return LastProblem(status, bad.why, block.encode("latin-1"), bytes(response.body))


@asynccontextmanager
async def serve_app(
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
