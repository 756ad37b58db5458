"""The pool of workers beside concurrent.futures.ProcessPoolExecutor, and beside no pool at all.

| ratio | what |
| --- | --- |
| round_trip | small jobs one after the other, one worker: how much sooner an answer is back |
| small_jobs | small jobs, 64 at once, one worker: how many more a second |
| pages_1, pages_2 | ordinary pages extracted by 1 and 2 workers, against extraction in process |
| pages_executor_1, pages_executor_2 | the same, against as many workers of the executor |

Both sides start their processes anew (spawn) and are warm when the clock starts. The executor
has neither limits of time and memory nor a way to lose one job and keep the rest. Times are by
the wall, the best of several rounds in turn: with two workers the machine has to have the cores.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.extract_cases.ordinary import URL, pages

from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.reading.page_pool import TransformPool
from gossamer.reading.pool.pool import WorkerPool
from gossamer.reading.pool.worker import WorkerSpec

SMALL = b"x" * 100
AT_ONCE = 64
MEMORY_BYTES = 1 << 30
TIME_LIMIT = 30.0
Measure = Callable[[], Awaitable[float]]


@dataclass(frozen=True, slots=True)
class Size:
    """How much is done."""

    rounds: int
    small_jobs: int
    copies: int  # of all pages
    workers: tuple[int, ...] = (1, 2)


FULL = Size(rounds=7, small_jobs=8192, copies=40)
QUICK = Size(rounds=3, small_jobs=1024, copies=10)
TINY = Size(rounds=1, small_jobs=AT_ONCE, copies=1, workers=(1,))


def echo(job: bytes) -> bytes:
    """What a worker does with a small job."""
    return job


def job_of(body: bytes) -> PageJob:
    """The job that an ordinary page is."""
    return PageJob(URL, body, "text/html")


def extracted(body: bytes) -> Extracted:
    """What a worker of the executor does with a page."""
    return extract_page(job_of(body))


@contextmanager
def executor(workers: int) -> Iterator[Executor]:
    """The peer, started as ours are."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as made:
        yield made


async def best(rounds: int, sides: Sequence[Measure]) -> list[float]:
    """The shortest time of each side, taken in turn."""
    times = [float("inf")] * len(sides)
    for _ in range(rounds):
        for side, measure in enumerate(sides):
            times[side] = min(times[side], await measure())
    return times


async def small_jobs(rounds: int, count: int) -> dict[str, float]:
    """Seconds a job: one by one and many at once, ours and the executor's."""
    spec = WorkerSpec("bench.pool:echo", tuple(sys.path), MEMORY_BYTES, TIME_LIMIT)
    async with WorkerPool(spec, workers=1) as ours:
        with executor(1) as peer:

            async def ours_alone() -> float:
                began = time.perf_counter()
                for _ in range(count):
                    await ours.run(SMALL)
                return (time.perf_counter() - began) / count

            async def peer_alone() -> float:
                began = time.perf_counter()
                for _ in range(count):
                    peer.submit(echo, SMALL).result()
                return (time.perf_counter() - began) / count

            async def ours_many() -> float:
                began = time.perf_counter()
                for _ in range(count // AT_ONCE):
                    await asyncio.gather(*(ours.run(SMALL) for _ in range(AT_ONCE)))
                return (time.perf_counter() - began) / (count // AT_ONCE * AT_ONCE)

            async def peer_many() -> float:
                began = time.perf_counter()
                for _ in range(count // AT_ONCE):
                    list(peer.map(echo, [SMALL] * AT_ONCE))
                return (time.perf_counter() - began) / (count // AT_ONCE * AT_ONCE)

            sides = (ours_alone, peer_alone, ours_many, peer_many)
            await best(1, sides)  # everybody is awake now
            times = await best(rounds, sides)
    return dict(zip((side.__name__ for side in sides), times, strict=True))


async def page_jobs(rounds: int, copies: int, workers: int) -> dict[str, float]:
    """Seconds a page: in process, by our workers, by the executor's."""
    bodies = pages() * copies
    jobs = [job_of(body) for body in bodies]
    async with TransformPool(workers=workers) as ours:
        with executor(workers) as peer:

            async def in_process() -> float:
                began = time.perf_counter()
                for job in jobs:
                    extract_page(job)
                return (time.perf_counter() - began) / len(jobs)

            async def in_pool() -> float:
                began = time.perf_counter()
                await asyncio.gather(*(ours.run(job) for job in jobs))
                return (time.perf_counter() - began) / len(jobs)

            async def in_executor() -> float:
                began = time.perf_counter()
                list(peer.map(extracted, bodies))  # jobs cannot be pickled
                return (time.perf_counter() - began) / len(jobs)

            sides = (in_process, in_pool, in_executor)
            await best(1, sides)
            times = await best(rounds, sides)
    return dict(zip((side.__name__ for side in sides), times, strict=True))


async def measured(size: Size) -> dict[str, object]:
    """Everything, as the last line says it."""
    small = await small_jobs(size.rounds, size.small_jobs)
    ratios = {
        "round_trip": small["peer_alone"] / small["ours_alone"],
        "small_jobs": small["peer_many"] / small["ours_many"],
    }
    figures: dict[str, object] = {
        "round_trip_us": round(small["ours_alone"] * 1e6),
        "peer_round_trip_us": round(small["peer_alone"] * 1e6),
        "small_jobs_per_second": round(1 / small["ours_many"]),
        "peer_small_jobs_per_second": round(1 / small["peer_many"]),
        "cores": len(os.sched_getaffinity(0)),
    }
    for workers in size.workers:
        times = await page_jobs(size.rounds, size.copies, workers)
        ratios[f"pages_{workers}"] = times["in_process"] / times["in_pool"]
        ratios[f"pages_executor_{workers}"] = times["in_executor"] / times["in_pool"]
        figures[f"pages_per_second_{workers}"] = {
            name: round(1 / took) for name, took in times.items()
        }
    rounded = {name: round(ratio, 2) for name, ratio in ratios.items()}
    return {"name": "pool", "ratios": rounded, "figures": figures}


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = parser.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL
    print(json.dumps(asyncio.run(measured(size))))


if __name__ == "__main__":
    main()
