"""The web of `web.py`, served by a process of its own.

On each line from standard input it says what was asked so far, by host; when standard input ends,
so does the process.
"""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Final, Self

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.hostile_cases.web import Pace, Sent, Web, chunks_of

LOOPBACK: Final = "127.0.0.1"
TRAILERS: Final = 200_000  # of 100 bytes each: without end, for all who give up before 20 MB
DRIP_BYTES: Final = 200


class Server:
    """Answers requests, and counts them by host."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self.asked: Counter[str] = Counter()

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's requests until either side has enough."""
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            while request := await reader.readuntil(b"\r\n\r\n"):
                await self._send(writer, self._answer(request))
        writer.close()

    def _answer(self, request: bytes) -> Sent:
        lines = request.decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        host = fields["host"]
        path = lines[0].split(" ")[1]
        if path != "/robots.txt":
            self.asked[host] += 1
        return self._web.answer(host, path)

    async def _send(self, writer: asyncio.StreamWriter, sent: Sent) -> None:
        fields = {"Content-Type": sent.media_type, **(sent.headers or {})}
        chunked = sent.pace in (Pace.ONE_BYTE_CHUNKS, Pace.ENDLESS_TRAILERS)
        if chunked:
            fields["Transfer-Encoding"] = "chunked"
        else:
            fields["Content-Length"] = str(len(sent.body))
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        writer.write(f"HTTP/1.1 {sent.status} So\r\n{head}\r\n".encode("latin-1"))
        if sent.pace is Pace.AT_ONCE:
            writer.write(sent.body)
        elif sent.pace is Pace.ONE_BYTE_CHUNKS:
            for chunk in chunks_of(sent.body):
                writer.write(chunk)
                await writer.drain()
        elif sent.pace is Pace.ENDLESS_TRAILERS:
            writer.write(b"%x\r\n%b\r\n0\r\n" % (len(sent.body), sent.body))
            for number in range(TRAILERS):
                writer.write(b"X-Trailer-%d: %b\r\n" % (number, b"x" * 80))
                await writer.drain()
            writer.write(b"\r\n")
        else:
            for at in range(0, len(sent.body), DRIP_BYTES):
                writer.write(sent.body[at : at + DRIP_BYTES])
                await writer.drain()
                await asyncio.sleep(1)
        await writer.drain()


async def serve(web: Web) -> None:
    """Serve until standard input ends."""
    served = Server(web)
    listening = await asyncio.start_server(served.converse, LOOPBACK, 0)
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    loop.add_reader(sys.stdin.fileno(), lambda: lines.put_nowait(sys.stdin.buffer.readline()))
    print(json.dumps(listening.sockets[0].getsockname()[1]), flush=True)
    while await lines.get():
        print(json.dumps(served.asked), flush=True)


class HostileServer:
    """`with HostileServer(web) as server:` serves until the block ends."""

    port: int

    def __init__(self, web: Web) -> None:
        self.web = web

    def __enter__(self) -> Self:
        command = [sys.executable, __file__, json.dumps(asdict(self.web))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        self.port = json.loads(self._process.stdout.readline())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()

    @property
    def connect_to(self) -> str:
        """The value of `--connect-to` that leads all hosts of this web here."""
        return f"*.test={LOOPBACK}:{self.port}"

    def asked(self) -> Counter[str]:
        """Requests so far by host, robots.txt left out."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        return Counter(json.loads(self._process.stdout.readline()))


if __name__ == "__main__":
    asyncio.run(serve(Web(**json.loads(sys.argv[1]))))
