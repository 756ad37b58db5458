"""Opening the graph and the words of a data folder: a graph in the folder, or on a SPARQL server."""

import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, Protocol

from gossamer.config import Config
from gossamer.fetch.trust import trusted_authorities
from gossamer.folder.data import DataFolder
from gossamer.frontier.store import Store
from gossamer.frontier.texts import TextStore
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.server.address import Server
from gossamer.index.server.client import ServerGraph
from gossamer.index.server.followed import FollowedServer, followed_folder
from gossamer.index.server.journal import DatabaseCall, GraphJournal, JournalWriter
from gossamer.index.words.asked import Search
from gossamer.index.words.asking_texts import KeptTexts
from gossamer.index.words.folder import WordsError, WordsFolder
from gossamer.index.words.following import Following
from gossamer.index.words.skipped import SkippedList
from gossamer.model import Refusal, Url
from gossamer.urls import canonical

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


@dataclass(frozen=True)
class SharedJournal:
    """What the search index needs of the crawl's database: the journal of a graph on a server, and texts of pages.

    Calls of it are made beside the event loop; all calls of a store are for one thread. A graph in a folder has a
    journal of its own, and none is made here then.
    """

    store: Store
    node: str
    run: DatabaseCall

    @cached_property
    def journal(self) -> GraphJournal:
        """The journal."""
        return GraphJournal(self.store, self.node)

    @cached_property
    def texts(self) -> KeptTexts:
        """The texts."""
        return KeptTexts(TextStore(self.store), self.run)

    @property
    def writer(self) -> JournalWriter:
        """Who takes down what changes."""
        return JournalWriter(self.journal, self.run)


def open_graph(
    data: DataFolder,
    config: Config,
    *,
    writing: bool = True,
    journal: SharedJournal | None = None,
) -> OpenGraph:
    """The graph that the crawl in this folder fills, to be entered.

    Whoever only asks does not have to be let write; who writes notes in the crawl's journal what changes.
    """
    if config.index.url is None:
        return GraphProcess(data.placed(config.index).graph_folder)
    server = Server.of(config.index, trusted_authorities(config.fetch.ca))
    return ServerGraph(server, writing=writing, journal=None if journal is None else journal.writer)


def servers_of(config: Config) -> list[Url]:
    """Where the graph is, if it is on a server: whoever crawls keeps off."""
    index = config.index
    named = (index.url, index.query_url, index.update_url, index.store_url)
    found = [canonical(url) for url in named if url is not None]
    return [url for url in found if not isinstance(url, Refusal)]


def open_words(
    data: DataFolder,
    config: Config,
    graph: Callable[[], Awaitable[OpenGraph]],
    tell: Callable[[str], None],
    journal: SharedJournal,
) -> Following | NoWords:
    """The words of the graph of this folder, or of the server that has it; what follows it is to be entered."""
    if (why := why_none(config)) is not None:
        return NoWords(why)
    data = data.placed(config.index)
    if config.index.url is None:
        return Following(
            data.words_folder,
            data.graph_folder,
            partial(_in_folder, graph),
            tell,
            texts=journal.texts,
        )
    copy = followed_folder(data.words_folder)
    server = Server.of(config.index, trusted_authorities(config.fetch.ca))
    followed = FollowedServer(
        copy, server, partial(_counts, graph), journal.journal, journal.run, tell
    )
    return Following(
        data.words_folder,
        copy,
        partial(_ready, followed),
        tell,
        remote_news=followed.has_news,
        texts=journal.texts,
    )


async def _in_folder(graph: Callable[[], Awaitable[OpenGraph]]) -> GraphProcess:
    found = await graph()
    assert isinstance(found, GraphProcess)
    return found


async def _counts(graph: Callable[[], Awaitable[OpenGraph]]) -> GraphCounts:
    return await (await graph()).counts()


async def _ready(followed: FollowedServer) -> FollowedServer:
    return followed


def why_none(config: Config) -> str | None:
    """Why there are no words to search; None where there are."""
    return None if config.index.words else SWITCHED_OFF


async def forget_words(
    data: DataFolder,
    config: Config,
    graph: OpenGraph,
    journal: SharedJournal,
    is_gone: Callable[[str], bool],
) -> None:
    """Have the words, if there are any, forget what was dropped from a graph that is open.

    What they left out, which they list beside them, goes where its name `is_gone`.
    """
    data = data.placed(config.index)
    folder = WordsFolder(data.words_folder)
    await _forget_dropped(data, config, graph, journal)
    SkippedList(folder.skipped).forget(is_gone)
    folder.hand.unlink(missing_ok=True)  # after a crash it names what was in hand


async def _forget_dropped(
    data: DataFolder, config: Config, graph: OpenGraph, journal: SharedJournal
) -> None:
    if not data.words_folder.exists():
        return
    if not config.index.words:  # nobody brings them up to date: they may hold what is to go
        shutil.rmtree(data.words_folder)
        shutil.rmtree(followed_folder(data.words_folder), ignore_errors=True)
        return

    async def get() -> OpenGraph:
        return graph

    words = open_words(data, config, get, lambda _: None, journal)
    assert isinstance(words, Following)
    async with words:
        await words.catch_up(everything=True)
