"""Poison among what pages say: words skip and report it, and everything else is found."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.index.words.small_graph import Small, held, page, thing

from gossamer.folder.data import DataFolder
from gossamer.index import entities
from gossamer.index.graph.client import GraphProcess
from gossamer.index.words import client, following, process, refreshing
from gossamer.index.words.asked import Search, SearchError
from gossamer.index.words.folder import WordsError, WordsFolder
from gossamer.index.words.following import Following
from gossamer.index.words.keeping import catch_up
from gossamer.index.words.skipped import StepGuard, in_hand, read_skipped
from gossamer.index.words.throttle import WordsThrottle
from gossamer.owner import words_answers as words_record_module
from gossamer.owner.words_answers import words_record, words_trouble
from gossamer.processes.process import Program

A, B = "http://a.test/", "http://b.test/"


@pytest.fixture
def poisoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gathering fails where somebody says the word."""

    def failing(
        home: str, said: Mapping[str, Any], links: int, languages: tuple[str, ...] = ()
    ) -> entities.Entity | None:
        if any("poison" in str(each.object) for about in said.values() for each in about):
            raise RecursionError
        return entities.entity_of(home, said, links, languages)

    monkeypatch.setattr(refreshing, "entity_of", failing)


@pytest.mark.usefixtures("poisoned")
def test_a_poisoned_thing_is_left_out_and_reported_and_all_others_are_found(tmp_path: Path) -> None:
    small, watch = Small.make(tmp_path), StepGuard()
    small.say(page(A, *thing(f"{A}#i", name="Ada"), *thing(f"{A}#p", name="poison")))
    _follow(small, watch)
    assert f"{A}#i" in str(held(small.words))
    assert f"{A}#p" not in str(held(small.words))
    assert [(each.iri, each.pages) for each in watch.skipped] == [(f"{A}#p", (A,))]
    # When it is harmless again, it is found, and no longer listed.
    watch.begin((), [f"{A}#p"])
    small.say(page(A, *thing(f"{A}#i", name="Ada"), *thing(f"{A}#p", name="Pam")))
    _follow(small, watch)
    assert f"{A}#p" in str(held(small.words))
    assert watch.mended == [f"{A}#p"]


@pytest.mark.usefixtures("poisoned")
def test_nobody_has_the_thing_of_another_site_left_out(tmp_path: Path) -> None:
    small, watch = Small.make(tmp_path), StepGuard()
    small.say(page(A, *thing(f"{A}#i", name="Ada")), page(B, *thing(f"{A}#i", name="poison")))
    _follow(small, watch)
    assert "Ada" in str(held(small.words))
    assert "poison" not in str(held(small.words))
    assert [each.iri for each in watch.skipped] == [f"{A}#i"]


def test_a_thing_that_is_avoided_is_not_touched(tmp_path: Path) -> None:
    small, watch = Small.make(tmp_path), StepGuard()
    small.say(page(A, *thing(f"{A}#i", name="Ada")))
    _follow(small, watch)
    watch.begin([f"{A}#i"], [f"{A}#i"])
    small.say(page(A, *thing(f"{A}#i", name="Bob"), *thing(f"{A}#j", name="Eve")))
    _follow(small, watch)
    assert "Ada" in str(held(small.words))
    assert "Eve" in str(held(small.words))
    assert {each.iri for each in watch.skipped} == {f"{A}#i"}


def _follow(small: Small, watch: StepGuard) -> None:
    cut = small.store.cut()
    journal = small.folder / "graph" / "journal"
    catch_up(
        small.words,
        journal,
        cut.segments,
        str(small.store.snapshot()),
        WordsThrottle(),
        everything=True,
        guard=watch,
    )


# Run in the words process instead of what gathers things: one name keeps it busy in native code,
# which no signal interrupts (a join of many bytes would do; a filter that never ends is shorter).
STUCK_MODULE = """
import time
from collections import deque
from itertools import repeat
from gossamer.index.words import process, refreshing

entity_of = refreshing.entity_of


def stuck(home, said, links):
    if "poison" in str(said):
        deque(repeat(None), maxlen=0)  # without end, and without a look at signals
    if "slow" in str(said):
        while True:
            pass
    if "waits" in str(said):
        while True:
            time.sleep(0.01)
    return entity_of(home, said, links)


def main(told, descriptor, owner):
    refreshing.entity_of = stuck
    process.main(told, descriptor, owner)
"""


@pytest.fixture
def stuck_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words processes hang where somebody says "poison", and are slow where somebody says "slow"."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "stuck_words.py").write_text(STUCK_MODULE)
    real = process.program

    def program(*given: Any, **named: Any) -> Program:
        made = real(*given, **named)
        path = (*made.path, str(tmp_path / "modules"))
        return Program("stuck_words:main", made.told, path)

    monkeypatch.setattr(client, "program", program)


@pytest.mark.usefixtures("stuck_words")
def test_a_folder_with_poison_in_it_is_searched_across_restarts(tmp_path: Path) -> None:
    told: list[str] = []
    data = DataFolder(tmp_path)

    async def run() -> None:
        async with GraphProcess(tmp_path / "graph") as graph:

            async def get() -> GraphProcess:
                return graph

            def follow() -> Following:
                return Following(data.words_folder, data.graph_folder, get, told.append, 0.8)

            poison = thing(f"{A}#p", name="poison")
            slow = thing(f"{A}#s", name="slow")
            await graph.replace([page(A, *thing(f"{A}#i", name="Ada"), *poison, *slow)])
            async with follow() as words:
                with pytest.raises(WordsError, match=f"stuck with {A}#p"):
                    await words.catch_up()
                await words.catch_up()
                assert (await words.search(Search(text="ada")))["total"] == 1
            async with follow() as words:  # the next time
                found = await words.search(Search(text="ada"), fresh=True)
                assert (found["total"], found["behind"]) == (1, None)
                await graph.replace([page(B, *thing(f"{B}#i", name="Bob"), *poison)])
                assert (await words.search(Search(text="bob"), fresh=True))["total"] == 1

    asyncio.run(run())
    record = words_record(data)
    assert record is not None
    assert record["skipped"] == 2
    assert words_trouble(data) is None
    assert any(f"leaves out {A}#p" in each and "stuck" in each for each in told)
    assert any(f"leaves out {A}#s" in each and "longer" in each for each in told)


@pytest.mark.usefixtures("stuck_words")
def test_a_search_does_not_wait_for_words_that_are_stuck_and_status_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DataFolder(tmp_path)
    monkeypatch.setattr(following, "FRESH_SECONDS", 0.1)
    monkeypatch.setattr(words_record_module, "WORTH_TELLING", 0.0)

    async def run() -> None:
        async with GraphProcess(tmp_path / "graph") as graph:

            async def get() -> GraphProcess:
                return graph

            async with Following(
                data.words_folder, data.graph_folder, get, lambda _: None
            ) as words:
                await words.catch_up()
                await graph.replace([page(A, *thing(f"{A}#s", name="slow"))])
                found = await words.search(Search(text="ada"), fresh=True)
                assert "behind the graph" in found["behind"]
                for _ in range(6_000):
                    if (trouble := words_trouble(data)) is not None:
                        break
                    await asyncio.sleep(0.01)
                assert trouble is not None
                assert f"has been at {A}#s" in trouble
            assert words_trouble(data) is None

    asyncio.run(run())


@pytest.mark.usefixtures("stuck_words")
def test_what_is_in_hand_gets_no_blame_for_a_search_that_took_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DataFolder(tmp_path)
    folder = WordsFolder(data.words_folder)

    async def run() -> None:
        async with GraphProcess(tmp_path / "graph") as graph:

            async def get() -> GraphProcess:
                return graph

            async with Following(
                data.words_folder, data.graph_folder, get, lambda _: None
            ) as words:
                await words.catch_up()
                await graph.replace([page(A, *thing(f"{A}#w", name="waits"))])
                catching = asyncio.create_task(words.catch_up())
                for _ in range(6_000):
                    if in_hand(folder.hand) is not None:
                        break
                    await asyncio.sleep(0.01)
                monkeypatch.setattr(client, "SEARCH_SECONDS", 0.0)
                with pytest.raises(SearchError, match="took longer"):
                    await words.search(Search(text="ada"))
                with pytest.raises(WordsError, match="a search took too long"):
                    await catching

    asyncio.run(run())
    assert read_skipped(folder.skipped) == []
