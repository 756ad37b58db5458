"""A web that grows until it is told to stop, each answer of which is one of a kind; its own process, its own log.

Page *n* of a host links to the next few, and to a page of the next host. So what there is to be found is,
for each host, every page up to a last one. Every answer says how often its page was sent before (its
version), so that of two answers for one page the graph shows which of them it has.

`python -m tests.faults.web ADDRESS HOSTS LOG` prints its port; for a line of input it stops growing, and prints
the last page of each host. It ends with its input.
"""

import asyncio
import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from tests.slowness import patience

from gossamer.crawl.verdicts import DIGEST_BYTES
from gossamer.demo.accesslog import Access, read_log, to_line
from gossamer.demo.server import now
from gossamer.model import Url

AHEAD: Final = 3  # pages that a page links to on its own host
SLOW_ONE: Final = 10  # of so many pages, one is slow
SLOW: Final = 0.3  # seconds
_PAGE: Final = re.compile(r"http://h(\d+)\.test/(\d+)")
_SEEN: Final = "urn:test:version"


def url_of(host: int, number: int) -> Url:
    """The address of a page."""
    return Url(f"http://h{host}.test/{number}")


def page_of(url: str) -> tuple[int, int]:
    """Host and number of a page."""
    found = _PAGE.fullmatch(url)
    assert found, url
    return int(found[1]), int(found[2])


def body_of(host: int, number: int, version: int, last: int, hosts: int) -> bytes:
    """What a page is when it is sent for the n-th time, on a host with that last page."""
    links = [url_of(host, n) for n in range(number + 1, min(number + AHEAD, last) + 1)]
    links.append(url_of((host + 1) % hosts, 0))
    said = json.dumps({"@id": url_of(host, number), _SEEN: version})
    anchors = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    return (
        "<!doctype html><title>A page</title>"
        f'<script type="application/ld+json">{said}</script>{anchors}'
    ).encode()


def digest_of(body: bytes) -> bytes:
    """The digest of a page that the frontier keeps."""
    return hashlib.blake2b(body, digest_size=DIGEST_BYTES).digest()


def version_in(nquads: bytes) -> dict[str, list[int]]:
    """The versions of each page that a graph has."""
    found: dict[str, list[int]] = {}
    for said in re.finditer(rf'<([^>]*)> <{_SEEN}> "(\d+)"\S* <([^>]*)> \.'.encode(), nquads):
        subject, version, graph = said[1].decode(), int(said[2]), said[3].decode()
        assert subject == graph
        found.setdefault(graph, []).append(version)
    return found


@dataclass
class World:
    """What is where: it grows as it is asked, until it is closed."""

    hosts: int
    grows: bool = True
    last: dict[int, int] = field(default_factory=dict)
    sent: Counter[tuple[int, int]] = field(default_factory=Counter)

    def page(self, host: int, number: int) -> bytes:
        """A page, once more."""
        if self.grows:
            self.last[host] = max(self.last.get(host, 0), number + AHEAD)
        end = self.last.setdefault(host, number)
        self.sent[host, number] += 1
        return body_of(host, number, self.sent[host, number], end, self.hosts)


async def serve(address: str, hosts: int, log: Path) -> None:
    """Serve until standard input ends."""
    world, loop = World(hosts), asyncio.get_running_loop()
    with log.open("a", buffering=1) as file:

        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                while True:
                    request = await reader.readuntil(b"\r\n\r\n")
                    arrived = now()
                    first, host = _asked(request)
                    answer, slow = _answer(world, host, first)
                    await asyncio.sleep(SLOW if slow else 0)
                    ended = now()
                    writer.write(answer)
                    agent, status = "", int(answer[9:12])
                    file.write(
                        to_line(
                            Access(arrived, ended, "GET", host, first, agent, status, len(answer))
                        )
                    )
                    await writer.drain()
            except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
                pass  # the other side has left, or is cut off
            finally:
                writer.close()

        server = await asyncio.start_server(talk, address, 0, backlog=512)
        tell(server.sockets[0].getsockname()[1])
        while await loop.run_in_executor(None, sys.stdin.readline):
            world.grows = False
            tell([world.last.get(host, 0) for host in range(hosts)])
        server.close()


def tell(value: object) -> None:
    """Print a line of JSON for whoever started this."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _asked(request: bytes) -> tuple[str, str]:
    """Path and host of a request."""
    first, *lines = request.decode("latin-1").split("\r\n")
    hosts = [line.partition(": ")[2] for line in lines if line.lower().startswith("host: ")]
    return first.split()[1], hosts[0]


def _answer(world: World, host: str, path: str) -> tuple[bytes, bool]:
    found = _PAGE.fullmatch(f"http://{host}{path}")
    if found is None:
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", False
    page = (int(found[1]), int(found[2]))
    body = world.page(*page)
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body, sum(page) % SLOW_ONE == 0


class GrowingWeb:
    """`with GrowingWeb(address, hosts, log) as web`: serves until the block ends."""

    def __init__(self, address: str, hosts: int, log: Path) -> None:
        self._address = address
        self.hosts = hosts
        self._log = log
        self._log.touch()

    @property
    def connect_to(self) -> str:
        """The value of `--connect-to` that leads here."""
        return f"*.test={self._address}:{self._port}"

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.faults.web"]
        command += [self._address, str(self.hosts), str(self._log)]
        root = Path(__file__).resolve().parents[2]
        self._process = subprocess.Popen(
            command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        try:
            self._port = json.loads(self._pipe(self._process.stdout).readline())
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def accesses(self) -> Iterator[Access]:
        """The requests logged so far."""
        return read_log(self._log)

    def close(self) -> dict[int, int]:
        """Have it grow no more: the last page of each host."""
        into = self._pipe(self._process.stdin)
        into.write(b"\n")
        into.flush()
        return dict(enumerate(json.loads(self._pipe(self._process.stdout).readline())))

    def _end(self) -> None:
        self._pipe(self._process.stdin).close()
        try:
            self._process.wait(patience(10))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._pipe(self._process.stdout).close()

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        assert pipe is not None
        return pipe


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
