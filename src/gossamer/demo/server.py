"""A world on a loopback port: one process, HTTP/1.1 with keep-alive, picked by `Host`.

The server decides nothing: `lookup` says what lives at an address, `answers` and
`exchange` what is sent. All it remembers is how often each address of a busy host was
asked, so that 429 and 503 can give way; a new server starts counting anew.
"""

import asyncio
import contextlib
import socket
import struct
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httptools

from gossamer.demo.accesslog import Access
from gossamer.demo.answers import Served, answer_for
from gossamer.demo.exchange import Request, response
from gossamer.demo.lookup import resource_at
from gossamer.demo.resources import Broken, Busy, End, Pause, Speed, Step
from gossamer.demo.world import World

LOOPBACK = "127.0.0.1"
TRICKLES = 20  # pieces of a body that comes slowly
PIECE_BYTES = 64 * 1024  # of a large body, sent as the client reads
PAUSE_SECONDS = 0.01  # between two looks whether a client is still there
_BACKLOG = 1024
# Unix time that never jumps, even if somebody sets the machine's clock.
_CLOCK_START = time.time() - time.monotonic()


def now() -> float:
    """Seconds since 1970."""
    return _CLOCK_START + time.monotonic()


@dataclass(frozen=True, slots=True)
class Running:
    """A running demo server."""

    world: World
    address: str  # "127.0.0.1:PORT"
    log: list[Access] = field(repr=False)  # empty if requests are logged elsewhere


@contextlib.asynccontextmanager
async def serve(
    world: World, port: int = 0, log: Callable[[Access], None] | None = None
) -> AsyncIterator[Running]:
    """Serve a world on loopback until the block ends; port 0 takes any free one."""
    accesses: list[Access] = []
    shared = _Shared(world, log or accesses.append)
    server = await asyncio.get_running_loop().create_server(
        lambda: _Connection(shared), LOOPBACK, port, backlog=_BACKLOG
    )
    try:
        bound: int = server.sockets[0].getsockname()[1]
        yield Running(world, f"{LOOPBACK}:{bound}", accesses)
    finally:
        server.close()
        await shared.stop()


@dataclass(slots=True)
class _Shared:
    """What all connections of one server have in common."""

    world: World
    log: Callable[[Access], None]
    # Not a TaskGroup: it would wrap whatever the caller's own block raises.
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)  # of busy addresses
    connections: "set[_Connection]" = field(default_factory=set)

    def answer(self, request: Request) -> Served | Broken:
        if request.method not in ("GET", "HEAD"):
            return Served(405, b"405 Method Not Allowed\n", (("Allow", "GET, HEAD"),))
        host, path = request.host, request.path
        resource = resource_at(self.world, host, path)
        asked_before = self.asked[host, path]
        if isinstance(resource, Busy):
            self.asked[host, path] += 1
        return answer_for(self.world, resource, asked_before, datetime.now(UTC))

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def stop(self) -> None:
        for connection in list(self.connections):
            connection.abort()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


class _Connection(asyncio.Protocol):
    """One client: requests are answered one after the other, in the order they came."""

    def __init__(self, shared: _Shared) -> None:
        self._shared = shared
        self._parser = httptools.HttpRequestParser(self)
        self._request = Request(arrived=0)
        self._waiting: deque[Request] = deque()
        self._busy: Request | None = None
        self._sent = 0
        self._status = 0
        self._there_at = 0.0  # when the client was there for certain
        self._task: asyncio.Task[None] | None = None
        self._writable = asyncio.Event()
        self._writable.set()

    # ---- called by asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        # Pause as soon as bytes are left over: a piece is sent when the one before has gone.
        transport.set_write_buffer_limits(high=0)
        self._shared.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._shared.connections.discard(self)
        self._writable.set()
        if self._task is not None:
            self._task.cancel()
        if self._busy is not None:
            self._log(self._busy, self._there_at)  # on a busy machine we hear late that it left

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            # "Upgrade: h2c" was answered in HTTP/1.1, which says no to it.
            self._parser = httptools.HttpRequestParser(self)
            self.data_received(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self._transport.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            self._transport.close()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def abort(self) -> None:
        """Drop the connection at once."""
        self._transport.abort()

    # ---- called by the parser

    def on_message_begin(self) -> None:
        self._request = Request(arrived=now())

    def on_url(self, url: bytes) -> None:
        self._request.target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._request.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_message_complete(self) -> None:
        self._request.method = self._parser.get_method().decode("latin-1")
        self._request.keep_alive = self._parser.should_keep_alive()
        self._waiting.append(self._request)
        self._next()

    # ---- answering

    def _next(self) -> None:
        while self._waiting and self._busy is None and not self._transport.is_closing():
            self._busy, self._sent, self._status = self._waiting.popleft(), 0, 0
            self._there_at = self._busy.arrived
            self._answer(self._busy)

    def _answer(self, request: Request) -> None:
        answer = self._shared.answer(request)
        if isinstance(answer, Broken):
            self._play(request, 200, answer.steps)
            return
        status, head, body = response(request, answer)
        if answer.speed is Speed.AT_ONCE and len(body) <= PIECE_BYTES:
            self._status, self._sent, ended = status, len(head) + len(body), now()
            self._transport.write(head + body)
            self._done(request, ended)
        else:
            self._play(request, status, _pieces(answer.speed, head, body, self._shared.world))

    def _done(self, request: Request, ended: float) -> None:
        self._log(request, ended)
        self._busy = None
        if not request.keep_alive:
            self._transport.close()

    def _log(self, request: Request, ended: float) -> None:
        self._shared.log(
            Access(
                arrived=request.arrived,
                ended=ended,
                method=request.method,
                host=request.host,
                path=request.path,
                agent=request.agent,
                status=self._status,
                bytes=self._sent,
            )
        )

    def _play(self, request: Request, status: int, steps: Iterable[Step]) -> None:
        self._task = self._shared.start(self._played(request, status, steps))

    async def _played(self, request: Request, status: int, steps: Iterable[Step]) -> None:
        for step in steps:
            await self._writable.wait()
            await self._hear()
            match step:
                case bytes():
                    self._status, self._sent = status, self._sent + len(step)
                    self._transport.write(step)
                case Pause(seconds):
                    await self._pause(now() + seconds)
                case End():
                    request.keep_alive = False
                    self._prepare(step)
        self._task = None
        self._done(request, self._there_at)
        self._next()

    async def _pause(self, end: float) -> None:
        while (left := end - now()) > 0:
            await asyncio.sleep(min(left, PAUSE_SECONDS))
            await self._hear()

    async def _hear(self) -> None:
        """Go on only while the client is there: had it left before this moment, we are cancelled."""
        moment = now()
        for _ in range(3):  # the loop looks, tells the transport, and the transport tells us
            await asyncio.sleep(0)
        self._there_at = moment

    def _prepare(self, end: End) -> None:
        if end is End.RESET:
            no_linger = struct.pack("ii", 1, 0)  # closing then sends a reset
            link = self._transport.get_extra_info("socket")
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, no_linger)


def _pieces(speed: Speed, head: bytes, body: bytes, world: World) -> Iterator[Step]:
    if speed is Speed.LATE:
        yield Pause(world.slow_seconds)
    yield head
    size = len(body) // TRICKLES + 1 if speed is Speed.TRICKLE else PIECE_BYTES
    for start in range(0, len(body), size):
        if speed is Speed.TRICKLE:
            yield Pause(world.slow_seconds / TRICKLES)
        yield body[start : start + size]
