"""A server on loopback that answers exactly the bytes it is told to, well or badly."""

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from tests.slowness import patience

from gossamer.config import Fetch
from gossamer.fetch.http import HttpFetcher
from gossamer.model import Failed, Fetched, Url

AGENT = "gossamer/0.1 (+https://example.org/bot)"
PAGE = Url("http://site.test/page")
QUICK = Fetch(
    connect_timeout=timedelta(seconds=patience(10)),
    first_byte_timeout=timedelta(seconds=patience(10)),
    total_timeout=timedelta(seconds=patience(20)),
    low_speed_bytes=0,
)
"""Limits that no answer of a healthy test meets."""


class Conversation:
    """One connection, seen from the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.request = b""

    async def hear(self) -> bool:
        """Read the next request; False when the client has hung up."""
        try:
            self.request = await self._reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return False
        return True

    async def read(self, count: int) -> bytes:
        return await self._reader.readexactly(count)

    async def say(self, answer: bytes) -> None:
        self._writer.write(answer)
        await self._writer.drain()

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on what the client says, and back what it is told, until either is done."""
        ways = [_pour(self._reader, writer), _pour(reader, self._writer)]
        await asyncio.wait(map(asyncio.ensure_future, ways), return_when="FIRST_COMPLETED")

    async def client_gone(self) -> None:
        """Wait until the client closes its side, whatever it still sends."""
        with suppress(ConnectionError):
            while await self._reader.read(65536):
                pass

    async def client_reset(self) -> bool:
        """Wait until the client closes its side; whether that dropped what was not delivered yet."""
        try:
            while await self._reader.read(65536):
                pass
        except ConnectionResetError:
            return True
        return False

    def hang_up(self) -> None:
        self._writer.close()

    def reset(self) -> None:
        """Close so that the client sees a reset, not an end."""
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while some := await reader.read(65536):
        writer.write(some)


Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Script = Callable[[Conversation], Awaitable[None]]


@dataclass
class Server:
    """What a running server has seen."""

    port: int = 0
    connections: int = 0
    requests: list[bytes] = field(default_factory=list)

    def fetch(self, limits: Fetch = QUICK, **more: Any) -> Fetch:
        """Configuration that leads every test host here."""
        return replace(limits, connect_to=(f"*.test=127.0.0.1:{self.port}",), **more)


@asynccontextmanager
async def serving(
    script: Script,
    tls: ssl.SSLContext | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
) -> AsyncIterator[Server]:
    """Serve, on a free port; the script answers each request of each connection."""
    seen = Server()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.connections += 1
        conversation = Conversation(reader, writer)
        with suppress(ConnectionError):  # the client left
            while not writer.is_closing() and await conversation.hear():
                seen.requests.append(conversation.request)
                await script(conversation)

    async with listening(talk, tls, host=host, port=port) as seen.port:
        yield seen


@asynccontextmanager
async def listening(
    talk: Talk, tls: ssl.SSLContext | None = None, *, host: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[int]:
    """A server that talks so to everybody, and hangs up on them at its end; its port."""
    talks = set[asyncio.Task[Any]]()

    async def to_the_end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.add(asyncio.current_task())  # type: ignore[arg-type]  # a coroutine has a task
        try:
            await talk(reader, writer)
        except asyncio.CancelledError:
            pass  # the test is over
        finally:
            writer.close()
            with suppress(ConnectionError, ssl.SSLError, asyncio.CancelledError):
                await writer.wait_closed()

    server = await asyncio.start_server(to_the_end, host, port, ssl=tls, backlog=2048)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        for _ in range(10):  # who is being let in would be lost by a server that closes
            await asyncio.sleep(0)
        server.close()
        for each in talks:
            each.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


def answering(*pieces: bytes, then: str = "hang up") -> Script:
    """Say these pieces, then hang up, reset, keep the connection, or say nothing more."""

    async def script(conversation: Conversation) -> None:
        for piece in pieces:
            await conversation.say(piece)
            await asyncio.sleep(0)
        match then:
            case "hang up":
                conversation.hang_up()
            case "reset":
                await conversation.say(b"")
                await asyncio.sleep(0.05)  # else the reset overtakes what was said
                conversation.reset()
            case "hang":
                await conversation.client_gone()

    return script


def ok(body: bytes, *headers: bytes) -> bytes:
    """A healthy answer."""
    lines = (b"HTTP/1.1 200 OK", b"Content-Length: %d" % len(body), *headers)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def ask(script: Script, limits: Fetch = QUICK, url: Url = PAGE, **get: Any) -> Fetched | Failed:
    """What a fetcher makes of a server's answer."""

    async def run() -> Fetched | Failed:
        async with serving(script) as server, HttpFetcher(server.fetch(limits), AGENT) as http:
            return await http.get(url, **get)

    return asyncio.run(run())


def answered(outcome: Fetched | Failed) -> Fetched:
    assert isinstance(outcome, Fetched), outcome
    return outcome


def failure(outcome: Fetched | Failed) -> Failed:
    assert isinstance(outcome, Failed), outcome
    return outcome
