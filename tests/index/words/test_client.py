"""Whoever waits for the words process hears from it, or hears that it is gone."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from tests.index.words.small_graph import Small, page, thing

from gossamer.index.words.asked import Search, SearchError
from gossamer.index.words.client import WordsProcess
from gossamer.index.words.folder import WordsError

A = "http://a.test/"


def test_jobs_and_searches_go_on_side_by_side(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.words.close()
    small.say(page(A, *thing(f"{A}#i", name="Ada")))

    async def run() -> None:
        async with WordsProcess(tmp_path / "words", tmp_path / "graph") as words:
            segments, snapshot = small.store.cut().segments, str(small.store.snapshot())
            writing = asyncio.create_task(words.catch_up(segments, snapshot))
            answers = await asyncio.gather(*(words.search(Search(text="ada")) for _ in range(20)))
            await writing
            assert {answer["total"] for answer in answers} <= {0, 1}
            assert (await words.search(Search(text="ada")))["total"] == 1
            told: list[int] = []
            await words.make("bob", (), snapshot, told.append)
            assert told == [1]
            assert words.state.follower == "bob"
            with pytest.raises(SearchError, match="--since"):
                await words.search(Search(since="soon"))
            with pytest.raises(WordsError, match="cannot be written"):
                await words.catch_up((), "/nowhere")

    asyncio.run(run())


def test_when_the_process_is_killed_everybody_is_told(tmp_path: Path) -> None:
    Small.make(tmp_path).words.close()

    async def run() -> None:
        async with WordsProcess(tmp_path / "words", tmp_path / "graph") as words:
            os.kill(words.pid, signal.SIGSTOP)
            waiting = asyncio.create_task(words.search(Search(text="ada")))
            await asyncio.sleep(0)
            os.kill(words.pid, signal.SIGKILL)
            with pytest.raises(WordsError, match="has ended"):
                await waiting
            assert words.ended.is_set()
            with pytest.raises(WordsError, match="has ended"):
                await words.search(Search(text="ada"))

    asyncio.run(run())


def test_a_process_without_a_place_to_write_says_why(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("a file")

    async def run() -> None:
        async with WordsProcess(tmp_path / "words", tmp_path / "graph") as words:
            assert words.state.fault is not None
            assert not words.state.is_missing

    asyncio.run(run())
