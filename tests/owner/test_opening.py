import asyncio
import shutil
from pathlib import Path

import pytest
from tests.owner.small_crawl import made

from gossamer.config import Config
from gossamer.index.client import GraphProcess
from gossamer.index.folder import GraphError
from gossamer.owner.client import NoOwnerError, Owner
from gossamer.owner.messages import Question, record_of
from gossamer.owner.opening import LateGraph, answering

pytestmark = pytest.mark.timeout(60)
STATUS = Question(what="status")


def test_others_are_answered_at_the_socket_while_the_folder_is_ours(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        owner = Owner(data.socket_file)
        async with answering("test", data, Config()) as answers:
            theirs = await record_of(owner.answer(STATUS))
            assert theirs["owner"]["command"] == "test"
            ours = await record_of(answers.answer(STATUS))
            assert {**theirs, "disk": 0, "disk_free": 0} == {**ours, "disk": 0, "disk_free": 0}
        with pytest.raises(NoOwnerError):
            await record_of(owner.answer(STATUS))
        assert not data.socket_file.exists()

    asyncio.run(run())


def test_a_graph_that_is_open_already_is_asked(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        async with (
            GraphProcess(data.graph_folder) as graph,
            answering("crawl", data, Config(), graph) as answers,
        ):
            assert (await record_of(answers.answer(STATUS)))["graph"]["quads"] == 3

    asyncio.run(run())


async def accepted(_: object) -> None:
    """Nothing is wrong with the graph."""


def test_a_graph_is_opened_once_for_all_who_ask_and_not_before(tmp_path: Path) -> None:
    async def run() -> None:
        late = LateGraph(lambda: GraphProcess(tmp_path / "graph"), accepted)
        assert not (tmp_path / "graph").exists()
        first = asyncio.ensure_future(late.get())
        await asyncio.sleep(0)
        first.cancel()  # who came first may go; the others still get it
        one, other = await asyncio.gather(late.get(), late.get())
        assert one is other
        await late.aclose()
        assert isinstance(one, GraphProcess)
        assert one.ended.is_set()

    asyncio.run(run())


def test_a_graph_that_cannot_be_opened_says_so_to_everybody(tmp_path: Path) -> None:
    async def run() -> None:
        (tmp_path / "graph").mkdir()
        (tmp_path / "graph" / "format").write_text("something else")
        late = LateGraph(lambda: GraphProcess(tmp_path / "graph"), accepted)
        for _ in range(2):
            with pytest.raises(GraphError, match="another version"):
                await late.get()
        await late.aclose()

    asyncio.run(run())


def test_a_graph_that_somebody_took_away_is_no_empty_graph(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        shutil.rmtree(data.graph_folder)
        for _ in range(2):
            async with answering("test", data, Config()) as answers:
                with pytest.raises(
                    GraphError, match=r"is gone: .* `gossamer rebuild` makes it anew"
                ):
                    await record_of(answers.answer(Question(what="query", texts=("ASK {}",))))
                status = await record_of(answers.answer(STATUS))
                assert status["graph"] is None
                assert "is gone" in status["graph_trouble"]
                assert status["ended"]["content"] == 2

    asyncio.run(run())
