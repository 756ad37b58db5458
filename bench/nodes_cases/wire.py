"""A wire to a database that counts the bytes in both directions, in a process of its own."""

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.serving.process import LOOPBACK, ServerProcess, tell_when_asked

PIECE = 1 << 16


async def serve(socket_file: str) -> None:
    """Pass on what is sent to a port of ours, until standard input ends."""
    counted = {"to": 0, "from": 0}

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, ours = await asyncio.open_unix_connection(socket_file)
        with suppress(ConnectionError):
            await asyncio.gather(copy(reader, ours, "to"), copy(theirs, writer, "from"))
        for each in (ours, writer):
            each.close()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: str) -> None:
        with suppress(ConnectionError):
            while piece := await reader.read(PIECE):
                counted[way] += len(piece)
                writer.write(piece)
                await writer.drain()
            writer.write_eof()

    server = await asyncio.start_server(talk, LOOPBACK, 0)
    await tell_when_asked(server.sockets[0].getsockname()[1], lambda: counted)


class Wire(ServerProcess):
    """`with Wire(socket file) as wire:` passes on what is sent to its port until the block ends."""

    def __init__(self, socket_file: Path) -> None:
        super().__init__(__file__, str(socket_file))

    def counted(self) -> int:
        """The bytes so far, in both directions."""
        return sum(self.told().values())


if __name__ == "__main__":
    asyncio.run(serve(json.loads(sys.argv[1])))
