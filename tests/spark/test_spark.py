"""Archives on Spark: the rows of one machine, whatever dies, and nothing twice."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.columnar.worlds import Archives, ask, make_shop, rows_of, said_in, write_archives
from tests.slowness import patience
from tests.spark.conftest import MASTER, PLAIN

from gossamer.columnar.duck import find_columns
from gossamer.columnar.job import run_job
from gossamer.columnar.rows import PAGE_COLUMNS, ReadOptions
from gossamer.columnar.things import gather_in_duck
from gossamer.demo.world import World
from gossamer.errors import ConfigError, InputError
from gossamer.index.entities.all_entities import shown_entity
from gossamer.tables.quads import COLUMNS

# PySpark says that it does not know the newest pandas, of which nothing is used here.
pytestmark = [pytest.mark.timeout(900), pytest.mark.filterwarnings("ignore::FutureWarning")]
WORLD = World(seed=31, pages=90, hosts=6)
OPTIONS = ReadOptions()


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    """Three files, one of them much larger than the others, with damage in the middle of one."""
    folder = tmp_path_factory.mktemp("archives")
    found = write_archives(folder, WORLD, files=3, plain=30, sizes=(7, 1, 1))
    body = found.paths[1].read_bytes()
    found.paths[1].write_bytes(body + b"\x1f\x8b\x08 this is no record")
    return found


@pytest.fixture(scope="module")
def columns(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("columns")
    run_job(archives.names, folder, OPTIONS, workers=2)
    return folder


def run_spark(spark: Any, paths: list[str], folder: Path, **options: Any) -> Any:
    from gossamer.spark.job import run_spark_job

    return run_spark_job(spark, paths, str(folder), OPTIONS, **options)


def assert_same_rows(folder: Path, other: Path) -> None:
    for table in ("pages", "quads"):
        assert rows_of(folder, table) == rows_of(other, table)


def stamps(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_rows_are_those_of_one_machine_and_a_second_run_writes_nothing(
    spark: Any, archives: Archives, columns: Path, tmp_path: Path
) -> None:
    pattern = str(archives.paths[0].parent / "*.warc.gz")
    report = run_spark(spark, [pattern], tmp_path / "out", buckets=4)
    assert (report.done, report.there) == (3, 0)
    assert len(report.broken) == 1
    assert_same_rows(tmp_path / "out", columns)
    assert said_in(tmp_path / "out") == archives.truth
    totals = json.loads((tmp_path / "out" / "manifest.json").read_text())["totals"]
    assert totals == json.loads((columns / "manifest.json").read_text())["totals"]
    assert not (tmp_path / "out" / "_raw" / "x").exists()
    before = stamps(tmp_path / "out")
    again = run_spark(spark, [pattern], tmp_path / "out", buckets=4)
    assert (again.done, again.there) == (0, 3)
    assert stamps(tmp_path / "out") == before


def test_large_files_are_split_at_records_and_the_rows_are_the_same(
    spark: Any, archives: Archives, columns: Path, tmp_path: Path
) -> None:
    from gossamer.spark.frames import find_files
    from gossamer.spark.sources import plan_parts

    parts = plan_parts(spark, find_files(spark, archives.names), split_bytes=4_000)
    assert len(parts) > 6
    report = run_spark(spark, archives.names, tmp_path, buckets=2, split_bytes=4_000)
    assert report.totals["pages"] == 120
    assert_same_rows(tmp_path, columns)


def test_data_frames_have_the_columns_and_their_types(spark: Any, archives: Archives) -> None:
    import gossamer.spark

    found = gossamer.spark.extract(spark, archives.names[1:])
    assert tuple(found.quads.columns) == COLUMNS
    assert tuple(found.pages.columns) == PAGE_COLUMNS
    kinds = dict(found.pages.dtypes)
    assert kinds["fetched"] == "timestamp"
    assert kinds["syntaxes"] == "map<string,int>"
    assert kinds["languages"] == "array<string>"
    assert found.quads.count() == found.pages.selectExpr("sum(quads)").first()[0] > 0
    only = gossamer.spark.extract(spark, archives.names[1:], only=["jsonld"])
    assert {row[0] for row in only.quads.select("syntax").distinct().collect()} == {"jsonld"}


def test_other_file_systems_are_those_of_the_engine(
    spark: Any, archives: Archives, columns: Path, tmp_path: Path
) -> None:
    folder = archives.paths[0].parent
    from gossamer.spark.job import run_spark_job

    run_spark_job(
        spark,
        [f"viewfs://test/disk{folder}/part-0*.warc.gz"],
        f"viewfs://test/disk{tmp_path}/out",
        OPTIONS,
    )
    assert_same_rows(tmp_path / "out", columns)


def test_inputs_are_spread_over_waves_and_a_job_goes_on(
    spark: Any,
    archives: Archives,
    columns: Path,
    tmp_path: Path,
    spark_environment: dict[str, str],
) -> None:
    out = tmp_path / "out"
    program = (
        "import sys\n"
        "from pyspark.sql import SparkSession\n"
        "from gossamer.columnar.rows import ReadOptions\n"
        "from gossamer.spark.job import run_spark_job\n"
        f"builder = SparkSession.builder.master({MASTER!r})\n"
        f"for name, value in {PLAIN!r}.items(): builder = builder.config(name, value)\n"
        f"run_spark_job(builder.getOrCreate(), {archives.names!r}, {str(out)!r}, ReadOptions(), wave_bytes=1)\n"
    )
    driver = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, **spark_environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + patience(120)
        while not [*(out / "_done").glob("[!.]*.json")] and driver.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        os.killpg(driver.pid, signal.SIGKILL)  # the driver, its JVM and its workers
        driver.wait()
    report = run_spark(spark, archives.names, out, wave_bytes=1)
    assert report.there >= 1
    assert report.there + report.done == 3
    assert_same_rows(out, columns)
    assert not [*(out / "_raw").iterdir()]


def test_workers_of_tasks_that_are_killed_cost_no_row(
    spark: Any, archives: Archives, columns: Path, tmp_path: Path
) -> None:
    import threading

    import psutil

    killed: list[int] = []
    over = threading.Event()

    def kill() -> None:
        jvm = spark._sc._gateway.proc.pid if spark._sc._gateway.proc else os.getpid()
        while len(killed) < 2 and not over.is_set():
            for process in psutil.Process(jvm).children(recursive=True):
                try:
                    confined = "Seccomp:\t2" in Path(f"/proc/{process.pid}/status").read_text()
                    if confined and process.pid not in killed and len(killed) < 2:
                        process.kill()
                        killed.append(process.pid)
                        time.sleep(2)
                except (OSError, psutil.Error):
                    continue
            time.sleep(0.02)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        run_spark(spark, archives.names, tmp_path)
    finally:
        over.set()
        thread.join()
    assert killed
    assert_same_rows(tmp_path, columns)


def test_entities_are_those_of_one_machine(
    spark: Any, archives: Archives, columns: Path, tmp_path: Path
) -> None:
    from gossamer.spark import gather_things

    for folder in (columns, make_shop(tmp_path)):
        quads = spark.read.parquet(str(folder / "quads"))
        pages = spark.read.parquet(str(folder / "pages"))
        rows = gather_things(spark, quads, pages).collect()
        found = sorted(json.dumps(row.asDict(recursive=True), sort_keys=True) for row in rows)
        local = gather_in_duck(find_columns([str(folder)]))
        assert found == sorted(json.dumps(_plain(each), sort_keys=True) for each in local)
        assert found


def _plain(entity: Any) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in shown_entity(entity).items()
    }


def test_faults_are_told_in_sentences(
    spark: Any, archives: Archives, columns: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no file or folder"):
        run_spark(spark, [str(tmp_path / "nowhere*")], tmp_path / "out")
    with pytest.raises(InputError, match="the web is not read"):
        run_spark(spark, ["https://a.test/x.warc.gz"], tmp_path / "out")
    with pytest.raises(ConfigError, match="one machine"):
        run_spark(spark, archives.names, columns)
    (tmp_path / "odd.warc.gz").write_bytes(b"no archive")
    report = run_spark(spark, [str(tmp_path / "odd.warc.gz")], tmp_path / "odd")
    assert report.broken == ["odd.warc.gz: It is no WARC file."]
    assert ask(f"SELECT count(*) FROM '{columns}/pages/*.parquet'") == [(120,)]
