"""The pool with real processes: whatever one page does, all the others come back right."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reading.pool.crew import HERE, NEEDS_PROC, all_end, lives, spec
from tests.virtual_time import SkippingLoop, time_skipped

from gossamer.processes.process import Loss, Lost
from gossamer.reading.pool.connection import Answer
from gossamer.reading.pool.pool import HostReading, PoolError, WorkerPool
from gossamer.reading.pool.worker import WorkerSpec


def answers(
    jobs: Sequence[bytes], *, workers: int = 2, orders: WorkerSpec | None = None
) -> list[Answer]:
    """What a pool answers to these jobs, all handed in at once."""

    async def run() -> list[Answer]:
        async with WorkerPool(orders or spec(), workers=workers) as pool:
            return await asyncio.gather(*(pool.run(job) for job in jobs))

    return asyncio.run(run())


def small_jobs(count: int) -> tuple[list[bytes], list[bytes]]:
    """Jobs and their answers."""
    return [b"echo %d" % n for n in range(count)], [str(n)[::-1].encode() for n in range(count)]


def test_every_job_gets_its_own_answer(full_size: bool) -> None:
    jobs, right = small_jobs(100_000 if full_size else 1000)
    assert answers(jobs) == right


@pytest.mark.parametrize(
    ("job", "loss"),
    [
        (b"loop", Loss.TIME),
        (b"loop-in-c", Loss.TIME),
        (b"eat", Loss.MEMORY),
        (b"eat-in-c", Loss.MEMORY),
        (b"segfault", Loss.CRASH),
        (b"leave 0", Loss.CRASH),
        (b"leave 3", Loss.CRASH),
        (b"hang-up", Loss.CRASH),
        (b"liar " + bytes(13), Loss.CRASH),
        (b"kill-me", Loss.KILLED),
        (b"liar \x03\x00\x00\x00\x63", Loss.TIME),  # half a header, then silence
        (b"fail on purpose", Loss.RAISED),
        (b"polite-exit", Loss.RAISED),
    ],
)
def test_a_bad_page_is_lost_alone(job: bytes, loss: Loss) -> None:
    others, right = small_jobs(5)

    async def run() -> tuple[list[Answer], Answer, list[Answer]]:
        async with WorkerPool(spec(), workers=1) as pool:
            running = [pool.submit(each) for each in (*others, job, *others)]
            before = await asyncio.gather(*running[:5])
            # The limit is wide, for a busy machine can stand still for a while; nobody waits for it.
            with time_skipped() if loss is Loss.TIME else nullcontext():
                bad = await running[5]
            return before, bad, await asyncio.gather(*running[6:])

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        before, bad, after = runner.run(run())
    assert before == after == right
    assert isinstance(bad, Lost)
    assert bad.loss is loss


def test_a_pool_that_is_held_begins_no_further_job_until_it_goes_on() -> None:
    async def run() -> tuple[list[bool], list[Answer]]:
        async with WorkerPool(spec(), workers=1) as pool:
            before = await pool.run(b"echo ab")
            pool.hold(True)
            asked = [asyncio.create_task(pool.run(b"echo cd")) for _ in range(3)]
            await asyncio.sleep(0.2)
            waiting = [not each.done() for each in asked]
            pool.hold(False)
            return waiting, [before, *await asyncio.gather(*asked)]

    assert asyncio.run(run()) == ([True] * 3, [b"ba", b"dc", b"dc", b"dc"])


def test_noise_on_stdout_and_stderr_reaches_nobody() -> None:
    assert answers([b"garbage", b"echo ab"], workers=1) == [b"clean", b"ba"]


def test_large_jobs_and_answers_pass_through() -> None:
    size = 50_000_000
    jobs = [b"large %d" % size, b"echo ab", b"swallow " + b"x" * size, b"echo cd"]
    large, *others = answers(jobs, workers=1, orders=spec(memory_mib=512))
    assert others == [b"ba", str(size).encode(), b"dc"]
    assert large == b"x" * size


def test_a_crash_leaves_its_last_words() -> None:
    [lost] = answers([b"segfault"])
    assert isinstance(lost, Lost)
    assert "Segmentation fault" in lost.detail
    assert "in string_at" in lost.detail


EXPECTED = {
    b"echo ab": b"ba",
    b"segfault": Loss.CRASH,
    b"leave 1": Loss.CRASH,
    b"fail it": Loss.RAISED,
    b"large 300000": b"x" * 300_000,
    b"eat": Loss.MEMORY,
    b"kill-me": Loss.KILLED,
}


@settings(max_examples=6)
@given(st.lists(st.sampled_from(list(EXPECTED)), max_size=10), st.integers(1, 3))
def test_any_mixture_of_pages_comes_back_right(jobs: list[bytes], workers: int) -> None:
    found = answers(jobs, workers=workers, orders=spec(memory_mib=64))
    shown = [each.loss if isinstance(each, Lost) else each for each in found]
    assert shown == [EXPECTED[job] for job in jobs]


def test_a_page_whose_worker_was_killed_from_outside_is_tried_again(tmp_path: Path) -> None:
    job = b"once %s" % bytes(tmp_path / "flag")
    assert answers([b"echo ab", job, b"echo cd"], workers=1) == [b"ba", b"second time", b"dc"]


def test_killing_all_workers_from_outside_loses_nothing() -> None:
    jobs, right = small_jobs(2000)

    async def run() -> list[Answer]:
        async with WorkerPool(spec(), workers=2) as pool:
            running = [asyncio.ensure_future(pool.run(job)) for job in jobs]
            await running[100]
            for pid in pool.pids:
                os.kill(pid, signal.SIGKILL)
            return await asyncio.gather(*running)

    assert asyncio.run(run()) == right


def test_a_slow_page_holds_up_no_page_behind_it(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"

    async def run() -> None:
        async with WorkerPool(spec(), workers=2) as pool:
            await asyncio.gather(*(pool.run(b"echo") for _ in range(50)))
            slow = [pool.submit(b"wait-for %s" % bytes(flag)) for flag in (first, second)]
            quick = [pool.submit(b"echo ab") for _ in range(2)]  # one behind each
            second.touch()
            assert await asyncio.gather(slow[1], *quick) == [b"seen", b"ba", b"ba"]
            assert not slow[0].done()
            first.touch()
            assert await slow[0] == b"seen"

    asyncio.run(run())


def test_a_host_of_slow_jobs_leaves_a_worker_to_the_others(tmp_path: Path) -> None:
    first, never = tmp_path / "first", tmp_path / "never"
    told: list[HostReading] = []

    async def run() -> None:
        async with WorkerPool(spec(), workers=2, heard=told.append) as pool:
            slow = pool.submit(b"wait-for %s" % bytes(first), "bad.test")
            while not pool.is_slow("bad.test"):  # noqa: ASYNC110 (nobody tells)
                await asyncio.sleep(0.01)
            first.touch()
            assert await slow == b"seen"
            hosts = ("bad.test", "more.bad.test") * 4  # names of one site, as many as there are
            hostile = [pool.submit(b"wait-for %s" % bytes(never), host) for host in hosts]
            good = [pool.submit(b"echo 12", f"good{n}.test") for n in range(200)]
            assert await asyncio.gather(*good) == [b"21"] * 200
            assert not any(each.done() for each in hostile)
            never.touch()
            assert await asyncio.gather(*hostile) == [b"seen"] * 8

    asyncio.run(run())
    assert told[0].host == "bad.test"
    assert told[0].seconds > 1
    assert not told[0].troubles


def test_jobs_that_are_lost_are_counted_and_told_of() -> None:
    told: list[HostReading] = []

    async def run() -> None:
        async with WorkerPool(spec(), workers=1, heard=told.append) as pool:
            for job in (b"segfault", b"leave 3", b"echo 1", b"segfault"):
                await pool.run(job, "bad.test")
            await pool.run(b"segfault")

    asyncio.run(run())
    assert [(each.host, each.troubles) for each in told] == [
        ("bad.test", 1),
        ("bad.test", 2),
        ("bad.test", 1),
    ]


def test_workers_are_replaced_after_a_number_of_pages_without_a_gap() -> None:
    async def run() -> set[Answer]:
        pids: set[Answer] = set()
        async with WorkerPool(spec(), workers=1, jobs_per_worker=20) as pool:
            while len(pids) < 4:
                pids.update(await asyncio.gather(*(pool.run(b"pid") for _ in range(30))))
            assert len(pool.pids) == 1
        return pids

    pids = asyncio.run(run())
    assert not any(lives(int(pid)) for pid in pids if isinstance(pid, bytes))


def test_a_cancelled_job_disturbs_no_other(tmp_path: Path) -> None:
    flag = tmp_path / "flag"

    async def run() -> None:
        async with WorkerPool(spec(), workers=1) as pool:
            waits = asyncio.ensure_future(pool.run(b"wait-for %s" % bytes(flag)))
            behind, later = (asyncio.ensure_future(pool.run(b"echo %d" % n)) for n in (1, 2))
            await asyncio.sleep(0)
            waits.cancel()
            behind.cancel()
            flag.touch()
            assert await later == b"2"
            assert await pool.run(b"echo 34") == b"43"
            assert waits.cancelled()
            assert behind.cancelled()

    asyncio.run(run())


@NEEDS_PROC
def test_closing_in_the_middle_tells_all_who_wait_and_leaves_no_process() -> None:
    async def run() -> tuple[int, ...]:
        async with WorkerPool(spec(), workers=2) as pool:
            await asyncio.gather(*(pool.run(b"echo") for _ in range(50)))
            pids = pool.pids
            running = [asyncio.ensure_future(pool.run(job)) for job in [b"loop"] * 9]
            await asyncio.sleep(0)
        ends = await asyncio.gather(*running, return_exceptions=True)
        assert all(isinstance(end, PoolError) for end in ends)
        with pytest.raises(PoolError, match="closed"):
            await pool.run(b"echo")
        return pids

    pids = asyncio.run(run())
    assert pids
    assert not any(lives(pid) for pid in pids)


@NEEDS_PROC
def test_an_error_in_the_block_closes_the_pool_and_goes_on() -> None:
    pids: list[int] = []

    async def run() -> None:
        async with WorkerPool(spec(), workers=2) as pool:
            await pool.run(b"echo")
            pids.extend(pool.pids)
            raise RuntimeError("ours")

    with pytest.raises(RuntimeError, match="ours"):
        asyncio.run(run())
    assert pids
    assert not any(lives(pid) for pid in pids)


@pytest.mark.parametrize("steps", range(12))
def test_a_pool_can_be_closed_at_any_step_of_its_start(steps: int) -> None:
    async def run() -> None:
        async with WorkerPool(spec(), workers=2):
            for _ in range(steps):
                await asyncio.sleep(0)

    asyncio.run(run())


def test_workers_that_do_not_start_are_an_error_that_says_why() -> None:
    with pytest.raises(PoolError, match=r"do not start: .*no attribute 'nothing'"):
        answers([b"echo"] * 3, orders=spec(function="page_functions:nothing"))


OWNER = """
import asyncio, sys
sys.path[:0] = {path!r}
from tests.reading.pool.crew import spec
from gossamer.reading.pool.pool import WorkerPool

async def main():
    async with WorkerPool(spec(time_limit=300), workers=3) as pool:
        pids = [await pool.run(b"pid") for _ in range(3)]
        running = [asyncio.ensure_future(pool.run({job!r})) for _ in range(6)]
        while len(pool.pids) < 3:
            await asyncio.sleep(0.01)
        print(*pool.pids, flush=True)
        await asyncio.gather(*running)

asyncio.run(main())
"""


def owner_and_pids(job: bytes) -> tuple["subprocess.Popen[str]", list[int]]:
    """A process of its own with a pool of three workers, all at this job."""
    script = OWNER.format(path=[str(HERE.parents[2])], job=job)
    owner = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert owner.stdout is not None
    return owner, [int(word) for word in owner.stdout.readline().split()]


@NEEDS_PROC
@pytest.mark.parametrize(
    ("job", "how"),
    [
        (b"loop", signal.SIGKILL),
        (b"loop-in-c", signal.SIGKILL),
        (b"wait-for /no/such/file", signal.SIGKILL),
        (b"loop", signal.SIGTERM),
        (b"loop", signal.SIGINT),
    ],
)
def test_no_worker_outlives_its_owner(job: bytes, how: signal.Signals) -> None:
    owner, pids = owner_and_pids(job)
    with owner:
        assert len(pids) == 3
        assert all(lives(pid) for pid in pids)
        os.killpg(owner.pid, how)  # as Ctrl-C would: the whole group
        assert all_end(pids)


@NEEDS_PROC
def test_a_worker_leaves_interrupts_to_its_owner() -> None:
    async def run() -> None:
        async with WorkerPool(spec(), workers=1) as pool:
            await pool.run(b"echo")
            [before] = pool.pids
            os.kill(before, signal.SIGINT)
            assert await pool.run(b"pid") == str(before).encode()

    asyncio.run(run())
