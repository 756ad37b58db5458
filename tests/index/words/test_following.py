"""Words follow a graph that is written, through the death of every process, and never hold it up."""

import asyncio
import os
import random
import shutil
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.index.words.small_graph import Small, held, page, thing
from tests.index.words.test_refreshing import history

from gossamer.errors import GraphError
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.store import GraphStore
from gossamer.index.words import following
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import FORMAT, WordsError, WordsFolder, opened
from gossamer.index.words.following import FollowedGraph, Following

A = "http://a.test/"
ADA = page(A, *thing(f"{A}#i", name="Ada"))


def words_of(folder: Path, graph: GraphProcess | None, told: list[str]) -> Following:
    return Following(folder / "words", folder / "graph", getting(graph), told.append)


def getting(graph: GraphProcess | None) -> Callable[[], Awaitable[FollowedGraph]]:
    async def get() -> FollowedGraph:
        if graph is None:
            raise GraphError("The graph is not to be opened.")
        return graph

    return get


async def total(words: Following, text: str, *, fresh: bool = False) -> int:
    return int((await words.search(Search(text=text), fresh=fresh))["total"])


async def comes_to(words: Following, text: str, count: int) -> bool:
    """Whether so many are found, sooner or later."""
    for _ in range(6_000):
        with suppress(WordsError):
            if await total(words, text) == count:
                return True
        await asyncio.sleep(0.01)
    return False


def test_what_is_written_is_found_while_the_graph_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "PAUSE", 0.01)
    monkeypatch.setattr(following, "USUAL_PAUSE", 0.01)

    async def run() -> None:
        told: list[str] = []
        async with (
            GraphProcess(tmp_path / "graph") as graph,
            words_of(tmp_path, graph, told) as words,
        ):
            running = asyncio.create_task(words.run())
            await graph.replace([ADA])
            assert await comes_to(words, "ada", 1)
            running.cancel()

    asyncio.run(run())


@pytest.mark.parametrize("worth_telling", [2, 3])
def test_a_graph_without_words_gets_them_at_first_use_and_says_so_if_it_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worth_telling: int
) -> None:
    monkeypatch.setattr(following, "WORTH_TELLING", worth_telling)
    large = worth_telling == 2

    async def run() -> None:
        told: list[str] = []
        async with GraphProcess(tmp_path / "graph") as graph:
            await graph.replace([ADA])
            async with words_of(tmp_path, graph, told) as words:
                assert await total(words, "ada", fresh=True) == 1
        assert told == ["Words are made of what the graph has already: 2 quads."] * large
        # From here on the graph need not be opened.
        async with words_of(tmp_path, None, told) as words:
            assert await total(words, "ada", fresh=True) == 1

    asyncio.run(run())


def test_words_of_another_graph_are_made_anew(tmp_path: Path) -> None:
    async def run() -> None:
        told: list[str] = []
        for name in ("Ada", "Bob"):
            async with (
                GraphProcess(tmp_path / "graph") as graph,
                words_of(tmp_path, graph, told) as words,
            ):
                await graph.replace([page(A, *thing(f"{A}#i", name=name))])
                assert await total(words, name, fresh=True) == 1
                assert await total(words, "ada") == (name == "Ada")
            shutil.rmtree(tmp_path / "graph")

    asyncio.run(run())


def test_words_of_an_older_version_are_made_anew_by_the_next_who_needs_them(tmp_path: Path) -> None:
    async def run() -> None:
        told: list[str] = []
        async with GraphProcess(tmp_path / "graph") as graph:
            await graph.replace([ADA])
            async with words_of(tmp_path, graph, told) as words:
                assert await total(words, "ada", fresh=True) == 1
            for version in ("1", "2"):
                (tmp_path / "words" / "format").write_text(f"gossamer words {version}\n")
                async with words_of(tmp_path, graph, told) as words:
                    assert await total(words, "ada") == 1  # as it is
                    assert await total(words, "ada", fresh=True) == 1
            assert (tmp_path / "words" / "format").read_text() == FORMAT
        async with words_of(tmp_path, None, told) as words:  # nothing is left to be done
            assert await total(words, "ada", fresh=True) == 1

    asyncio.run(run())


def test_damaged_words_are_left_as_they_are_until_they_are_made_anew(tmp_path: Path) -> None:
    async def run() -> None:
        told: list[str] = []
        async with GraphProcess(tmp_path / "graph") as graph:
            async with words_of(tmp_path, graph, told) as words:
                await words.catch_up()
            (tmp_path / "words" / "format").write_text("gossamer words 99\n")
            await graph.replace([ADA])
            async with words_of(tmp_path, graph, told) as words:
                with pytest.raises(WordsError, match=r"another version.*`gossamer reindex`"):
                    await words.catch_up()
                with pytest.raises(WordsError, match=r"another version.*`gossamer reindex`"):
                    await total(words, "ada")
                await words.finish()
                assert "another version" in told[-1]
                done: list[int] = []
                await words.reindex(done.append)
                assert done == [1]
                assert await total(words, "ada") == 1
                await graph.replace([page(A, *thing(f"{A}#i", name="Bob"))])
                await words.catch_up()
                assert await total(words, "bob") == 1

    asyncio.run(run())


def test_a_words_process_that_dies_is_started_again(tmp_path: Path) -> None:
    async def run() -> None:
        told: list[str] = []
        async with (
            GraphProcess(tmp_path / "graph") as graph,
            words_of(tmp_path, graph, told) as words,
        ):
            await words.catch_up()
            await graph.replace([ADA])
            assert words.pid is not None
            os.kill(words.pid, signal.SIGKILL)
            with pytest.raises(WordsError, match="has ended"):
                await words.catch_up()
            await words.catch_up()
            assert await total(words, "ada") == 1
            assert told == ["The words process has ended; another takes its place."]

    asyncio.run(run())


def test_kills_at_any_moment_lose_nothing(tmp_path: Path, full_size: bool) -> None:
    rounds = 60 if full_size else 4
    random_ = random.Random(4)
    pages = list(history(4, 10 * rounds))

    async def one(number: int) -> None:
        told: list[str] = []
        try:
            async with (
                GraphProcess(tmp_path / "graph") as graph,
                words_of(tmp_path, graph, told) as words,
            ):
                await words.catch_up()
                following_ = asyncio.create_task(words.catch_up())
                for each in pages[10 * number : 10 * number + 10]:
                    await graph.replace([each])
                await asyncio.sleep(random_.uniform(0, 0.1))
                catching = asyncio.create_task(words.catch_up())
                await asyncio.sleep(random_.uniform(0, 0.2))
                victim = random_.choice([graph.pid, words.pid])
                assert victim is not None
                os.kill(victim, signal.SIGKILL)
                await asyncio.gather(following_, catching, return_exceptions=True)
        except (GraphError, WordsError):
            pass  # whoever crawls opens it anew

    async def last() -> None:
        async with (
            GraphProcess(tmp_path / "graph") as graph,
            words_of(tmp_path, graph, []) as words,
        ):
            await words.catch_up(everything=True)

    for number in range(rounds):
        asyncio.run(one(number))
    asyncio.run(last())
    words = opened(WordsFolder(tmp_path / "words"))
    small = Small(tmp_path, GraphStore.open(tmp_path / "graph"), words)
    assert held(words)["count"] > 5
    assert held(words) == held(small.anew())


def test_who_stops_while_words_take_up_what_is_left_does_not_wait_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.index.words.following.STOPPED_SECONDS", 0.01)

    async def never() -> FollowedGraph:
        await asyncio.Event().wait()
        raise AssertionError

    async def run() -> None:
        told: list[str] = []
        stopping = asyncio.Event()
        async with Following(tmp_path / "words", tmp_path / "graph", never, told.append) as words:
            finishing = asyncio.create_task(words.finish(stopping))
            await asyncio.sleep(0.05)
            assert not finishing.done()
            stopping.set()
            async with asyncio.timeout(30):  # half of what it takes where nobody stops
                await finishing
            assert told == ["The words are behind the graph; the next search waits for them."]
            await words.finish(stopping)  # which is done once
            assert len(told) == 1

    asyncio.run(run())
