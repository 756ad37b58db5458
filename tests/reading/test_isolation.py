"""Pages that callers without an event loop have read by workers, and what becomes of those workers."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

import gossamer
from gossamer.config import Transform as Options
from gossamer.model import Cause
from gossamer.reading.isolation import IsolatedWorkers
from gossamer.reading.jobs import PageJob

URL = "http://a.test/"
BODY = b'<title>T</title><a href="/next">Next</a>'
# A query without end: as good as a page that hangs, without a defect of a reader to rely on.
ENDLESS = " . ".join(f"?s{n} ?p{n} ?o{n}" for n in range(12))
HANGING = PageJob(
    URL,
    b"@prefix : <#> . " + b"".join(b":a :b %d . " % number for number in range(60)),
    "text/turtle",
    link_query=f'SELECT ?s0 {{ {ENDLESS} FILTER(CONCAT(STR(?s0), STR(?s11)) = "never") }}',
)


@pytest.fixture
def workers() -> Iterator[IsolatedWorkers]:
    own = IsolatedWorkers(2)
    yield own
    own.close()


def test_an_isolated_page_says_what_it_says_here() -> None:
    body = BODY + b'<p vocab="http://schema.org/" typeof="Thing" property="name">T</p>'
    here = gossamer.extract(body, url=URL, content_type="text/html")
    there = gossamer.extract(body, url=URL, content_type="text/html", isolated=True)
    assert there.extracted() == here.extracted()
    assert there.items == here.items
    assert there.by_syntax == here.by_syntax
    with pytest.raises(ValueError, match="'rfda' is no syntax"):
        gossamer.extract(BODY, url=URL, syntaxes=["rfda"], isolated=True)


def test_a_worker_is_used_again_and_gone_after_closing(workers: IsolatedWorkers) -> None:
    job = PageJob(URL, BODY, "text/html")
    assert workers.submit(job).result().count == 1
    used = workers.pids
    assert len(used) == 1
    assert workers.submit(job).result().count == 1
    assert [*workers.pids] == [*used]
    workers.close()
    assert not workers.pids
    assert workers.submit(job).result().count == 1, "the next page starts others"


def test_other_limits_have_other_workers_and_no_more_than_allowed(workers: IsolatedWorkers) -> None:
    job = PageJob(URL, BODY, "text/html")
    for seconds in range(10, 14):
        options = Options(time_limit=timedelta(seconds=seconds))
        assert workers.submit(replace(job, options=options)).result().count == 1
    assert len(workers.pids) == 2


def test_a_page_that_hangs_is_a_page_with_a_problem(workers: IsolatedWorkers) -> None:
    options = Options(time_limit=timedelta(seconds=1))
    page = workers.submit(replace(HANGING, options=options)).result()
    assert "took longer than 1s" in page.problems[0].message
    assert workers.submit(PageJob(URL, BODY, "text/html", options=options)).result().count == 1


def test_a_page_that_swells_is_a_page_with_a_problem() -> None:
    options = Options(memory_bytes=16 * 1024 * 1024)
    body = b"<p>" + b"<b itemscope itemtype='http://schema.org/Thing'>x</b>" * 400_000
    page = gossamer.extract(body, url=URL, content_type="text/html", options=options, isolated=True)
    assert (page.count, page.cause) == (0, Cause.UNREADABLE)
    assert "of memory" in page.problems[0].message


def test_a_notebook_has_an_event_loop_that_runs() -> None:
    async def cell() -> int:
        return gossamer.extract(BODY, url=URL, isolated=True).count

    assert asyncio.run(cell()) == 1


def test_many_threads_may_ask_at_once() -> None:
    def read(number: int) -> str:
        return gossamer.extract(BODY, url=f"{URL}{number}", isolated=True).url

    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(read, range(24))] == [f"{URL}{number}" for number in range(24)]


# As a script, since the workers of these tests come from a server that knows this process only.
FORKING = """
import os, gossamer
def count():
    return gossamer.extract(b"<title>T</title>", url="http://a.test/", isolated=True).count
print(count(), flush=True)
if not (child := os.fork()):
    print(count(), flush=True)
    raise SystemExit
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), count())
"""


def test_a_forked_process_has_workers_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, check=True)
    assert (done.stdout.split(), done.stderr) == ([b"1", b"1", b"0", b"1"], b"")


SCRIPT = """
import gossamer
from gossamer.reading import isolation
print(gossamer.extract(b"<title>T</title>", url="http://a.test/", isolated=True).count)
print(*isolation._WORKERS.pids)
"""


def test_a_script_needs_no_guard_and_leaves_no_process_behind() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True)
    count, pid = done.stdout.split()
    assert (count, done.stderr) == (b"1", b"")
    known = subprocess.run(["ps", "-p", pid.decode(), "-o", "args="], capture_output=True)
    assert b"gossamer" not in known.stdout
