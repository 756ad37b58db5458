"""Pages of 8 KB, served by a process of its own as fast as asyncio goes, until standard input ends.

`/fresh/…` may be kept for an hour, `/never/…` not at all. On each line from standard input it
says how many pages were asked for since the line before.
"""

import asyncio
import socket
import subprocess
import sys
from email.utils import formatdate
from typing import Final, Self

LOOPBACK: Final = "127.0.0.1"
BODY: Final = b"<!doctype html>" + b"All work and no play makes Jack a dull boy.\n" * 186
BODY_BYTES: Final = len(BODY)


def answer(keep: bytes) -> bytes:
    """Head and body in one piece."""
    return (
        b"HTTP/1.1 200 OK\r\nDate: %b\r\nServer: bench\r\nContent-Type: text/html\r\n"
        b'ETag: "1"\r\nCache-Control: %b\r\nContent-Length: %d\r\n\r\n%b'
    ) % (formatdate(usegmt=True).encode(), keep, len(BODY), BODY)


class _Connection(asyncio.Protocol):
    asked = 0

    def __init__(self) -> None:
        self._rest = b""
        self._fresh, self._never = answer(b"max-age=3600"), answer(b"no-store")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        requests = (self._rest + data).split(b"\r\n\r\n")
        self._rest = requests.pop()
        for request in requests:
            _Connection.asked += 1
            self._transport.write(self._answer(request.split(b" ", 2)[1]))

    def _answer(self, path: bytes) -> bytes:
        if path.startswith((b"/fresh", b"/never")):
            return self._fresh if path.startswith(b"/fresh") else self._never
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


async def serve() -> None:
    """Serve until standard input ends."""
    listening = socket.create_server((LOOPBACK, 0), backlog=1024)
    loop = asyncio.get_running_loop()
    await loop.create_server(_Connection, sock=listening)
    asked: asyncio.Queue[bytes] = asyncio.Queue()
    loop.add_reader(sys.stdin.fileno(), lambda: asked.put_nowait(sys.stdin.buffer.readline()))
    print(listening.getsockname()[1], flush=True)
    while await asked.get():
        print(_Connection.asked, flush=True)
        _Connection.asked = 0


class Origin:
    """`with Origin() as origin:` serves until the block ends."""

    port: int

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.port = self._told()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def asked(self) -> int:
        """How many pages were asked for since the last call."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        return self._told()

    def _told(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())


if __name__ == "__main__":
    asyncio.run(serve())
