"""Answers about a small crawl that was made by hand: a frontier and a graph on disk."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from tests.owner.small_crawl import made

from gossamer.config import Config
from gossamer.index.answer import QueryError
from gossamer.owner.answers import Answers
from gossamer.owner.messages import Question, Record, UnableError, record_of
from gossamer.owner.opening import answering

pytestmark = pytest.mark.timeout(60)


def asked(tmp_path: Path, work: Callable[[Answers], Awaitable[None]]) -> None:
    async def run() -> None:
        async with answering("test", await made(tmp_path), Config()) as answers:
            await work(answers)

    asyncio.run(run())


async def record(answers: Answers, what: Any, **rest: Any) -> Record:
    return await record_of(answers.answer(Question(what=what, **rest)))


async def read(answers: Answers, what: Any, **rest: Any) -> tuple[bytes, Record]:
    answer = answers.answer(Question(what=what, **rest))
    return b"".join([part async for part in answer]), answer.end


def test_the_status_has_counts_causes_quads_and_disk_use(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        status = await record(answers, "status")
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
        lines, _ = await read(answers, "hosts")
        assert [json.loads(line)["host"] for line in lines.splitlines()] == ["a.test", "b.test"]
        later, _ = await read(answers, "hosts", host="a.test", limit=1)
        assert [json.loads(line)["host"] for line in later.splitlines()] == ["b.test"]
        idle, _ = await read(answers, "hosts", stage="idle")
        assert json.loads(idle)["host"] == "a.test"

    asked(tmp_path, work)


def test_a_query_names_its_format_streams_and_ends_with_how_it_went(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        text = "SELECT ?o { ?s <http://v.test/says> ?o } ORDER BY ?o"
        rows, end = await read(answers, "query", texts=(text,), formats=("csv",), limit=2)
        assert rows == b"csv\no\r\none\r\nthree\r\n"
        assert (end["format"], end["rows"], end["cut"]) == ("csv", 2, True)
        with pytest.raises(QueryError, match="line 1, column"):
            await read(answers, "query", texts=("SELECT",), formats=("csv",))

    asked(tmp_path, work)


def test_an_export_is_all_or_one_graph(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        everything, end = await read(answers, "export", formats=("nquads",))
        assert everything.count(b"\n") - 1 == end["rows"] > 3
        page = "http://a.test/good"
        one, end = await read(answers, "export", formats=("ntriples",), graph=page)
        assert (one.count(b"says"), end["rows"]) == (2, 2)

    asked(tmp_path, work)


def test_what_is_known_of_a_url_comes_from_frontier_and_graph(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        good = await answers.known_of("http://a.test/good")
        assert good is not None
        assert (good["ended"], good["depth"], good["quads"]) == ("content", 0, 2)
        assert good["fetch"]["syntaxes"] == ["turtle"]
        odd = await answers.known_of("http://a.test/odd")
        assert odd is not None
        assert [told["line"] for told in odd["told"]] == [7]
        linked = await answers.known_of("http://a.test/nofollow")
        assert linked == {"state": "not followed", "why": "nofollow"}
        assert await answers.known_of("http://a.test/unknown") is None
        assert await answers.known_of("mailto:a@b.test") is None

    asked(tmp_path, work)


def test_who_only_reads_can_neither_check_nor_explain_nor_stop(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        for what in ("check", "explain", "stop"):
            with pytest.raises(UnableError):
                await record(answers, what, texts=("http://a.test/",))

    asked(tmp_path, work)


def test_who_can_do_more_does(tmp_path: Path) -> None:
    async def explain(text: str) -> Record:
        return {"given": text}

    async def check(texts: object) -> Record:
        return {"verdicts": texts}

    async def work(answers: Answers) -> None:
        stopped: list[bool] = []
        answers.explain, answers.check = explain, check
        answers.run, answers.stop = lambda: {"seconds": 3}, lambda: stopped.append(True)
        explained = await record(answers, "explain", texts=("http://a.test/good",))
        assert (explained["given"], explained["page"]["quads"]) == ("http://a.test/good", 2)
        assert await record(answers, "check", texts=("x", "y")) == {"verdicts": ("x", "y")}
        assert (await record(answers, "status"))["run"] == {"seconds": 3}
        assert (await record(answers, "stop"))["command"] == "test"
        assert stopped == [True]

    asked(tmp_path, work)


def test_long_work_says_how_far_it_is_and_ends_when_nobody_listens(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        answers.progress_seconds = 0.001
        async with aclosing(answers.answer(Question(what="reindex")).__aiter__()) as parts:
            assert await anext(parts) == b"0\n"
        lines, end = await read(answers, "reindex")
        counts = [int(line) for line in lines.split()]
        assert counts == sorted(counts)
        assert end["subjects"] == 2

    asked(tmp_path, work)
