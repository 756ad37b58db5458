"""Words of a graph on a server: they follow the crawl's journal, and come to what the graph says."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.index.server.oxigraph import Oxigraph
from tests.index.words.small_graph import page, thing

from gossamer.config import Config, Index
from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.thread import FrontierThread
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.opening import OpenGraph, SharedJournal, open_graph, open_words
from gossamer.index.server.client import ServerGraph
from gossamer.index.server.journal import GraphJournal
from gossamer.index.words.asked import Search
from gossamer.index.words.following import Following

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


@dataclass
class Machine:
    """A folder of its own, with a database, a graph on a server and words that all share."""

    data: DataFolder
    graph: ServerGraph
    words: Following
    journal: SharedJournal
    told: list[str] = field(default_factory=list)

    async def found(self, text: str) -> set[str]:
        answer = await self.words.search(Search(text=text, limit=50), fresh=True)
        assert answer["behind"] is None
        return {each["id"] for each in answer["results"]}


@asynccontextmanager
async def machine(tmp_path: Path, name: str, url: str) -> AsyncIterator[Machine]:
    data = DataFolder(tmp_path / name)
    config = Config(index=Index(url=url))
    told: list[str] = []
    async with AsyncExitStack() as life:
        store = SqliteStore(tmp_path / "frontier.db")
        life.callback(store.close)
        thread = life.enter_context(FrontierThread("journal"))
        journal = SharedJournal(store, name, thread.do)
        graph = open_graph(data, config, journal=journal)
        assert isinstance(graph, ServerGraph)
        await life.enter_async_context(graph)

        async def get() -> OpenGraph:
            return graph

        words = open_words(data, config, get, told.append, journal)
        assert isinstance(words, Following)
        await life.enter_async_context(words)
        yield Machine(data, graph, words, journal, told)


def on(
    tmp_path: Path, oxigraph: Oxigraph, talk: Callable[[Machine, Machine], Awaitable[None]]
) -> None:
    tmp_path.mkdir(exist_ok=True)
    for name in ("one", "two"):
        (tmp_path / name).mkdir(exist_ok=True)

    async def run() -> None:
        async with (
            machine(tmp_path, "one", oxigraph.url) as one,
            machine(tmp_path, "two", oxigraph.url) as two,
        ):
            await talk(one, two)

    asyncio.run(run())


def ada(url: str, name: str = "Ada") -> PageGraphs:
    return page(url, *thing(f"{url}#i", name=name, knows=f"<{A}#i>"))


def test_words_of_two_machines_follow_what_either_puts_into_the_graph(
    tmp_path: Path, oxigraph: Oxigraph
) -> None:
    async def talk(one: Machine, two: Machine) -> None:
        await one.graph.replace([ada(A)])
        assert await one.found("ada") == {f"{A}#i"}  # of the whole graph
        await two.graph.replace([ada(B)])
        assert await one.found("ada") == await two.found("ada") == {f"{A}#i", f"{B}#i"}
        await one.graph.replace([ada(B, "Grace"), ada(C)])
        for each in (one, two):
            assert await each.found("ada") == {f"{A}#i", f"{C}#i"}
            assert await each.found("grace") == {f"{B}#i"}
        await two.graph.replace([page(C, drop=True)])
        for each in (one, two):
            assert await each.found("ada") == {f"{A}#i"}
            (found,) = (await each.words.search(Search(text="ada")))["results"]
            assert found["links_in"] == 1  # B's; its own does not count, and C's is gone

    on(tmp_path, oxigraph, talk)


def test_a_page_that_says_the_same_touches_nothing(tmp_path: Path, oxigraph: Oxigraph) -> None:
    async def talk(one: Machine, _: Machine) -> None:
        await one.graph.replace([ada(A), ada(B)])
        assert await one.found("ada")
        before = one.journal.journal.ends().seq
        await one.graph.replace([ada(A), ada(B, "Grace")])
        read = one.journal.journal.read(before)
        assert read.touched.spoken_of == {f"{B}#i"}

    on(tmp_path, oxigraph, talk)


def test_a_node_that_dies_after_the_graph_took_a_page_leaves_nothing_unseen(
    tmp_path: Path, oxigraph: Oxigraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def talk(one: Machine, two: Machine) -> None:
        await one.graph.replace([ada(A)])
        assert await two.found("ada") == {f"{A}#i"}
        with monkeypatch.context() as dying:
            dying.setattr(GraphJournal, "confirm", lambda _: (_ for _ in ()).throw(SystemError))
            with pytest.raises(SystemError):
                await one.graph.replace([ada(B)])
        # It starts again and fetches the page again, which changes nothing in the graph.
        async with machine(tmp_path, "one", oxigraph.url) as heir:
            await heir.graph.replace([ada(B)])
        assert await two.found("ada") == {f"{A}#i"}
        monkeypatch.setattr(two.journal.journal, "_open_age", -1)  # minutes later
        assert await two.found("ada") == {f"{A}#i", f"{B}#i"}

    on(tmp_path, oxigraph, talk)


def test_words_that_were_away_catch_up_and_those_that_missed_something_begin_anew(
    tmp_path: Path, oxigraph: Oxigraph
) -> None:
    async def before(one: Machine, _: Machine) -> None:
        await one.graph.replace([ada(A)])
        assert await one.found("ada") == {f"{A}#i"}

    async def meanwhile(_: Machine, two: Machine) -> None:
        await two.graph.replace([ada(B)])

    async def again(one: Machine, _: Machine) -> None:
        assert await one.found("ada") == {f"{A}#i", f"{B}#i"}
        assert not one.told

    async def trimmed(_: Machine, two: Machine) -> None:
        await two.graph.replace([page(A, drop=True), ada(C)])
        journal = GraphJournal(SqliteStore(tmp_path / "frontier.db"), "two", most_bytes=0)
        journal.trim()

    async def anew(one: Machine, _: Machine) -> None:
        assert await one.found("ada") == {f"{B}#i", f"{C}#i"}
        assert any("made anew" in each for each in one.told)

    for each in (before, meanwhile, again, trimmed, anew):
        on(tmp_path, oxigraph, each)


def test_what_changed_behind_our_back_is_found_by_a_reindex(
    tmp_path: Path, oxigraph: Oxigraph
) -> None:
    async def talk(one: Machine, _: Machine) -> None:
        await one.graph.replace([ada(A), ada(B)])
        assert await one.found("ada") == {f"{A}#i", f"{B}#i"}
        oxigraph.update(f"DROP GRAPH <{B}>")
        assert f"{B}#i" in await one.found("ada")
        await one.words.reindex(lambda _: None)
        assert await one.found("ada") == {f"{A}#i"}

    on(tmp_path, oxigraph, talk)


def test_while_the_server_is_away_words_are_searched_as_they_are(tmp_path: Path) -> None:
    with Oxigraph(tmp_path / "oxigraph") as oxigraph:

        async def talk(one: Machine, _: Machine) -> None:
            await one.graph.replace([ada(A), ada(B)])
            assert await one.found("ada") == {f"{A}#i", f"{B}#i"}
            await one.graph.replace([ada(B, "Grace")])
            oxigraph.kill()
            found = await one.words.search(Search(text="ada"))
            assert found["total"] == 2
            with pytest.raises(Exception, match="does not answer"):
                await one.words.catch_up()
            oxigraph.start()
            assert await one.found("grace") == {f"{B}#i"}

        on(tmp_path / "machines", oxigraph, talk)
