"""The web of `web.py`, served by a process of its own that tells what was asked so far, by host."""

import asyncio
import json
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.hostile_cases.web import Pace, Sent, Web, chunks_of
from bench.serving.process import LOOPBACK, ServerProcess, tell_when_asked

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
    await tell_when_asked(listening.sockets[0].getsockname()[1], lambda: served.asked)


class HostileServer(ServerProcess):
    """`with HostileServer(web) as server:` serves until the block ends."""

    def __init__(self, web: Web) -> None:
        super().__init__(__file__, asdict(web))
        self.web = web

    @property
    def connect_to(self) -> str:
        """The value of `--connect-to` that leads all hosts of this web here."""
        return f"*.test={LOOPBACK}:{self.port}"

    def asked(self) -> Counter[str]:
        """Requests so far by host, robots.txt left out."""
        return Counter(self.told())


if __name__ == "__main__":
    asyncio.run(serve(Web(**json.loads(sys.argv[1]))))
