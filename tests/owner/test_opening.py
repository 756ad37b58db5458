import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

import pytest
from tests.owner.small_crawl import made

from gossamer.config import Config
from gossamer.errors import GraphError
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.query import QueryLimits
from gossamer.index.graph.reader_pool import QueryError
from gossamer.model import Url
from gossamer.owner.folder_answers import Activity
from gossamer.owner.handlers import Handlers
from gossamer.owner.messages import Record, UnableError, ask, record_of
from gossamer.owner.opening import Answers, LateGraph, answer_folder, answer_with, read_folder
from gossamer.owner.questions import (
    Check,
    Explain,
    ExportGraph,
    Hosts,
    Query,
    Reindex,
    Status,
    StopOwner,
    StreamQuestion,
)
from gossamer.owner.told import Verdicts
from gossamer.owner.unix_socket import NoOwnerError, Owner
from gossamer.politeness.permission import Permission

STATUS = Status()


def test_others_are_answered_at_the_socket_while_the_folder_is_ours(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        owner = Owner(data.socket_file)
        async with answer_folder("test", data, Config()) as answers:
            theirs = await ask(owner, STATUS)
            assert theirs["owner"]["command"] == "test"
            ours = await ask(answers, STATUS)
            assert {**theirs, "disk": 0, "disk_free": 0} == {**ours, "disk": 0, "disk_free": 0}
        with pytest.raises(NoOwnerError):
            await ask(owner, STATUS)
        assert not data.socket_file.exists()

    asyncio.run(run())


def test_a_graph_that_is_open_already_is_asked(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path)
        async with (
            GraphProcess(data.graph_folder) as graph,
            answer_folder("crawl", data, Config(), graph) as answers,
        ):
            assert (await ask(answers, STATUS))["graph"]["quads"] == 3

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
            async with answer_folder("test", data, Config()) as answers:
                with pytest.raises(
                    GraphError, match=r"is gone: .* `gossamer rebuild` makes it anew"
                ):
                    await record_of(answers.answer(Query("ASK {}", ("csv",))))
                status = await ask(answers, STATUS)
                assert status["graph"] is None
                assert "is gone" in status["graph_trouble"]
                assert status["ended"]["content"] == 2

    asyncio.run(run())


def asked(tmp_path: Path, work: Callable[[Answers], Awaitable[None]]) -> None:
    async def run() -> None:
        async with answer_folder("test", await made(tmp_path), Config()) as answers:
            await work(answers)

    asyncio.run(run())


async def read(answers: Answers, question: StreamQuestion) -> tuple[bytes, Record]:
    answer = answers.answer(question)
    return b"".join([part async for part in answer]), answer.end


def test_the_status_has_counts_causes_quads_and_disk_use(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        status = await ask(answers, Status())
        assert status["ended"] == {
            "content": 2,
            "redirected": 0,
            "skipped": 0,
            "failed": 1,
            "refused": 1,
        }
        assert status["failures"] == {"status-500": 1}
        assert status["refusals"] == {"robots": 1}
        assert status["graph"]["quads"] == 3
        assert status["disk"]["frontier"] > 0
        assert status["run"] is None
        assert json.loads(json.dumps(status)) == status

    asked(tmp_path, work)


def test_hosts_come_as_lines_and_by_stage(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        lines, _ = await read(answers, Hosts())
        assert [json.loads(line)["host"] for line in lines.splitlines()] == ["a.test", "b.test"]
        later, _ = await read(answers, Hosts(after="a.test", limit=1))
        assert [json.loads(line)["host"] for line in later.splitlines()] == ["b.test"]
        idle, _ = await read(answers, Hosts(stage="idle"))
        assert json.loads(idle)["host"] == "a.test"

    asked(tmp_path, work)


def test_a_query_names_its_format_streams_and_ends_with_how_it_went(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        text = "SELECT ?o { ?s <http://v.test/says> ?o } ORDER BY ?o"
        rows, end = await read(answers, Query(text, ("csv",), QueryLimits(rows=2)))
        assert rows == b"csv\no\r\none\r\nthree\r\n"
        assert (end["format"], end["rows"], end["cut"]) == ("csv", 2, True)
        with pytest.raises(QueryError, match="line 1, column"):
            await read(answers, Query("SELECT", ("csv",)))

    asked(tmp_path, work)


def test_an_export_is_all_or_one_graph(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        everything, end = await read(answers, ExportGraph("nquads"))
        assert everything.count(b"\n") - 1 == end["rows"] > 3
        page = "http://a.test/good"
        one, end = await read(answers, ExportGraph("ntriples", page))
        assert (one.count(b"says"), end["rows"]) == (2, 2)

    asked(tmp_path, work)


def test_what_is_known_of_a_url_comes_from_frontier_and_graph(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        good = await answers.folder.known_of("http://a.test/good")
        assert good is not None
        assert (good["ended"], good["depth"], good["quads"]) == ("content", 0, 2)
        assert good["fetch"]["syntaxes"] == ["turtle"]
        odd = await answers.folder.known_of("http://a.test/odd")
        assert odd is not None
        assert [told["line"] for told in odd["told"]] == [7]
        linked = await answers.folder.known_of("http://a.test/nofollow")
        assert linked == {"state": "not followed", "why": "nofollow"}
        assert await answers.folder.known_of("http://a.test/unknown") is None
        assert await answers.folder.known_of("mailto:a@b.test") is None

    asked(tmp_path, work)


def test_who_only_reads_can_neither_check_nor_explain_nor_stop(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        url = "http://a.test/"
        for question, said in (
            (Check((url,)), "This process sends no requests of its own."),
            (Explain(url), "This process sends no requests of its own."),
            (StopOwner(), "`gossamer test` ends by itself."),
        ):
            with pytest.raises(UnableError, match=said):
                await ask(answers, question)

    asked(tmp_path, work)


def test_who_can_do_more_does(tmp_path: Path) -> None:
    async def check(question: Check) -> Verdicts:
        return {"verdicts": [Permission(Url(url)).record() for url in question.urls]}

    async def run() -> None:
        stopped: list[bool] = []
        activity = Activity(run=lambda: {"seconds": 3})
        async with read_folder("test", await made(tmp_path), Config(), activity=activity) as folder:

            async def explain(question: Explain) -> Record:
                return await folder.explained(question.url, {"given": question.url})

            stopping = Handlers().on(StopOwner, folder.doing(lambda: stopped.append(True)))
            more = Handlers().on(Explain, explain).on(Check, check)
            async with answer_with(folder, more, stopping) as answers:
                explained = await ask(answers, Explain("http://a.test/good"))
                assert (explained["given"], explained["page"]["quads"]) == ("http://a.test/good", 2)
                checked = (await ask(answers, Check(("x", "y"))))["verdicts"]
                assert [verdict["url"] for verdict in checked] == ["x", "y"]
                assert (await ask(answers, Status()))["run"] == {"seconds": 3}
                assert (await ask(answers, StopOwner()))["command"] == "test"
                assert stopped == [True]
                answers.withdraw(Check)
                with pytest.raises(UnableError):
                    await ask(answers, Check(("x",)))

    asyncio.run(run())


def test_long_work_says_how_far_it_is_and_ends_when_nobody_listens(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        answers.folder.progress_seconds = 0.001
        async with aclosing(answers.answer(Reindex()).__aiter__()) as parts:
            assert await anext(parts) == b"0\n"
        lines, end = await read(answers, Reindex())
        counts = [int(line) for line in lines.split()]
        assert counts == sorted(counts)
        assert end["subjects"] == 2

    asked(tmp_path, work)
