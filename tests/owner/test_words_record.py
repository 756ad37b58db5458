"""How the words stand, by their files."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from tests.index.words.small_graph import page, thing

from gossamer.data import DataFolder
from gossamer.index.client import GraphProcess
from gossamer.index.words.asked import Search
from gossamer.index.words.following import Following
from gossamer.owner.messages import Record
from gossamer.owner.words_record import words_record

A, B = "http://a.test/", "http://b.test/"


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
    assert last == {"documents": documents, "behind_files": 0, "behind_bytes": 0, "skipped": 0}
    assert documents == 1


def test_what_cannot_be_read_counts_for_nothing(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    (data.words_folder / "index").mkdir(parents=True)
    for broken in ("", "{}", "[1]", '{"segments": [{}]}', '{"segments": 5}'):
        (data.words_folder / "index" / "meta.json").write_text(broken)
        assert words_record(data) == {
            "documents": 0,
            "behind_files": 0,
            "behind_bytes": 0,
            "skipped": 0,
        }
