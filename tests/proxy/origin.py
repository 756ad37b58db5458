"""A small web server in the test's own event loop, which notes when it was asked and by how many."""

import asyncio
import ssl
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from socket import SO_LINGER, SOL_SOCKET

PAGE = b"x" * 8192
ROBOTS = b"User-agent: *\nDisallow: /private\n"
CHUNK = b"c" * 5000
NOT_AT_ALL = struct.pack("ii", 1, 0)  # that a connection lingers: its end is a reset


@dataclass(slots=True)
class Asked:
    """One request as the server saw it."""

    host: str
    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    started: float
    ended: float = 0.0


@dataclass(slots=True)
class Origin:
    """Answers by path; see `_answer`."""

    port: int = 0
    secure_port: int = 0  # the same with TLS, where there are certificates
    robots: dict[str, bytes] = field(default_factory=dict)  # by host, besides the usual
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)  # all of a host, by path
    asked: list[Asked] = field(default_factory=list)
    busy: dict[str, int] = field(default_factory=dict)  # requests at once, by host
    most_busy: int = 0  # of any host
    connections: int = 0
    most_connections: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)  # `/gate` waits for it

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def pages(self, host: str | None = None) -> list[Asked]:
        """What was asked for besides robots.txt."""
        return [
            each
            for each in self.asked
            if each.target != "/robots.txt" and host in (None, each.host)
        ]

    def smallest_gap(self, host: str) -> float:
        """Between the end of an answer and the next request."""
        asked = sorted(
            (each for each in self.asked if each.host == host), key=lambda each: each.started
        )
        return min((later.started - former.ended for former, later in pairwise(asked)), default=99)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.most_connections = max(self.most_connections, self.connections)
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.connections -= 1
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        started = time.monotonic()
        line, *rest = head.rstrip("\r\n").split("\r\n")
        method, target, _ = line.split(" ")
        headers = {
            name.lower(): value for name, _, value in (each.partition(": ") for each in rest)
        }
        host = headers["host"].partition(":")[0]
        if headers.get("expect") == "100-continue" and target != "/refuse-body":
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = b"" if target == "/refuse-body" else await _body(reader, headers)
        asked = Asked(host, method, target, headers, body, started)
        self.asked.append(asked)
        self.busy[host] = self.busy.get(host, 0) + 1
        self.most_busy = max(self.most_busy, self.busy[host])
        try:
            return await self._answer(asked, writer)
        finally:
            self.busy[host] -= 1
            asked.ended = time.monotonic()

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        path = asked.target.partition("?")[0]
        keeps = True
        if asked.host in self.files:
            _send_file(writer, path, self.files[asked.host].get(path))
            await writer.drain()
            return keeps
        match path.split("/")[1:]:
            case ["robots.txt"] if asked.host.startswith("closed"):
                writer.write(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
            case ["robots.txt"]:
                _send(writer, self.robots.get(asked.host, ROBOTS))
            case ["chunked", count]:
                writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n")
                for _ in range(int(count)):
                    writer.write(b"%x\r\n%b\r\n" % (len(CHUNK), CHUNK))
                    await writer.drain()
                writer.write(b"0\r\nX-Trailer: dropped\r\n\r\n")
            case ["until-close"]:
                writer.write(b"HTTP/1.0 200 OK\r\n\r\n" + PAGE)
                keeps = False
            case ["until-close", count]:
                writer.write(b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * int(count))
                keeps = False
            case ["kept", count]:
                head = (
                    b"HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: %d\r\n\r\n"
                )
                writer.write(head % int(count) + b"x" * int(count))
            case ["cut", how]:  # half a page, which would be good for long
                writer.write(b"HTTP/1.0 200 OK\r\nCache-Control: max-age=600\r\n\r\nhalf")
                await self.gate.wait()
                if how == "reset":
                    writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, NOT_AT_ALL)
                writer.transport.abort()  # of TLS there are no last words, either
                keeps = False
            case ["drip", count]:  # a piece each time that the gate is opened
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % int(count))
                for _ in range(int(count) // len(PAGE)):
                    await self.gate.wait()
                    self.gate.clear()
                    writer.write(PAGE)
            case ["large", count]:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % int(count))
                for _ in range(int(count) // len(PAGE)):
                    writer.write(PAGE)
                    await writer.drain()
                writer.write(PAGE[: int(count) % len(PAGE)])
            case ["status", status]:
                extra = b"Retry-After: 7\r\n" if status in ("429", "503") else b""
                no_body = status in ("204", "304")
                length = b"" if no_body else b"Content-Length: 0\r\n"
                writer.write(b"HTTP/1.1 %d X\r\n%b%b\r\n" % (int(status), length, extra))
            case ["etag"] if asked.headers.get("if-none-match") == '"1"':
                writer.write(b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n')
            case ["etag"]:
                kept = b'ETag: "1"\r\nCache-Control: max-age=60\r\n'
                writer.write(b"HTTP/1.1 200 OK\r\n%bContent-Length: 2\r\n\r\nok" % kept)
            case ["to", *target]:
                there = "/".join(target).encode()
                writer.write(b"HTTP/1.1 302 X\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % there)
            case ["echo"]:
                _send(writer, asked.body)
            case ["refuse-body"]:
                writer.write(b"HTTP/1.1 413 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
                keeps = False
            case ["sleep", seconds]:
                await asyncio.sleep(float(seconds))
                _send(writer, b"slept")
            case ["gate"]:
                await self.gate.wait()
                _send(writer, b"open")
            case ["bad-later"]:
                writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n")
                await self.gate.wait()
                writer.write(b"zz\r\n")
            case ["banner"]:  # of a server that waits for its client to say something
                writer.write(b"SSH-2.0-OpenSSH_9\r\n")
                await self.gate.wait()
            case ["never"]:
                await asyncio.sleep(60)
            case ["raw", *_]:
                raw = asked.target.partition("?")[2]
                writer.write(RAW[raw])
                keeps = False
            case ["hop"]:
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: X-Secret, keep-alive\r\n"
                    b"X-Secret: 1\r\nKeep-Alive: timeout=5\r\nUpgrade: h2c\r\nVia: 1.0 far\r\n\r\nok"
                )
            case _:
                _send(writer, PAGE, is_head=asked.method == "HEAD")
        await writer.drain()
        return keeps


RAW = {
    "two-lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "both": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    "no-coding": b"HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\nContent-Length: 2\r\n\r\nok",
    "not-http": b"SSH-2.0-OpenSSH_9\r\n\r\n",
    "switch": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nhello",
    "lf": b"HTTP/1.1 200 OK\nContent-Length: 2\nX-A : 1\n\nok",
    "fold": b"HTTP/1.1 200 OK\r\nX-Long: one\r\n two\r\nContent-Length: 2\r\n\r\nok",
    "cut": b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
    "bad-chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n",
    "no-body": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
    "garbage": b"\x00\x01\xff\xfe\r\n",
    "half-a-head": b"HTTP/1.1 200 OK\r\nContent-",
    "close": b"",
    "hints-without-end": b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 6000,
    "empty-hints-without-end": b"HTTP/1.1 103\r\n\r\n" * 20_000,
    "early-hints": b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nKeep-Alive: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
}


def _send(writer: asyncio.StreamWriter, body: bytes, *, is_head: bool = False) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % len(body)
    writer.write(head if is_head else head + body)


def _send_file(writer: asyncio.StreamWriter, path: str, body: bytes | None) -> None:
    kind = b"text/html" if path.endswith("/") else b"application/octet-stream"
    status, body = (b"404 Not Found", b"") if body is None else (b"200 OK", body)
    head = b"HTTP/1.1 %b\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n"
    writer.write(head % (status, kind, len(body)) + body)


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    if headers.get("transfer-encoding") != "chunked":
        return b""
    pieces = []
    while size := int(await reader.readuntil(b"\r\n"), 16):
        pieces.append((await reader.readexactly(size + 2))[:-2])
    await reader.readexactly(2)
    return b"".join(pieces)


@asynccontextmanager
async def origin(tls: ssl.SSLContext | None = None) -> AsyncIterator[Origin]:
    """A server that is up, at a second port with TLS."""
    web, serving = Origin(), set[asyncio.Task[None]]()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.create_task(web.serve(reader, writer)))

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=2**20)
    web.port = server.sockets[0].getsockname()[1]
    servers = [server]
    if tls is not None:
        servers.append(await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls))
        web.secure_port = servers[1].sockets[0].getsockname()[1]
    try:
        yield web
    finally:
        for each in servers:
            each.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
