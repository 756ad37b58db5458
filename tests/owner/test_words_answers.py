"""How the words stand, by their files."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.index.words.small_graph import page, thing

from gossamer.folder.data import DataFolder
from gossamer.index.graph.client import GraphProcess
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import WordsError
from gossamer.index.words.following import Following
from gossamer.owner.messages import Record
from gossamer.owner.words_answers import behind_trouble, words_record

A, B = "http://a.test/", "http://b.test/"
NOTHING: Record = {
    **dict.fromkeys(("documents", "behind_files", "behind_bytes", "later", "skipped"), 0),
    "behind_seconds": 0.0,
    **dict.fromkeys(("is_being_made", "is_made", "in_step"), False),
}


def test_a_folder_without_words_has_none_to_tell_of(tmp_path: Path) -> None:
    assert words_record(DataFolder(tmp_path)) is None


def test_documents_are_counted_and_what_they_are_behind(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    told: list[Record | None] = []

    async def run() -> int:
        async with GraphProcess(data.graph_folder) as graph:

            async def get() -> GraphProcess:
                return graph

            async def say(names: Sequence[str]) -> None:
                things = (thing(f"{A}#{name}", name=name) for name in names)
                assert not await graph.replace([page(A, *(each for of in things for each in of))])

            await say(["ada", "charles"])
            async with Following(
                data.words_folder, data.graph_folder, get, lambda _: None
            ) as words:
                await words.catch_up(everything=True)
                told.append(words_record(data))
                await say(["ada"])
                told.append(words_record(data))
                await words.catch_up(everything=True)
                told.append(words_record(data))
                documents: int = (await words.search(Search()))["documents"]
                return documents

    documents = asyncio.run(run())
    first, behind, last = told
    assert first is not None
    assert behind is not None
    assert (first["documents"], first["behind_files"]) == (2, 0)
    assert (behind["documents"], behind["behind_files"]) == (2, 1)
    assert behind["behind_bytes"] > 0
    assert (first["in_step"], behind["in_step"]) == (True, False)
    assert last == {**NOTHING, "documents": documents, "is_made": True, "in_step": True}
    assert documents == 1


def test_what_cannot_be_read_counts_for_nothing(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    (data.words_folder / "index").mkdir(parents=True)
    for broken in ("", "{}", "[1]", '{"segments": [{}]}', '{"segments": 5}'):
        (data.words_folder / "index" / "meta.json").write_text(broken)
        (data.words_folder / "later").write_text(broken)
        assert words_record(data) == NOTHING


def test_words_are_not_in_step_while_they_are_made_for_the_first_time(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    told: list[Record | None] = []

    async def run() -> None:
        async with GraphProcess(data.graph_folder) as graph:

            async def get() -> GraphProcess:
                return graph

            await graph.replace([page(A, *thing(f"{A}#ada", name="ada"))])
            async with Following(
                data.words_folder, data.graph_folder, get, lambda _: None
            ) as words:
                with pytest.raises(WordsError):  # they are opened, and nobody has made any
                    await words.search(Search())
                told.append(words_record(data))
                await words.reindex(lambda _: told.append(words_record(data)))
                told.append(words_record(data))

    asyncio.run(run())
    assert all(each is not None for each in told)
    assert told[0] == NOTHING
    assert told[-1] == {**NOTHING, "documents": 1, "is_made": True, "in_step": True}


def test_only_much_that_waits_and_what_waits_long_beside_a_crawl_is_trouble() -> None:
    little = {"behind_bytes": 10, "behind_seconds": 9_999.0}
    assert behind_trouble(None, is_followed=True) is None
    assert behind_trouble(little, is_followed=False) is None
    assert "the oldest for 9999 s" in str(behind_trouble(little, is_followed=True))
    much = {"behind_bytes": 100 * 1024**2, "behind_seconds": 1.0}
    assert "100.0 MiB of changes wait" in str(behind_trouble(much, is_followed=True))
    assert "next search" in str(behind_trouble(much, is_followed=False))
    assert behind_trouble({**much, "behind_bytes": 1}, is_followed=True) is None
