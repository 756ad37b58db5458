"""Words are there where they can be; where not, it is said why."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from tests.index.words.small_graph import page, thing

from gossamer.config import Config, Index
from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import SqliteStore
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.folder import GraphFolder
from gossamer.index.opening import (
    NoWords,
    SharedJournal,
    forget_words,
    open_graph,
    open_words,
    servers_of,
    why_none,
)
from gossamer.index.server.client import ServerGraph
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import WordsError
from gossamer.index.words.following import Following

A = "http://a.test/"
T = TypeVar("T")


async def run(call: Callable[[], T]) -> T:
    return call()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[SharedJournal]:
    with closing(SqliteStore(tmp_path / "frontier.db")) as store:
        yield SharedJournal(store, "node", run)


async def no_graph() -> GraphProcess:
    raise AssertionError("nobody needs it")


@pytest.mark.parametrize(
    ("index", "says"),
    [
        (Index(words=False), "switched off.*`gossamer reindex`"),
        (Index(words=False, url="http://localhost:7878/"), "switched off.*`gossamer reindex`"),
    ],
)
def test_where_there_are_no_words_the_reason_is_said(
    tmp_path: Path, journal: SharedJournal, index: Index, says: str
) -> None:
    config = replace(Config(), index=index)
    assert re.search(says, why_none(config) or "")
    words = open_words(DataFolder(tmp_path), config, no_graph, print, journal)
    assert isinstance(words, NoWords)
    for asking in (words.search(Search()), words.reindex(print)):
        with pytest.raises(WordsError, match=says):
            asyncio.run(asking)


@pytest.mark.parametrize("on", [True, False])
def test_what_the_graph_drops_the_words_forget(
    tmp_path: Path, journal: SharedJournal, on: bool
) -> None:
    data = DataFolder(tmp_path)

    async def run() -> None:
        async with GraphProcess(data.graph_folder) as graph:

            async def get() -> GraphProcess:
                return graph

            words = open_words(data, Config(), get, print, journal)
            assert isinstance(words, Following)
            await graph.replace([page(A, *thing(f"{A}#i", name="Ada"))])
            async with words:
                assert (await words.search(Search(text="ada"), fresh=True))["total"] == 1
            await graph.replace([page(A, drop=True)])
            config = replace(Config(), index=Index(words=on))
            await forget_words(data, config, graph, journal, lambda _: False)
        assert data.words_folder.exists() is on
        words = open_words(data, Config(), no_graph, print, journal)
        if on:
            assert isinstance(words, Following)
            async with words:
                assert (await words.search(Search(text="ada")))["total"] == 0

    asyncio.run(run())


def test_a_folder_without_words_has_none_to_forget(tmp_path: Path, journal: SharedJournal) -> None:
    data = DataFolder(tmp_path)

    async def run() -> None:
        async with GraphProcess(data.graph_folder) as graph:
            await forget_words(data, Config(), graph, journal, lambda _: False)
        assert not data.words_folder.exists()
        assert not GraphFolder(data.graph_folder).journal.exists()

    asyncio.run(run())


def test_the_graph_is_in_the_folder_unless_a_server_is_named(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    assert isinstance(open_graph(data, Config()), GraphProcess)
    elsewhere = Config(index=Index(url="http://localhost:7878/"))
    assert isinstance(open_graph(data, elsewhere), ServerGraph)


def test_whoever_crawls_keeps_off_all_addresses_of_the_server() -> None:
    index = Index(url="http://localhost:7878", update_url="http://Other.test:80/update")
    assert servers_of(Config(index=index)) == ["http://localhost:7878/", "http://other.test/update"]
    assert servers_of(Config()) == []
