"""A proxy on a real folder before a small server, and a client that writes bytes as it likes."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from tests.proxy.origin import Origin, origin
from tests.slowness import patience

from gossamer.cli.own_folder import keeping_client
from gossamer.config import Config, Fetch, Politeness, Proxy
from gossamer.events import Event
from gossamer.fetch.route import Router
from gossamer.folder.data import DataFolder
from gossamer.http.listening import Address, bind_socket
from gossamer.proxy.access import AccessControl
from gossamer.proxy.cache.none import NoCache
from gossamer.proxy.cache.protocol import Cache
from gossamer.proxy.certificates import Certificates
from gossamer.proxy.handling import ProxyParts
from gossamer.proxy.permits import Denied, OwnRights, Permit, Permits, Wish
from gossamer.proxy.server import is_here, new_name, serve_clients
from gossamer.proxy.spool import NO_SPOOL, SpoolRoom
from gossamer.proxy.upstream import Upstreams
from gossamer.sending.client import PoliteClient
from gossamer.sending.hosts.kept import Keeper

T = TypeVar("T")
NO_DELAY = Politeness(delay=timedelta(0), contact="me@example.org")
SOON = patience(60)  # seconds, after which a test has failed: many, for a machine may be busy
LATEST = patience(110)  # the same for answers, which may have to wait for their turn


class Nobody:
    """Another process that owns the folder, and is not there."""

    async def ask(self, wish: Wish) -> Permit | Denied:
        return Denied("away", "Nobody is there.")


@dataclass(slots=True)
class Reply:
    """An answer as a client reads it."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class Client:
    """One connection to the proxy."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def get(self, url: str, *headers: str, method: str = "GET") -> Reply:
        host = url.partition("://")[2].partition("/")[0]
        lines = "".join(f"{line}\r\n" for line in headers)
        await self.send(f"{method} {url} HTTP/1.1\r\nHost: {host}\r\n{lines}\r\n".encode())
        return await self.reply(is_head=method == "HEAD")

    async def reply(self, *, is_head: bool = False) -> Reply:
        async with asyncio.timeout(LATEST):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            line, *rest = head.rstrip("\r\n").split("\r\n")
            headers = {
                name.lower(): value for name, _, value in (each.partition(": ") for each in rest)
            }
            status = int(line.split(" ")[1])
            if is_head or status in (204, 304) or status < 200:
                return Reply(status, headers, b"")
            return Reply(status, headers, await self._body(headers))

    async def _body(self, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return await self.reader.readexactly(int(headers["content-length"]))
        if headers.get("transfer-encoding") != "chunked":
            return await self.reader.read()
        pieces = []
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            pieces.append((await self.reader.readexactly(size + 2))[:-2])
        assert await self.reader.readexactly(2) == b"\r\n", "a trailer came through"
        return b"".join(pieces)

    async def is_closed(self) -> bool:
        """Whether the proxy has said all."""
        async with asyncio.timeout(SOON):
            return await self.reader.read(1) == b""

    def close(self) -> None:
        self.writer.close()


@dataclass(slots=True)
class Proxied:
    """A proxy that is running, and the server behind it."""

    web: Origin
    parts: ProxyParts
    client: PoliteClient
    keeper: Keeper
    port: int
    events: list[Event] = field(default_factory=list)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Client]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        client = Client(reader, writer)
        try:
            yield client
        finally:
            client.close()

    def lose_the_way(self) -> None:
        """From now on no name leads to the server."""
        self.parts.upstreams._router = Router(self.parts.upstreams._resolver, (), ())

    async def get(self, url: str, *headers: str, method: str = "GET") -> Reply:
        """One request on a connection of its own."""
        async with self.connected() as client:
            return await client.get(url, *headers, method=method)

    async def raw(self, data: bytes) -> Reply:
        async with self.connected() as client:
            await client.send(data)
            return await client.reply()


@asynccontextmanager
async def running(
    folder: Path,
    proxy: Proxy | None = None,
    politeness: Politeness = NO_DELAY,
    fetch: Fetch | None = None,
    cache: Callable[[], Cache] = NoCache,
    certificates: Certificates | None = None,
    tls: ssl.SSLContext | None = None,
    *,
    spools: bool = False,
    drains: bool = False,
) -> AsyncIterator[Proxied]:
    """A proxy that owns a folder, with its clocks and robots records on disk.

    Hosts of `secure.test` speak TLS, if there are certificates for them.
    """
    async with AsyncExitStack() as life:
        web = await life.enter_async_context(origin(tls))
        places = (f"*secure.test=127.0.0.1:{web.secure_port}",) if tls else ()
        reached = replace(fetch or Fetch(), connect_to=(*places, f"*.test={web.address}"))
        limits = proxy or Proxy()
        if not drains:  # what a test leaves behind is of no interest to it
            limits = replace(limits, drain_time=timedelta(0))
        config = Config(politeness=politeness, fetch=reached, proxy=limits)
        data = DataFolder(folder)
        life.enter_context(data.owned(timedelta(0)))
        client, keeper = await life.enter_async_context(keeping_client("proxy", data, config))

        async def lend(_host: str, _until: datetime | None) -> None:
            return None

        own = await life.enter_async_context(OwnRights(client.rights, lend))
        ours = life.enter_context(bind_socket(Address("127.0.0.1", 0)))
        port = ours.getsockname()[1]
        upstreams = life.enter_context(closing(Upstreams(config.fetch, is_here(port))))
        events: list[Event] = []
        room = SpoolRoom(folder, lambda: config.proxy.spool_bytes, left_free=0)
        parts = ProxyParts(
            config=config,
            access=AccessControl(config.proxy),
            permits=Permits(Nobody(), own),
            upstreams=upstreams,
            cache=cache(),
            name=new_name(),
            agent=b"gossamer/0",
            log=events.append,
            certificates=certificates,
            spool=room if spools else NO_SPOOL,
        )
        await life.enter_async_context(serve_clients(parts, ours))
        yield Proxied(web, parts, client, keeper, port, events)


async def until(is_so: Callable[[], object]) -> None:
    """Wait for something that comes soon."""
    async with asyncio.timeout(SOON):
        while not is_so():  # noqa: ASYNC110 (nobody tells us)
            await asyncio.sleep(0.005)


def run(work: Coroutine[Any, Any, T], seconds: float = LATEST) -> T:
    """Run a test to its end, which comes soon."""

    async def soon() -> T:
        async with asyncio.timeout(seconds):
            return await work

    return asyncio.run(soon())
