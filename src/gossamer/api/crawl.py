"""A crawl as an object: `for page in gossamer.crawl(…)`, `async with gossamer.Crawl(…) as crawl`.

It runs in processes of its own; pages come over a pipe, as they are settled, when they are asked for. Whoever breaks
out, raises, is interrupted or lets go of it ends it as one Ctrl-C does: what was settled is in the data folder.
"""

import asyncio
import threading
import weakref
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self, Unpack

from gossamer.api.crawl_options import CrawlKeywords, arguments_of
from gossamer.api.crawl_process import CrawlProcess
from gossamer.api.crawled_page import CrawledPage
from gossamer.api.folder import open_folder
from gossamer.api.loop_thread import LoopThread
from gossamer.folder.data import DataFolder
from gossamer.owner.messages import Record, UnableError, ask
from gossamer.owner.questions import Status
from gossamer.owner.unix_socket import NoOwnerError, Owner

LOOK_AGAIN: Final = 0.05  # seconds, where a crawl that begins does not answer yet


def crawl(*seeds: str, **options: Unpack[CrawlKeywords]) -> "RunningCrawl":
    """Crawl, and iterate over the pages as they are settled.

    Options are those of `gossamer crawl`, with underscores (`depth=2`, `max_pages=100`, `delay=0.5`). Without
    `data=`, the folder is a temporary one that goes with the object; with it, the crawl can be asked
    (`gossamer.open`), resumed and extended.
    """
    return RunningCrawl(*_order(seeds, options))


def _order(
    seeds: Iterable[str], options: CrawlKeywords
) -> tuple[list[str], list[str], Path | None]:
    """What a process is told; raises `TypeError` and `ValueError`."""
    named = [seeds] if isinstance(seeds, str) else list(seeds)
    if wrong := [each for each in named if not isinstance(each, str)]:
        raise TypeError(f"A seed is a str such as 'example.org', not {wrong[0]!r}.")
    given: dict[str, Any] = dict(options)
    data = given.pop("data", None)
    words = arguments_of(named, given)
    if not named and data is None:
        raise ValueError("Name a seed, such as 'example.org', or the folder of a crawl with data=.")
    return named, words, None if data is None else Path(data)


class RunningCrawl(Iterator[CrawledPage]):
    """A crawl that runs: iterate over its pages, in a `with` block to have it ended for certain."""

    def __init__(self, seeds: list[str], words: list[str], folder: Path | None) -> None:
        self._process = CrawlProcess(seeds, words, folder)
        self._closing = weakref.finalize(self, _let_go, self._process)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> CrawledPage:
        try:
            line = self._process.next_line()
            if line is None:
                self._process.finish()
                raise StopIteration
            return CrawledPage.from_line(line)
        except StopIteration:
            raise
        except BaseException:  # Ctrl-C, or the crawl failed
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<gossamer.crawl in {str(self.data)!r}, {_state(self._process)}>"

    @property
    def data(self) -> Path:
        """The data folder; a temporary one is there until the crawl is closed."""
        return self._process.folder

    @property
    def summary(self) -> dict[str, Any] | None:
        """Once it has ended: what `gossamer crawl --json` prints."""
        return self._process.summary

    @property
    def messages(self) -> str:
        """What the crawl said to people: warnings, progress, the farewell."""
        return self._process.messages

    def status(self) -> Record:
        """How it stands: what `gossamer status --json` prints."""
        thread = LoopThread("gossamer-crawl")
        try:
            return thread.run(_status(self._process))
        finally:
            thread.close(_nothing)

    def stop(self) -> None:
        """Have it end in good order; the last pages still come."""
        self._process.stop()

    def close(self) -> None:
        """End it, wait for that, and remove a temporary folder; pages that were not taken are dropped."""
        self._process.end()
        self._closing.detach()


class Crawl(AsyncIterator[CrawledPage]):
    """`async with Crawl(seeds, …) as crawl: async for page in crawl: …`; no loop is blocked.

    Options are those of `gossamer.crawl`. The crawl begins with the block, and is ended with it.
    """

    def __init__(self, seeds: Iterable[str] = (), /, **options: Unpack[CrawlKeywords]) -> None:
        self._order = _order(seeds, options)
        self._running: CrawlProcess | None = None
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        if self._running is not None:
            raise RuntimeError("A crawl begins once; make another object, with the same data=.")
        self._running = CrawlProcess(*self._order)
        self._closing = weakref.finalize(self, _let_go, self._running)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._process.end_soon()
        self._closing.detach()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> CrawledPage:
        async with self._turn:
            line = await self._process.next_line_soon()
            if line is None:
                self._process.finish()
                raise StopAsyncIteration
        return CrawledPage.from_line(line)

    def __repr__(self) -> str:
        if self._running is None:
            return "<gossamer.Crawl, not begun>"
        return f"<gossamer.Crawl in {str(self.data)!r}, {_state(self._running)}>"

    @property
    def data(self) -> Path:
        """The data folder; a temporary one is there until the block ends."""
        return self._process.folder

    @property
    def summary(self) -> dict[str, Any] | None:
        """Once it has ended: what `gossamer crawl --json` prints."""
        return None if self._running is None else self._running.summary

    @property
    def messages(self) -> str:
        """What the crawl said to people: warnings, progress, the farewell."""
        return self._process.messages

    async def status(self) -> Record:
        """How it stands: what `gossamer status --json` prints."""
        return await _status(self._process)

    def stop(self) -> None:
        """Have it end in good order; the last pages still come."""
        self._process.stop()

    @property
    def _process(self) -> CrawlProcess:
        if self._running is None:
            raise RuntimeError(
                "The crawl has not begun: use `async with gossamer.Crawl(…) as crawl:`."
            )
        return self._running


async def _nothing() -> None:
    """What is left to do when the status was told."""


async def _status(process: CrawlProcess) -> Record:
    owner = Owner(DataFolder(process.folder).socket_file)
    while process.is_running:
        with suppress(NoOwnerError, UnableError):
            return await ask(owner, Status())
        await asyncio.sleep(LOOK_AGAIN)
    return await asyncio.to_thread(_status_of_folder, process.folder)


def _status_of_folder(folder: Path) -> Record:
    with open_folder(folder) as data:
        return data.status()


def _state(process: CrawlProcess) -> str:
    return "running" if process.is_running else "ended"


def _let_go(process: CrawlProcess) -> None:
    """End a crawl that nobody holds any more; a loop that runs here is not made to wait for it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        process.end()
    else:
        threading.Thread(target=process.end, name="gossamer-crawl-end").start()
