"""A door before a server, which holds answers back until it is opened: a crawl waits for them.

Without one, a test that looks at a crawl in its middle would have to be there before it is over.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from tests.crawl.commands import until
from tests.fetch.servers import Conversation, listening
from tests.slowness import patience

Held = Callable[[str], bool]
"""Whether the answer for this URL is held back."""


def everything(_: str) -> bool:
    """Hold back every answer."""
    return True


class Door:
    """`with Door(address) as door`: all requests go to that address; answers, when it is open."""

    address: str  # "127.0.0.1:PORT", once it is there

    def __init__(self, behind: str) -> None:
        self._host, _, port = behind.partition(":")
        self._port = int(port)
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._opened = asyncio.Event()
        self._opened.set()
        self._holds: Held = everything
        self._passing = 0  # answers that still go through while it is closed
        self._there = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),))
        self.waiting: list[str] = []  # URLs whose answers stand before it

    @property
    def connect_to(self) -> str:
        """The value of `--connect-to` that leads here."""
        return f"*.test={self.address}"

    def close(self, *, after: int = 0, holds: Held = everything) -> None:
        """Hold back answers from now on, but for the first few."""
        self._do(lambda: self._close(after, holds))

    def open(self) -> None:
        """Let everything through."""
        self._do(self._opened.set)

    def wait(self, count: int = 1) -> None:
        """Wait until so many stand before it at once."""
        until(lambda: len(self.waiting) >= count)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._there.wait(patience(60))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()
        self._loop.close()

    def _do(self, change: Callable[[], object]) -> None:
        """Change something where it is used, and return when that is done."""
        done = threading.Event()
        self._loop.call_soon_threadsafe(change)
        self._loop.call_soon_threadsafe(done.set)
        assert done.wait(patience(60))

    def _close(self, after: int, holds: Held) -> None:
        self._passing, self._holds = after, holds
        self._opened.clear()

    async def _run(self) -> None:
        async with listening(self._talk) as port:
            self.address = f"127.0.0.1:{port}"
            self._there.set()
            await self._over.wait()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on what a client says and what it is told, until either has left."""
        theirs, ours = await asyncio.open_connection(self._host, self._port)
        asked: list[str] = []  # and not answered: one URL at most, for nobody asks ahead
        ways = [
            asyncio.create_task(_ask(reader, ours, asked)),
            asyncio.create_task(self._answer(theirs, Conversation(reader, writer), asked)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            ours.transport.abort()

    async def _answer(
        self, theirs: asyncio.StreamReader, client: Conversation, asked: list[str]
    ) -> None:
        try:
            while some := await theirs.read(65536):
                if asked:
                    await self._turn(asked.pop())
                await client.say(some)
        except ConnectionError:
            client.reset()

    async def _turn(self, url: str) -> None:
        """Wait until an answer may go through."""
        if self._opened.is_set() or not self._holds(url):
            return
        if self._passing:
            self._passing -= 1
            return
        self.waiting.append(url)
        try:
            await self._opened.wait()
        finally:
            self.waiting.remove(url)


async def _ask(reader: asyncio.StreamReader, ours: asyncio.StreamWriter, asked: list[str]) -> None:
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            request = await reader.readuntil(b"\r\n\r\n")
            asked.append(_url(request))
            ours.write(request)


def _url(request: bytes) -> str:
    first, *lines = request.decode("latin-1").split("\r\n")
    hosts = [line.partition(": ")[2] for line in lines if line.lower().startswith("host: ")]
    return f"http://{hosts[0]}{first.split()[1]}"
