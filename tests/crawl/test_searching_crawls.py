"""What a crawl of the demo web lets people find, beside what the demo web knows of itself."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

import pytest
from tests.crawl.comparing import Case, run
from tests.crawl.crawls import PausedBatches
from tests.crawl.crawls import opened as opened_crawl
from tests.index.words.small_graph import HeldTexts, Small, held

from gossamer.demo.entities import KnownEntity, counts_by_type, known_entities
from gossamer.demo.process import DemoServer
from gossamer.demo.queries import known_queries
from gossamer.demo.world import World
from gossamer.events import Event, WordsTrouble
from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.texts import TextStore
from gossamer.index.graph.blanks import SCHEME
from gossamer.index.graph.store import GraphStore
from gossamer.index.words import following
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import WordsError, WordsFolder, opened
from gossamer.index.words.following import Following
from gossamer.index.words.searching import answered

WORLD = World(seed=2, pages=300, hosts=16, crawl_delay=0.01)
CASE = Case(WORLD, (WORLD.front(0),))


@pytest.fixture(scope="module")
def known() -> Mapping[str, KnownEntity]:
    return known_entities(CASE.truth())


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """The words of a crawl, and its graph."""
    folder = tmp_path_factory.mktemp("crawl")
    run(CASE, folder)
    data = DataFolder(folder / "data")
    store, words = GraphStore.open(data.graph_folder), opened(WordsFolder(data.words_folder))
    return Small(data.path, store, words, texts_of(data))


def texts_of(data: DataFolder) -> HeldTexts:
    """The visible texts that a crawl kept."""
    with closing(SqliteStore(data.frontier_file)) as store:
        texts = TextStore(store)
        return HeldTexts(texts.of([name for _, name in texts.names_after(0, 100_000)]))


def plain(types: list[str]) -> set[str]:
    """schema.org has two spellings."""
    return {each.replace("https://schema.org", "http://schema.org") for each in types}


def test_every_thing_is_found_with_its_types_and_sources(
    found: Small, known: Mapping[str, KnownEntity]
) -> None:
    documents = held(found.words)["documents"]
    expected = {home: entity for home, entity in known.items() if not entity.is_blank}
    assert {home for home in documents if not home.startswith(SCHEME)} == expected.keys()
    assert len(documents) == len(known)
    for home, entity in expected.items():
        assert documents[home]["page_count"] == len(entity.pages)
        assert set(documents[home]["pages"]) <= entity.pages
        assert plain(documents[home]["types"]) == entity.types
        assert entity.label in (None, documents[home]["label"])
    gathered = [home for home, each in documents.items() if len(each["same_as"]) > 1]
    assert len(gathered) > 5  # from subjects of several names
    types = Counter(type_ for each in documents.values() for type_ in plain(each["types"]))
    assert types == counts_by_type(known)


def test_the_right_thing_comes_first_for_fifty_queries(
    found: Small, known: Mapping[str, KnownEntity]
) -> None:
    asked = known_queries(known)
    assert len(asked) == 50
    first = {}
    for query in asked:
        types = (query.type,) if query.type else ()
        results = answered(found.words, Search(text=query.text, types=types))["results"]
        first[query] = results[0]["id"] if results else None
    assert {query: home for query, home in first.items() if home != query.home} == {}


def test_words_of_a_crawl_are_those_of_its_graph(found: Small) -> None:
    assert held(found.words) == held(found.anew())


def test_a_crawl_outlives_its_words_process_and_words_catch_up(tmp_path: Path) -> None:
    events: list[Event] = []

    async def crawl(server: DemoServer) -> None:
        config = CASE.config(server.address)
        async with opened_crawl(tmp_path / "data", config, CASE.seeds, events=events) as running:
            words = running.words
            assert isinstance(words, Following)
            killed = asyncio.Event()
            running.crawl.services.append(lambda: kill_words(words, killed))
            running.crawl.batches = PausedBatches(running.crawl.batches, killed)
            await running.crawl.run()

    async def kill_words(words: Following, killed: asyncio.Event) -> None:
        while words.pid is None:  # noqa: ASYNC110 (nobody tells)
            await asyncio.sleep(0.01)
        os.kill(words.pid, signal.SIGKILL)
        killed.set()

    with DemoServer(CASE.world, tmp_path / "access.jsonl") as server:
        asyncio.run(crawl(server))
    assert any(isinstance(event, WordsTrouble) for event in events)
    store = GraphStore.open(tmp_path / "data" / "graph")
    words = opened(WordsFolder(tmp_path / "data" / "words"))
    assert held(words)["count"] > 100
    assert held(words) == held(
        Small(tmp_path, store, words, texts_of(DataFolder(tmp_path / "data"))).anew()
    )


def test_a_crawl_can_be_searched_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "PAUSE", 0.05)
    monkeypatch.setattr(following, "USUAL_PAUSE", 0.05)
    seen: list[int] = []

    async def crawl(server: DemoServer) -> None:
        config = CASE.config(server.address)
        async with opened_crawl(tmp_path / "data", config, CASE.seeds) as running:
            words = running.words
            assert isinstance(words, Following)

            found = asyncio.Event()

            async def look() -> None:
                while not found.is_set():
                    await asyncio.sleep(0.05)
                    if words.pid is not None:
                        with suppress(WordsError):  # they are being made
                            seen.append((await words.search(Search()))["total"])
                            if seen[-1]:
                                found.set()

            running.crawl.services.append(look)
            running.crawl.batches = PausedBatches(running.crawl.batches, found)
            await running.crawl.run()

    with DemoServer(CASE.world, tmp_path / "access.jsonl") as server:
        asyncio.run(crawl(server))
    assert max(seen) > 0
