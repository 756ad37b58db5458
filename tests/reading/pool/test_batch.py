import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.reading.pool.crew import HERE, NEEDS_PROC, all_end, lives, spec
from tests.reading.pool.test_pool import small_jobs
from tests.slowness import SLOWNESS
from tests.virtual_time import SkippingLoop

from gossamer.processes.process import Loss, Lost
from gossamer.reading.pool.batch import MOST_BYTES, MOST_JOBS, Window, in_order
from gossamer.reading.pool.connection import Answer
from gossamer.reading.pool.pool import PoolError, WorkerPool


def test_answers_come_in_the_order_of_the_jobs(full_size: bool) -> None:
    jobs, right = small_jobs(100_000 if full_size else 3000)
    pool = WorkerPool(spec(), workers=2)
    assert list(in_order(pool, enumerate(jobs))) == list(enumerate(right))


def test_a_bad_page_keeps_its_place() -> None:
    sleeps = b"wait-for /no/such/file"
    jobs = [b"echo ab", b"segfault", b"echo cd", sleeps, b"echo ef", b"fail it", b"echo gh"]
    # Long enough for the others on a busy machine, where a worker may stand still for a while.
    pool = WorkerPool(spec(time_limit=4 * SLOWNESS), workers=2)
    found = [answer for _, answer in in_order(pool, enumerate(jobs))]
    shown = [each.loss if isinstance(each, Lost) else each for each in found]
    assert shown == [b"ba", Loss.CRASH, b"dc", Loss.TIME, b"fe", Loss.RAISED, b"hg"]


def test_ctrl_c_just_as_an_answer_is_there_is_nothing_but_ctrl_c() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    async def send(_: int, __: bytes) -> Answer:
        asyncio.get_running_loop().call_soon(interrupt)  # before anybody hears of the answer
        return b""

    with pytest.raises(KeyboardInterrupt):
        list(in_order(WorkerPool(spec(), workers=1), [(1, b"echo a")], send))


def test_jobs_are_taken_only_as_there_is_room() -> None:
    taken = 0

    def jobs() -> Iterator[tuple[int, bytes]]:
        nonlocal taken
        for taken in range(1, 3 * MOST_JOBS):
            yield taken, b"echo"

    for given, _ in in_order(WorkerPool(spec(), workers=2), jobs()):
        assert taken - given < MOST_JOBS
    assert taken == given == 3 * MOST_JOBS - 1


def test_large_jobs_and_answers_fill_the_window_sooner() -> None:
    loop = asyncio.new_event_loop()
    window: Window[str] = Window()
    futures: list[asyncio.Future[Answer]] = [loop.create_future() for _ in range(3)]
    fullness = []
    window.push("one", MOST_BYTES // 2, futures[0])
    window.push("two", MOST_BYTES // 4, futures[1])
    fullness.append(window.is_full)
    futures[1].set_result(bytes(MOST_BYTES // 4))
    loop.run_until_complete(asyncio.sleep(0))
    fullness.append(window.is_full)
    futures[0].set_result(Lost(Loss.TIME))
    assert window.pop(loop) == ("one", Lost(Loss.TIME))
    fullness.append(window.is_full)
    window.pop(loop)
    window.push("huge", 2 * MOST_BYTES, futures[2])
    fullness.append(window.is_full)
    futures[2].set_result(b"")
    window.pop(loop)
    fullness.append(window.is_full)
    loop.close()
    assert fullness == [False, True, False, True, False]


def test_a_reader_who_takes_his_time_costs_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = SkippingLoop()
    monkeypatch.setattr(asyncio, "new_event_loop", lambda: loop)
    large = b"swallow " + b"x" * 1_000_000  # more than a socket holds: it waits for our loop
    jobs = [(n, large) for n in range(3)]
    found = []
    limit = 30.0
    for _, answer in in_order(WorkerPool(spec(time_limit=limit), workers=2), jobs):
        found.append(answer)
        loop.skipping.ahead += limit + 0.3
    assert found == [b"1000000"] * 3


@NEEDS_PROC
def test_who_stops_reading_leaves_no_worker() -> None:
    pool = WorkerPool(spec(), workers=2)
    batch = in_order(pool, enumerate([b"pid", *[b"loop"] * 5]))
    _, pid = next(batch)
    assert isinstance(pid, bytes)
    assert lives(int(pid))
    batch.close()
    assert not lives(int(pid))


def test_an_error_of_whoever_gives_the_jobs_goes_through() -> None:
    def jobs() -> Iterator[tuple[int, bytes]]:
        yield 1, b"loop"
        raise OSError("no such file")

    with pytest.raises(OSError, match="no such file"):
        list(in_order(WorkerPool(spec(), workers=1), jobs()))


def test_workers_that_do_not_start_end_the_batch() -> None:
    pool = WorkerPool(spec(function="page_functions:nothing"), workers=2)
    with pytest.raises(PoolError, match="do not start"):
        list(in_order(pool, enumerate([b"echo"] * 5)))


BATCH = """
import sys
sys.path[:0] = {path!r}
from tests.reading.pool.crew import spec
from gossamer.reading.pool.batch import in_order
from gossamer.reading.pool.pool import WorkerPool

jobs = [(n, b"pid" if n < 20 else b"loop") for n in range(40)]
try:
    for _, answer in in_order(WorkerPool(spec(time_limit=300), workers=2), jobs):
        print(answer.decode(), flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@NEEDS_PROC
def test_ctrl_c_ends_a_batch_and_its_workers() -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", BATCH.format(path=[str(HERE.parents[2])])],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with owner:
        assert owner.stdout is not None
        pids = [int(owner.stdout.readline()) for _ in range(20)]
        os.killpg(owner.pid, signal.SIGINT)
        assert owner.stdout.read() == "interrupted\n"
    assert all_end(pids)
    assert owner.returncode == 0
