"""Opening the graph and the words of a data folder: in the folder, or a graph on a SPARQL server, which has no words."""

import shutil
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from gossamer.config import Config
from gossamer.fetch.trust import trusted_authorities
from gossamer.folder.data import DataFolder
from gossamer.index.graph.client import GraphProcess
from gossamer.index.server.address import Server
from gossamer.index.server.client import ServerGraph
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import WordsError, WordsFolder
from gossamer.index.words.following import Following
from gossamer.index.words.skipped import SkippedList
from gossamer.model import Refusal, Url
from gossamer.urls import canonical

ELSEWHERE: Final = (
    "The graph of this crawl is on a server, and there are no words of it here. "
    "Ask it with `gossamer query`."
)
SWITCHED_OFF: Final = (
    "Words are switched off here (index.words). Switch them on with "
    "`gossamer config set index.words=true`, then run `gossamer reindex`."
)
Record = dict[str, Any]
OpenGraph = GraphProcess | ServerGraph


class Searchable(Protocol):
    """What is asked of words."""

    async def search(self, search: Search, *, fresh: bool = False) -> Record:
        """The answer to a search; if it is to be fresh, after all changes were taken up."""

    async def reindex(self, tell: Callable[[int], None]) -> None:
        """Make all words anew."""


class NoWords:
    """No words, and the reason why."""

    def __init__(self, why: str) -> None:
        self._why = why

    async def search(self, search: Search, *, fresh: bool = False) -> Record:
        """Raise the reason."""
        raise WordsError(self._why)

    async def reindex(self, tell: Callable[[int], None]) -> None:
        """Raise the reason."""
        raise WordsError(self._why)


def open_graph(data: DataFolder, config: Config, *, writing: bool = True) -> OpenGraph:
    """The graph that the crawl in this folder fills, to be entered.

    Whoever only asks does not have to be let write.
    """
    if config.index.url is None:
        return GraphProcess(data.placed(config.index).graph_folder)
    server = Server.of(config.index, trusted_authorities(config.fetch.ca))
    return ServerGraph(server, writing=writing)


def servers_of(config: Config) -> list[Url]:
    """Where the graph is, if it is on a server: whoever crawls keeps off."""
    index = config.index
    named = (index.url, index.query_url, index.update_url, index.store_url)
    found = [canonical(url) for url in named if url is not None]
    return [url for url in found if not isinstance(url, Refusal)]


def open_words(
    data: DataFolder,
    config: Config,
    graph: Callable[[], Awaitable[GraphProcess]],
    tell: Callable[[str], None],
) -> Following | NoWords:
    """The words of the graph in this folder; what follows it is to be entered."""
    if (why := why_none(config)) is not None:
        return NoWords(why)
    data = data.placed(config.index)
    return Following(data.words_folder, data.graph_folder, graph, tell)


def why_none(config: Config) -> str | None:
    """Why there are no words to search; None where there are."""
    if config.index.url is not None:
        return ELSEWHERE
    return None if config.index.words else SWITCHED_OFF


async def forget_words(
    data: DataFolder, config: Config, graph: object, is_gone: Callable[[str], bool]
) -> None:
    """Have the words, if there are any, forget what was dropped from a graph that is open.

    What they left out, which they list beside them, goes where its name `is_gone`.
    """
    data = data.placed(config.index)
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
