"""Words kept in step with a graph that is being written, by a process that is started again when it dies.

Nothing here stops whoever writes the graph: what words have not taken up yet is in the graph's journal,
which grows on the disk until they do.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import Any, Final, Protocol, Self

from gossamer.errors import GossamerError
from gossamer.index.graph.folder import GraphFolder
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.words.asked import Search
from gossamer.index.words.asking_texts import TextSource
from gossamer.index.words.client import WordsProcess
from gossamer.index.words.folder import WordsError, WordsFolder
from gossamer.index.words.journal import Cut, follower_of, numbers
from gossamer.index.words.skipped import STEP_SECONDS

PAUSE: Final = 2.0  # seconds between two looks: each takes a tenth of one, whatever has changed
SHARE: Final = 5  # times as long as the graph took for it, we leave the graph alone …
USUAL_PAUSE: Final = 5.0  # … but no longer than this
LONGEST_PAUSE: Final = 60.0  # after faults, one after the other
FINISH_SECONDS: Final = 60.0  # at the end: what is left then is for the next time
STOPPED_SECONDS: Final = 10.0  # the same where somebody waits for the end
FRESH_SECONDS: Final = 20.0  # that a search waits for what is being taken up
BEHIND: Final = (
    "Words are behind the graph: what the last pages say is still being taken up. "
    "`gossamer status` tells how much is left."
)
OUTDATED: Final = (
    "An older version made the words: they are searched as they are, and equal results are not "
    "shown as one. `gossamer reindex` makes them anew."
)
WORTH_TELLING: Final = 10_000  # quads: of fewer, words are made sooner than anybody has read so

Record = dict[str, Any]


class FollowedGraph(Protocol):
    """What is asked of a graph."""

    async def counts(self) -> GraphCounts:
        """How much there is."""

    async def follow(self, follower: str) -> None:
        """Note what changes, for whoever has this name."""

    async def cut(self) -> Cut:
        """What was noted so far."""

    def snapshot(self) -> AbstractAsyncContextManager[str]:
        """A frozen copy."""


class Following:
    """The words of one graph. To be entered; `run` is for a task of its own."""

    def __init__(
        self,
        words: Path,
        graph_folder: Path,
        graph: Callable[[], Awaitable[FollowedGraph]],
        tell: Callable[[str], None],
        step_seconds: float = STEP_SECONDS,
        remote_news: Callable[[], Awaitable[bool]] | None = None,
        texts: TextSource | None = None,
    ) -> None:
        """`remote_news` tells whether a graph on a server has changes that are not in its folder's journal.

        `texts` has the visible text of pages.
        """
        self._texts = texts
        self._folders = words, graph_folder
        self._remote_news = remote_news
        self._journal = GraphFolder(graph_folder).journal
        self._graph = graph
        self._tell = tell
        self._step_seconds = step_seconds
        self._told = ""
        self._life = AsyncExitStack()
        self._process: WordsProcess | None = None
        self._starting, self._turn = asyncio.Lock(), asyncio.Lock()
        self._took = 0.0  # seconds that the graph had to work for us
        self._is_finished = False
        self._wanted = asyncio.Event()  # by somebody who searches
        if remote_news is None or WordsFolder(words).format.exists():
            self._wanted.set()
        self._catching: asyncio.Task[None] | None = None  # for all who search meanwhile

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._catching is not None:
            self._catching.cancel()
            await asyncio.wait([self._catching])
        self._process = None
        await self._life.aclose()

    @property
    def pid(self) -> int | None:
        """The process that keeps the words now."""
        return None if self._process is None else self._process.pid

    async def run(self) -> None:
        """Follow the graph, until cancelled; whatever goes wrong is told, once, and tried again.

        Words of a graph on a server, which may be that of many nodes, begin when somebody wants them here.
        """
        await self._wanted.wait()
        pause = PAUSE
        while True:
            try:
                await self.catch_up()
                pause = min(max(PAUSE, SHARE * self._took), USUAL_PAUSE)
            except GossamerError as error:
                self._complain(str(error))
                pause = min(2 * pause, LONGEST_PAUSE)
            except Exception as error:  # a defect of ours, which is not to stop whoever crawls
                self._complain(f"This should not have happened ({type(error).__name__}: {error}).")
                pause = LONGEST_PAUSE
            await asyncio.sleep(pause)

    async def finish(self, stopping: asyncio.Event | None = None) -> None:
        """Take up all that is left, once, if there is time; else the next who needs it does.

        There is less time from when we are `stopping`.
        """
        if self._is_finished or not self._wanted.is_set():
            return
        self._is_finished = True
        try:
            async with asyncio.timeout(FINISH_SECONDS) as limit:
                hurrying = asyncio.create_task(_hurry(limit, stopping or asyncio.Event()))
                try:
                    await self.catch_up(everything=True)
                finally:
                    hurrying.cancel()
        except TimeoutError:
            self._complain("The words are behind the graph; the next search waits for them.")
        except GossamerError as error:
            self._complain(str(error))

    async def catch_up(self, *, everything: bool = False) -> None:
        """Take up what has changed; raises `WordsError` or `GraphError`."""
        async with self._turn:
            process, graph = await self._open_process(), await self._graph()
            started = time.monotonic()
            cut = await graph.cut()
            state = process.state
            if not cut.follower or state.follower != cut.follower or state.is_outdated:
                await self._begin(process, graph, cut)
            elif cut.segments or state.later:
                async with graph.snapshot() as snapshot:
                    self._took = time.monotonic() - started
                    await process.catch_up(cut.segments, snapshot, everything=everything)

    def want(self) -> None:
        """Have words made, if there are none yet."""
        self._wanted.set()

    async def reindex(self, tell: Callable[[int], None]) -> None:
        """Make all words anew, whatever there is; `tell` hears how many subjects are done."""
        self.want()
        async with self._turn:
            process, graph = await self._open_process(), await self._graph()
            await self._make(process, graph, await graph.cut(), tell)

    async def search(self, search: Search, *, fresh: bool = False) -> Record:
        """The answer to a search: of what there is, or if it is to be fresh, of all there will be.

        Where that takes long, of what there is, and `behind` says so.
        """
        self.want()
        process = await self._open_process()
        behind = None
        if fresh and not await self._is_in_step(process):
            late = OUTDATED if process.state.is_outdated else BEHIND
            behind = None if await self._is_caught_up() else late
            process = await self._open_process()
        if process.state.is_missing and self._turn.locked():
            raise WordsError("The words are being made for the first time. Ask again in a while.")
        return {**await process.search(search), "behind": behind}

    async def _is_caught_up(self) -> bool:
        """Take up what has changed; whether that was done in time, else it goes on by itself."""
        if self._catching is None or self._catching.done():
            self._catching = asyncio.create_task(self.catch_up(everything=True))
            self._catching.add_done_callback(_look_at)
        catching = self._catching
        if not (await asyncio.wait([catching], timeout=FRESH_SECONDS))[0]:
            return False
        if catching.cancelled():
            raise WordsError("The words were closed.")
        catching.result()
        return True

    async def _is_in_step(self, process: WordsProcess) -> bool:
        """Whether the graph has nothing that we have not, as far as can be seen without opening it."""
        follower = follower_of(self._journal)
        is_in_step = (
            follower is not None
            and process.state.follower == follower
            and not process.state.is_outdated
            and not process.state.later
            and not any(numbers(self._journal))
        )
        return is_in_step and (self._remote_news is None or not await self._remote_news())

    async def _begin(self, process: WordsProcess, graph: FollowedGraph, cut: Cut) -> None:
        """Make words of everything; those that are there are of another graph or version, or of none."""
        if process.state.fault is not None and not process.state.is_missing:
            raise WordsError(process.state.fault)
        if (quads := (await graph.counts()).quads) >= WORTH_TELLING:
            why = " anew, since an older version made them," if process.state.is_outdated else ""
            self._tell(f"Words are made{why} of what the graph has already: {quads:,} quads.")
        await self._make(process, graph, cut, lambda _: None)

    async def _make(
        self, process: WordsProcess, graph: FollowedGraph, cut: Cut, tell: Callable[[int], None]
    ) -> None:
        follower = cut.follower or secrets.token_hex(8)
        if not cut.follower:
            await graph.follow(follower)
        async with graph.snapshot() as snapshot:
            await process.make(follower, cut.segments, snapshot, tell)

    async def _open_process(self) -> WordsProcess:
        async with self._starting:
            if self._process is not None and self._process.ended.is_set():
                self._process = None
                await self._life.aclose()
                self._tell("The words process has ended; another takes its place.")
            if self._process is None:
                new = WordsProcess(
                    *self._folders,
                    tell=self._tell,
                    step_seconds=self._step_seconds,
                    is_remote=self._remote_news is not None,
                    texts=self._texts,
                )
                self._process = await self._life.enter_async_context(new)
            return self._process

    def _complain(self, message: str) -> None:
        if message != self._told:
            self._told = message
            self._tell(message)


def _look_at(task: asyncio.Task[None]) -> None:
    """Nobody may be waiting any more for how it ended; whoever searches next finds out anew."""
    if not task.cancelled():
        task.exception()


async def _hurry(limit: asyncio.Timeout, stopping: asyncio.Event) -> None:
    """Bring a limit forward when somebody waits for the end."""
    await stopping.wait()
    soon = asyncio.get_running_loop().time() + STOPPED_SECONDS
    limit.reschedule(min(limit.when() or soon, soon))
