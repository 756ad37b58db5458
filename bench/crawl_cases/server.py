"""A web in memory, served by a process of its own as fast as asyncio goes.

Answers lie ready, head and body in one piece, and a request is looked at no closer than to find
its answer. It takes the long form of a request too, as a proxy does, for crawlers that cannot be
told otherwise where a host is. It tells what was asked since it told so last.
"""

import asyncio
import socket
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.crawl_cases.web import Web
from bench.serving.process import LOOPBACK, ServerProcess, tell_when_asked

NOT_FOUND: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


@dataclass(slots=True)
class Tally:
    """What was asked for, since the last time somebody wanted to know."""

    requests: int = 0
    robots: int = 0  # of those, for robots.txt
    first_at: float | None = None  # by the machine's monotonic clock
    cpu_seconds: float = 0.0  # of this process, since its start


class _Connection(asyncio.Protocol):
    def __init__(self, answers: dict[bytes, bytes], tally: Tally) -> None:
        self._answers = answers
        self._tally = tally
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        requests = (self._rest + data).split(b"\r\n\r\n")
        self._rest = requests.pop()
        for request in requests:
            self._transport.write(self._answer(request))

    def _answer(self, request: bytes) -> bytes:
        tally = self._tally
        tally.requests += 1
        tally.first_at = tally.first_at or time.monotonic()
        name = _name(request)
        tally.robots += name.endswith(b"/robots.txt")
        return self._answers.get(name, NOT_FOUND)


def _name(request: bytes) -> bytes:
    """The host and path that a request asks for, such as `host001.test:80/page/1`."""
    target = request.split(b" ", 2)[1]
    if target.startswith(b"http://"):
        return target[7:]
    start = request.lower().find(b"\r\nhost:") + 7
    return request[start:].split(b"\r\n", 1)[0].strip() + target


async def serve(hosts: int) -> None:
    """Serve so many hosts until standard input ends."""
    listening = socket.create_server((LOOPBACK, 0), backlog=1024)
    web = Web(hosts, listening.getsockname()[1])
    answers = {host + path: answer for host, path, answer in web.answers()}
    tally = Tally()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(answers, tally), sock=listening)

    def tell() -> dict[str, Any]:
        tally.cpu_seconds = time.process_time()
        told = asdict(tally)
        tally.requests, tally.robots, tally.first_at = 0, 0, None
        return told

    await tell_when_asked(asdict(web), tell)
    server.close()


class WebServer(ServerProcess):
    """`with WebServer(hosts) as server:` serves until the block ends."""

    web: Web

    def __init__(self, hosts: int) -> None:
        super().__init__(__file__, hosts)

    def __enter__(self) -> Self:
        super().__enter__()
        self.web = Web(**self.told_first)
        return self

    @property
    def address(self) -> str:
        """`ADDRESS:PORT`."""
        return f"{LOOPBACK}:{self.web.port}"

    def tally(self) -> Tally:
        """What was asked for since the last call."""
        return Tally(**self.told())


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
