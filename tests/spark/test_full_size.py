"""A hundred thousand pages in twenty files: the truth on one machine and on Spark, with workers and drivers killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from tests.columnar.worlds import Archives, ask, said_in, write_archives
from tests.slowness import patience
from tests.spark.conftest import MASTER, PLAIN

from gossamer.columnar.rows import PAGE_COLUMNS
from gossamer.demo.world import World
from gossamer.tables.quads import COLUMNS

pytestmark = pytest.mark.timeout(7_200)
PAGES, PLAIN_PAGES, FILES = 100_000, 20_000, 20


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    if os.environ.get("GOSSAMER_TEST_SIZE") != "full":
        pytest.skip("needs soak: a hundred thousand pages take an hour")
    world = World(seed=77, pages=PAGES - PLAIN_PAGES, hosts=200)
    return write_archives(tmp_path_factory.mktemp("many"), world, FILES, plain=PLAIN_PAGES)


@pytest.fixture(scope="module")
def columns(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Columns by one machine, whose workers are killed now and then, and which is killed itself once."""
    folder = tmp_path_factory.mktemp("columns")
    command = extract(archives, folder, "--workers", "2")
    job = start(command)
    until(job, lambda: len([*(folder / "pages").glob("*.parquet")]) >= FILES // 3)
    stop(job)
    job = start(command)
    killed: set[int] = set()
    while job.poll() is None:
        kill_a_worker(job.pid, killed)
        time.sleep(5)
    assert job.returncode == 0
    assert killed
    return folder


def extract(archives: Archives, folder: Path, *options: str) -> list[str]:
    command = [sys.executable, "-m", "gossamer", "extract", str(archives.paths[0].parent)]
    return [*command, "--to", "parquet", "-o", str(folder), *options]


def start(command: list[str], variables: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command, env={**os.environ, **(variables or {})}, start_new_session=True
    )


def stop(job: "subprocess.Popen[bytes]") -> None:
    """Kill it, with all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(job.pid, signal.SIGKILL)
    job.wait()


def until(job: "subprocess.Popen[bytes]", is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + patience(2_000)
    while not is_so() and job.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def kill_a_worker(job: int, killed: set[int]) -> None:
    with suppress(psutil.Error, OSError):
        for process in psutil.Process(job).children(recursive=True):
            status = Path(f"/proc/{process.pid}/status").read_text()
            if "Seccomp:\t2" in status and process.pid not in killed:
                killed.add(process.pid)
                process.kill()
                return


def stamps(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def assert_same_rows(one: Path, other: Path) -> None:
    for table, names in (("pages", PAGE_COLUMNS), ("quads", COLUMNS)):
        told = ", ".join(f'CAST("{name}" AS VARCHAR)' for name in names)
        sides = [
            f"SELECT {told} FROM read_parquet('{folder}/{table}/**/*.parquet', hive_partitioning = false)"
            for folder in (one, other)
        ]
        for left, right in (sides, sides[::-1]):
            assert ask(f"SELECT count(*) FROM ({left} EXCEPT ALL {right})") == [(0,)], table


def test_rows_of_one_machine_are_the_truth_and_a_second_run_writes_nothing(
    archives: Archives, columns: Path
) -> None:
    assert said_in(columns) == archives.truth
    before = stamps(columns)
    job = start(extract(archives, columns))
    assert job.wait() == 0
    assert stamps(columns) == before


def test_rows_of_spark_are_the_same_and_a_second_run_writes_nothing(
    archives: Archives, columns: Path, tmp_path: Path, spark_environment: dict[str, str]
) -> None:
    out = tmp_path / "out"
    # Each wave has a part of the files, so that there is a middle to be restarted in.
    program = (
        "import sys\n"
        "from pyspark.sql import SparkSession\n"
        "from gossamer.columnar.rows import ReadOptions\n"
        "from gossamer.spark.job import run_spark_job\n"
        f"builder = SparkSession.builder.master({MASTER!r}).config('spark.driver.memory', '2g')\n"
        f"for name, value in {PLAIN!r}.items(): builder = builder.config(name, value)\n"
        f"spark = builder.getOrCreate()\n"
        f"size = sum(map(int, {[path.stat().st_size for path in archives.paths]!r})) // 4\n"
        f"run_spark_job(spark, {archives.names!r}, {str(out)!r}, ReadOptions(), wave_bytes=size)\n"
        "spark.stop()\n"
    )
    command = [sys.executable, "-c", program]
    driver = start(command, spark_environment)
    until(driver, lambda: bool([*(out / "_done").glob("[!.]*.json")]))
    stop(driver)
    driver = start(command, spark_environment)
    killed: set[int] = set()
    while driver.poll() is None:
        kill_a_worker(driver.pid, killed)
        time.sleep(5)
    assert driver.returncode == 0
    assert killed
    assert_same_rows(out, columns)
    before = stamps(out)
    assert start(command, spark_environment).wait() == 0
    assert stamps(out) == before
