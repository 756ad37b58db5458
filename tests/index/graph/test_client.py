"""The graph's processes from outside: what is kept, who is told, and who ends with whom."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.index.damage import break_tables
from tests.index.made_pages import PAGES, V, about, kept, page, url
from tests.reading.pool.crew import NEEDS_PROC, all_end, lives

from gossamer.errors import GossamerError, GraphError
from gossamer.index.graph.client import MOST_WAITING, GraphProcess
from gossamer.index.graph.folder import GraphFolder, GraphUnusableError
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.process import MERGING, NICENESS
from gossamer.index.graph.query import GraphExport, GraphQuery
from gossamer.index.graph.reader_pool import QueryGraphError
from gossamer.index.graph.store import GraphStore

ROOT = Path(__file__).resolve().parents[3]


def test_what_is_replaced_is_there_and_counted_and_comes_out_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            assert await graph.replace([page(1), page(2)]) == ()
            foreign = PageGraphs(url(3), page(1).nquads, about(3))
            (refused,) = await graph.replace([foreign, page(1, version=1)])
            assert refused.url == url(3)
            await graph.flush()
            assert await graph.counts() == GraphCounts(2, 4, 22)
            answer = graph.export(GraphExport("nquads"))
            body = await answer.read()
            assert body.count(b"\n") == answer.rows == 22 + 2 * 4
            one = await graph.export(GraphExport("turtle", graph=f"{url(1)}#graph-1")).read()
            assert one.count(b"has") == 1

    asyncio.run(run())
    assert (tmp_path / "counts.json").exists()
    assert list((tmp_path / "snapshots").iterdir()) == []


def test_many_callers_at_once_are_answered_each_its_own(tmp_path: Path) -> None:
    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:

            async def one(number: int) -> None:
                name = url(number)
                foreign = PageGraphs(name, page(number + 1).nquads, b"")
                refused = await graph.replace([page(number), foreign])
                assert [each.url for each in refused] == [name]

            async with asyncio.TaskGroup() as group:
                for number in range(10 * MOST_WAITING):
                    group.create_task(one(number))
            assert (await graph.counts()).pages == 10 * MOST_WAITING

    asyncio.run(run())


def test_a_caller_who_does_not_wait_for_the_answer_harms_nobody(tmp_path: Path) -> None:
    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            hasty = asyncio.create_task(graph.replace([page(number) for number in range(PAGES)]))
            await asyncio.sleep(0)
            hasty.cancel()
            assert await graph.replace([page(1)]) == ()
            assert (await graph.counts()).pages in (1, PAGES)

    asyncio.run(run())


def test_the_end_of_the_process_is_known_at_once_and_the_graph_can_be_opened_again(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            await graph.replace([page(1)])
            os.kill(graph.pid, signal.SIGSTOP)  # or it might have done all of it before it dies
            waiting = asyncio.create_task(
                graph.replace([page(number, size=100) for number in range(100)])
            )
            await asyncio.sleep(0)
            os.kill(graph.pid, signal.SIGKILL)
            with pytest.raises(GraphError, match="has ended"):
                await waiting
            await graph.ended.wait()
            for call in (graph.replace([page(2)]), graph.flush(), graph.counts()):
                with pytest.raises(GraphError, match="has ended"):
                    await call
            with pytest.raises(GraphError, match="has ended"):
                await graph.query(GraphQuery("ASK {}", ("csv",))).read()
            async with GraphProcess(tmp_path) as again:
                assert (await again.counts()).pages >= 1

    asyncio.run(run())


def threads_that_wait(pid: int) -> set[str]:
    """The names of a process's threads that are nicer than the process is."""
    usual = os.getpriority(os.PRIO_PROCESS, pid)
    return {
        (thread / "comm").read_text().strip()
        for thread in Path(f"/proc/{pid}/task").iterdir()
        if os.getpriority(os.PRIO_PROCESS, int(thread.name)) > usual
    }


@NEEDS_PROC
def test_whatever_merges_tables_waits_while_others_work(tmp_path: Path) -> None:
    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            # Where we are as nice ourselves, nobody is nicer.
            assert threads_that_wait(graph.pid) == ({MERGING} if os.nice(0) < NICENESS else set())

    asyncio.run(run())


def test_a_graph_that_is_held_by_another_is_told_in_one_sentence(tmp_path: Path) -> None:
    holder = GraphStore.open(tmp_path)

    async def run() -> None:
        with pytest.raises(GraphError, match=r"in use by another process\. Wait"):
            async with GraphProcess(tmp_path, lock_patience=0):
                pass

    asyncio.run(run())
    assert holder.counts == GraphCounts()


def test_damage_is_told_with_the_way_out_by_whoever_finds_it_and_from_then_on(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "graph"
    way_out = r"is damaged \(Corruption: .*\)\. `gossamer rebuild` puts it aside and makes it anew"

    async def fill() -> None:
        async with GraphProcess(folder) as graph:
            await graph.replace([page(number) for number in range(PAGES)])

    async def find() -> None:
        async with GraphProcess(folder) as graph:
            for answer in (
                graph.query(GraphQuery("SELECT * { ?s ?p ?o }", ("json",))),
                graph.query(GraphQuery("CONSTRUCT WHERE { ?s ?p ?o }", ("turtle",))),
                graph.export(GraphExport("nquads")),
            ):
                with pytest.raises(QueryGraphError, match=way_out):
                    await answer.read()
            with pytest.raises(GraphUnusableError, match=way_out):
                await graph.replace([page(number, version=1) for number in range(PAGES)])

    async def open_again() -> None:
        with pytest.raises(GraphUnusableError, match=way_out):
            async with GraphProcess(folder):
                pass

    asyncio.run(fill())
    break_tables(folder)
    asyncio.run(find())
    asyncio.run(open_again())


def test_damage_that_is_found_when_counting_anew_is_told_too(tmp_path: Path) -> None:
    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            await graph.replace([page(1)])
        GraphFolder(tmp_path).counts.unlink()
        break_tables(tmp_path)
        with pytest.raises(GraphUnusableError, match=r"is damaged \(Corruption"):
            async with GraphProcess(tmp_path):
                pass

    asyncio.run(run())


def test_nothing_can_be_asked_of_a_closed_graph(tmp_path: Path) -> None:
    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            await graph.replace([page(1)])
        with pytest.raises(GraphError, match="closed"):
            await graph.replace([page(2)])
        assert graph.ended.is_set()

    asyncio.run(run())
    assert kept(tmp_path)


@NEEDS_PROC
def test_no_process_is_left_behind_even_by_an_error(tmp_path: Path) -> None:
    pids: list[int] = []

    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            await graph.query(GraphQuery("ASK {}", ("csv",))).read()
            pids.extend([graph.pid, *graph.reader_pids])
            assert all(map(lives, pids))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(run())
    assert len(pids) == 2
    assert all_end(pids)


def test_nothing_is_written_behind_the_counts_that_closing_keeps(tmp_path: Path) -> None:
    async def write_on(graph: GraphProcess, start: int) -> None:
        for number in range(start, start + 10_000):
            await graph.replace([page(number, size=1)])

    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            await graph.replace([page(0)])
            writers = [write_on(graph, 10_000 * number) for number in range(3 * MOST_WAITING)]
            writing = asyncio.gather(*writers, return_exceptions=True)
            await asyncio.sleep(0.05)
        assert all(isinstance(each, GraphError) for each in await writing)

    asyncio.run(run())
    said, counted = (GraphStore.open(tmp_path).counts for _ in range(2))
    assert said == counted  # the second time by what is there
    assert said.pages > 0


def test_closing_ends_the_queries_that_still_run(tmp_path: Path) -> None:
    async def run() -> None:
        async with GraphProcess(tmp_path) as graph:
            await graph.replace([page(number) for number in range(PAGES)])
            hours = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
            running = asyncio.create_task(graph.query(GraphQuery(hours, ("csv",))).read())
            while not graph.reader_pids:  # noqa: ASYNC110 (nothing tells when a process is started)
                await asyncio.sleep(0.001)
        with pytest.raises(GossamerError):
            await running

    asyncio.run(run())


OWNER = """
import asyncio, sys
from pathlib import Path
from tests.index.made_pages import page
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.query import GraphQuery
async def main():
    async with GraphProcess(Path(sys.argv[1])) as graph:
        await graph.query(GraphQuery("ASK {}", ("csv",))).read()
        print(graph.pid, *graph.reader_pids, flush=True)
        version = int(sys.argv[2])
        while True:
            await graph.replace([page(number, version) for number in range(8)])
            await graph.flush()
            print(version, flush=True)
            version += 1
asyncio.run(main())
"""


@NEEDS_PROC
def test_the_processes_die_with_their_owner_and_what_was_flushed_is_there(
    tmp_path: Path, full_size: bool
) -> None:
    chance, version = random.Random(11), 0
    for _ in range(20 if full_size else 3):
        run = [sys.executable, "-c", OWNER, str(tmp_path), str(version)]
        with subprocess.Popen(run, stdout=subprocess.PIPE, text=True, cwd=ROOT) as owner:
            assert owner.stdout is not None
            pids = [int(each) for each in owner.stdout.readline().split()]
            said = [owner.stdout.readline() for _ in range(chance.randrange(1, 30))]
            owner.kill()
            said += [line for line in owner.stdout.readlines() if line.endswith("\n")]
        assert len(pids) == 2
        assert all_end(pids)
        version = int(said[-1])
        found = {quad for quad in kept(tmp_path) if f"<{V}version>" in quad}
        assert len(found) == 8
        assert all(f'"{version}"' in quad or f'"{version + 1}"' in quad for quad in found)
        version += 2
