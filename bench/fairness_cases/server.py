"""The web of `web.py`, served by a process of its own that tells all requests since it was asked last."""

import asyncio
import json
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.fairness_cases.measures import Request
from bench.fairness_cases.web import Break, Web, break_of, page_number
from bench.serving.process import LOOPBACK, ServerProcess, tell_when_asked

HTML: Final = "Content-Type: text/html; charset=utf-8\r\n"
NOT_FOUND: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
ERROR: Final = b"HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n"
CUT: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n<p>To be"
GARBAGE: Final = b"\x00\x01\x02 this is not what you asked for\r\n\r\n"


class Server:
    """Answers requests as their hosts do."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self.port = 0
        self.requests: list[Request] = []

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until either side closes it."""
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            while await self._answer(await reader.readuntil(b"\r\n\r\n"), reader, writer):
                await writer.drain()
        writer.close()

    async def _answer(
        self, request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer one request; whether there may be another."""
        started, ended = time.monotonic(), 0.0
        lines = request.decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        host, path = fields["host"].split(":")[0], lines[0].split(" ")[1]
        number = page_number(path)
        breaks = None if number is None else break_of(host, number)
        if breaks is Break.SILENT:
            await reader.read()  # until whoever asked hangs up
        elif breaks is Break.RESET:
            writer.transport.abort()
        else:
            body = self._body(host, number, breaks)
            # Before it is written: on a busy machine, this process may have to wait just afterwards.
            ended = time.monotonic()
            writer.write(body)
        self.requests.append(Request(host, number is not None, started, ended or time.monotonic()))
        return breaks in (None, Break.ERROR)

    def _body(self, host: str, number: int | None, breaks: Break | None) -> bytes:
        if number is None:
            return NOT_FOUND
        if breaks is not None:
            return {Break.ERROR: ERROR, Break.CUT: CUT}.get(breaks, GARBAGE)
        links = (
            # A crawler that cannot be told where a host is has the port in its addresses.
            link if link[0] == "/" else link.replace(".test/", f".test:{self.port}/")
            for link in self._web.links(host, number)
        )
        anchors = "".join(f'<li><a href="{link}">one more</a></li>\n' for link in links)
        body = f"<!DOCTYPE html><title>{number}</title><ul>\n{anchors}</ul>".encode()
        head = f"HTTP/1.1 200 OK\r\n{HTML}Content-Length: {len(body)}\r\n\r\n"
        return head.encode() + body


async def serve(web: Web) -> None:
    """Serve until standard input ends."""
    served = Server(web)
    listening = await asyncio.start_server(served.converse, LOOPBACK, 0, backlog=1024)
    served.port = listening.sockets[0].getsockname()[1]

    def tell() -> list[Request]:
        requests, served.requests = served.requests, []
        return requests

    await tell_when_asked(served.port, tell)


class UnequalServer(ServerProcess):
    """`with UnequalServer(web) as server:` serves until the block ends."""

    def __init__(self, web: Web) -> None:
        super().__init__(__file__, asdict(web))
        self.web = web

    @property
    def seeds(self) -> list[str]:
        """The front page of every host, with the port of this server."""
        return [f"http://{host}:{self.port}/p/0" for host in self.web.hosts]

    def requests(self) -> list[Request]:
        """The requests since the last call."""
        return [Request(*each) for each in self.told()]


if __name__ == "__main__":
    asyncio.run(serve(Web(**json.loads(sys.argv[1]))))
