"""The words of a data folder: of a graph that is in it, unless they are switched off."""

import shutil
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from gossamer.config import Config
from gossamer.data import DataFolder
from gossamer.index.client import GraphProcess
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import WordsError, WordsFolder
from gossamer.index.words.following import Following
from gossamer.index.words.skipped import SkippedList

ELSEWHERE: Final = (
    "The graph of this crawl is on a server, and there are no words of it here. "
    "Ask it with `gossamer query`."
)
SWITCHED_OFF: Final = (
    "Words are switched off here (index.words). Switch them on with "
    "`gossamer config set index.words=true`, then run `gossamer reindex`."
)

Record = dict[str, Any]


class Searchable(Protocol):
    """What is asked of words."""

    async def search(self, search: Search, *, fresh: bool = False) -> Record:
        """The answer to a search; if it is to be fresh, after all changes were taken up."""

    async def reindex(self, tell: Callable[[int], None]) -> None:
        """Make all words anew."""


class NoWords:
    """There are none, for a reason."""

    def __init__(self, why: str) -> None:
        self._why = why

    async def search(self, search: Search, *, fresh: bool = False) -> Record:
        """Raise the reason."""
        raise WordsError(self._why)

    async def reindex(self, tell: Callable[[int], None]) -> None:
        """Raise the reason."""
        raise WordsError(self._why)


def words_of(
    data: DataFolder,
    config: Config,
    graph: Callable[[], Awaitable[GraphProcess]],
    tell: Callable[[str], None],
) -> Following | NoWords:
    """The words of the graph in this folder; what follows it is to be entered."""
    if (why := why_none(config)) is not None:
        return NoWords(why)
    return Following(data.words_folder, data.graph_folder, graph, tell)


def why_none(config: Config) -> str | None:
    """Why there are no words to search; None where there are."""
    if config.index.url is not None:
        return ELSEWHERE
    return None if config.index.words else SWITCHED_OFF


async def forget_too(
    data: DataFolder, config: Config, graph: object, is_gone: Callable[[str], bool]
) -> None:
    """Have the words, if there are any, forget what was dropped from a graph that is open.

    What they left out, which they list beside them, goes where its name `is_gone`.
    """
    folder = WordsFolder(data.words_folder)
    await _forget_dropped(data, config, graph)
    SkippedList(folder.skipped).forget(is_gone)
    folder.hand.unlink(missing_ok=True)  # after a crash it names what was in hand


async def _forget_dropped(data: DataFolder, config: Config, graph: object) -> None:
    if not isinstance(graph, GraphProcess) or not data.words_folder.exists():
        return
    if not config.index.words:  # nobody brings them up to date: they may hold what is to go
        shutil.rmtree(data.words_folder)
        return

    async def get() -> GraphProcess:
        return graph

    async with Following(data.words_folder, data.graph_folder, get, lambda _: None) as words:
        await words.catch_up(everything=True)
