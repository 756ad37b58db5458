"""A graph on a server as words follow it: what the crawl's journal says is kept here, then taken up.

The journal in the database is for all followers; each has its own position, and its own copy of what comes
after that, in files as the graph of a folder has them. So words take up both in the same way. A line is on
the disk here before the position moves, and the position moves before the database may forget the line.

Words that are of another crawl or server, or have missed changes that the journal keeps no longer, begin anew.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final, Self

from gossamer.folder.durable import sync
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.server.address import Server
from gossamer.index.server.journal import DatabaseCall, GraphJournal, JournalEnds
from gossamer.index.server.reading import written
from gossamer.index.words.journal import Cut, Journal, follower_of

MISSED: Final = "The words missed changes of the graph that the crawl's journal no longer has; they are made anew."


@dataclass(frozen=True, slots=True)
class FollowerPosition:
    """How far the copy of a journal goes, and of which graph's it is."""

    mark: str
    server: str
    seq: int

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """The position in a file; None where there is none."""
        try:
            return cls(**json.loads(path.read_text()))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def keep(self, path: Path) -> None:
        """Return when it is on the disk."""
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps(asdict(self)))
        sync(draft)
        draft.replace(path)
        sync(path.parent)


class FollowedServer:
    """What words ask of a graph, answered by a server and the crawl's journal."""

    def __init__(
        self,
        folder: Path,
        server: Server,
        counts: Callable[[], Awaitable[GraphCounts]],
        journal: GraphJournal,
        run: DatabaseCall,
        tell: Callable[[str], None],
    ) -> None:
        """`folder` is where the copy of the journal is; `counts` tells how much the graph has."""
        self._notes = folder / "journal"
        self._file = folder / "position.json"
        self._server = server
        self._counts = counts
        self._journal = journal
        self._run = run
        self._tell = tell
        self._turn = asyncio.Lock()

    async def counts(self) -> GraphCounts:
        """How much there is."""
        return await self._counts()

    async def follow(self, follower: str) -> None:
        """Begin at the present end of the journal, under this name."""
        async with self._turn:
            before = follower_of(self._notes)
            ends = await self._run(partial(self._journal.begin, follower, before))
            self._notes.parent.mkdir(parents=True, exist_ok=True)
            Journal.begin(self._notes, follower).close()
            self._keep(ends, ends.seq)

    async def cut(self) -> Cut:
        """What the journal has, copied here; nobody's where words are to begin anew."""
        async with self._turn:
            follower, position = follower_of(self._notes), self._position()
            if follower is None or position is None:
                return Cut("", ())
            copy, seq = Journal(self._notes), position.seq
            try:
                while True:
                    after = seq
                    read = await self._run(partial(self._journal.read, after))
                    if _is_missed(read.ends, position, seq):
                        self._tell(MISSED)
                        return Cut("", ())
                    copy.note(read.touched)
                    if (seq := read.seq) != after:
                        self._keep(read.ends, seq)
                    if read.is_all:
                        break
            finally:
                segments = copy.cut()
                copy.close()
            await self._run(partial(self._journal.advance, follower, seq))
            return Cut(follower, segments)

    async def has_news(self) -> bool:
        """Whether the journal has what was not copied yet."""
        position = self._position()
        if position is None:
            return True
        ends = await self._run(self._journal.ends)
        return ends.seq != position.seq or ends.mark != position.mark

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[str]:
        """Where the graph is: what is read there is as new as the journal, or newer."""
        yield written(self._server)

    def _position(self) -> FollowerPosition | None:
        position = FollowerPosition.read(self._file)
        return position if position and position.server == self._server.url else None

    def _keep(self, ends: JournalEnds, seq: int) -> None:
        FollowerPosition(ends.mark, self._server.url, seq).keep(self._file)


def _is_missed(ends: JournalEnds, position: FollowerPosition, seq: int) -> bool:
    """Whether there were changes that are gone, or the journal is not the one that was followed."""
    return ends.mark != position.mark or seq < ends.trimmed or seq > ends.seq


def followed_folder(words: Path) -> Path:
    """Where the copy of the journal is that words in this folder follow."""
    return words.with_name(f"{words.name}.followed")
