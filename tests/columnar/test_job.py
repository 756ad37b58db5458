"""Archives as columns on one machine: the rows of the truth, whatever dies, and nothing twice."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pandas as pd
import polars as pl
import psutil
import pyarrow.parquet as pq
import pytest
from tests.columnar.worlds import Archives, ask, rows_of, said_in, write_archives, write_page
from tests.slowness import patience

from gossamer.columnar.job import JobReport, run_job
from gossamer.columnar.rows import PAGE_COLUMNS, ReadOptions
from gossamer.demo.world import World
from gossamer.errors import ConfigError, InputError
from gossamer.tables.quads import COLUMNS

WORLD = World(seed=5, pages=60, hosts=6)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    return write_archives(tmp_path_factory.mktemp("archives"), WORLD, files=3, plain=20)


@pytest.fixture(scope="module")
def columns(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("columns")
    run(archives.names, folder)
    return folder


def run(names: list[str], folder: Path, options: ReadOptions | None = None) -> JobReport:
    return run_job(names, folder, options or ReadOptions(), workers=2)


def stamps(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_rows_are_those_of_the_truth(archives: Archives, columns: Path) -> None:
    assert said_in(columns) == archives.truth


def test_files_have_the_columns_in_order_and_rows_sorted_by_page(columns: Path) -> None:
    quads = pq.read_table(columns / "quads" / "part-00-quads.parquet")
    pages = pq.read_table(columns / "pages" / "part-00-pages.parquet")
    assert tuple(quads.column_names) == COLUMNS
    assert tuple(pages.column_names) == PAGE_COLUMNS
    assert pages["url"].to_pylist() == sorted(pages["url"].to_pylist())
    assert quads["page"].to_pylist() == sorted(quads["page"].to_pylist())


def test_a_page_without_mark_up_is_a_row_and_says_what_it_is(columns: Path) -> None:
    query = (
        f"SELECT * FROM '{columns}/pages/*.parquet' WHERE host = 'plain.test' ORDER BY ALL LIMIT 1"
    )
    ((url, host, fetched, status, media_type, digest, languages, syntaxes, *rest),) = ask(query)
    assert (url, host, status, media_type) == (
        "http://plain.test/0",
        "plain.test",
        200,
        "text/html",
    )
    assert fetched.isoformat().startswith("2026-01-02T")
    assert digest.startswith("sha1:")
    assert (languages, dict(syntaxes)) == (["en-gb"], {})
    quads, problems, file, offset = rest
    assert (quads, problems, file) == (0, [], "part-00.warc.gz")
    assert offset > 0


def test_counts_by_syntax_are_those_of_the_statements(columns: Path) -> None:
    by_page = ask(
        f"SELECT key, sum(value)::INT FROM (SELECT unnest(map_entries(syntaxes), recursive := true) "
        f"FROM '{columns}/pages/*.parquet') GROUP BY 1 ORDER BY 1"
    )
    by_quad = ask(
        f"SELECT syntax, count(*)::INT FROM '{columns}/quads/*.parquet' GROUP BY 1 ORDER BY 1"
    )
    assert by_page == by_quad


def test_the_manifest_tells_inputs_and_totals(archives: Archives, columns: Path) -> None:
    manifest = json.loads((columns / "manifest.json").read_text())
    totals = manifest["totals"]
    ((quads,),) = ask(f"SELECT count(*) FROM '{columns}/quads/*.parquet'")
    assert (totals["inputs"], totals["pages"], totals["quads"]) == (3, 80, quads)
    assert totals["bytes"] == sum(path.stat().st_size for path in archives.paths)
    assert [*manifest["inputs"]] == ["part-00", "part-01", "part-02"]


def test_a_second_run_writes_nothing(archives: Archives, columns: Path) -> None:
    before = stamps(columns)
    report = run(archives.names, columns)
    assert (report.done, report.there, report.is_written) == ([], 3, False)
    assert stamps(columns) == before


def test_an_archive_that_lies_elsewhere_by_now_is_not_read_again(
    archives: Archives, columns: Path, tmp_path: Path
) -> None:
    for path in archives.paths:
        shutil.copy(path, tmp_path)
    assert run([str(tmp_path)], columns).done == []


def test_inputs_of_one_name_do_not_meet(archives: Archives, tmp_path: Path) -> None:
    names = []
    for number, path in enumerate(archives.paths[:2]):
        (tmp_path / str(number)).mkdir()
        names.append(str(shutil.copy(path, tmp_path / str(number) / "part.warc.gz")))
    run(names, tmp_path / "both")
    assert len([*(tmp_path / "both" / "quads").iterdir()]) == 2
    assert run(names, tmp_path / "both").done == []
    for name in names:  # one after the other
        run([name], tmp_path / "each")
    for table in ("pages", "quads"):
        assert rows_of(tmp_path / "both", table) == rows_of(tmp_path / "each", table)
    assert run(names, tmp_path / "each").done == []


def test_columns_that_were_read_otherwise_are_not_mixed(archives: Archives, columns: Path) -> None:
    with pytest.raises(ConfigError, match="read otherwise"):
        run(archives.names, columns, ReadOptions(page_statements=True))


def test_two_jobs_do_not_write_to_one_folder(archives: Archives, tmp_path: Path) -> None:
    def again(_: object) -> None:
        with pytest.raises(InputError, match="Another job"):
            run(archives.names, tmp_path)

    run_job(archives.names[:1], tmp_path, ReadOptions(), workers=1, tell=again)


def test_many_inputs_are_shared_among_processes(
    archives: Archives, columns: Path, tmp_path: Path
) -> None:
    run_job(archives.names, tmp_path, ReadOptions(), workers=8)
    assert_same_rows(tmp_path, columns)


@contextmanager
def job_in(folder: Path, archives: Archives) -> Iterator[subprocess.Popen[bytes]]:
    """The command that makes columns in `out`, in a process of its own."""
    command = [sys.executable, "-m", "gossamer", "extract", *archives.names]
    command += ["--to", "parquet", "-o", "out", "--workers", "1"]
    job = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
    try:
        yield job
    finally:
        job.kill()
        job.wait()


def until(is_so: Callable[[], object], job: subprocess.Popen[bytes]) -> None:
    """Wait for it, or for the end of the job."""
    deadline = time.monotonic() + patience(60)
    while not is_so() and job.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def assert_same_rows(folder: Path, other: Path) -> None:
    for table in ("pages", "quads"):
        assert rows_of(folder, table) == rows_of(other, table)


def test_a_job_that_is_killed_goes_on_and_its_rows_are_the_same(
    archives: Archives, columns: Path, tmp_path: Path
) -> None:
    with job_in(tmp_path, archives) as job:
        until(lambda: [*(tmp_path / "out" / "pages").glob("part-*.parquet")], job)
        job.send_signal(signal.SIGKILL)
    report = run(archives.names, tmp_path / "out")
    assert report.there >= 1
    assert_same_rows(tmp_path / "out", columns)
    assert not [*(tmp_path / "out").rglob("*.tmp")]


def test_workers_that_are_killed_cost_no_row(
    archives: Archives, columns: Path, tmp_path: Path
) -> None:
    killed: set[int] = set()
    with job_in(tmp_path, archives) as job:
        pages = tmp_path / "out" / "pages"
        for done in range(
            2
        ):  # one of each file: a page that is killed twice is taken for the reason
            until(lambda done=done: len([*pages.glob("part-*")]) >= done, job)  # type: ignore[misc]
            until(lambda: _kill_a_worker(job.pid, killed), job)
        assert killed
        until(lambda: False, job)
    assert_same_rows(tmp_path / "out", columns)


def _kill_a_worker(job: int, killed: set[int]) -> bool:
    with suppress(psutil.Error):
        for worker in psutil.Process(job).children(recursive=True):
            if worker.pid not in killed and _is_at_work(worker.pid):
                killed.add(worker.pid)
                worker.kill()
                return True
    return False


def _is_at_work(pid: int) -> bool:
    """Whether a process is confined, as a worker is as soon as it takes pages."""
    with suppress(OSError):
        return "Seccomp:\t2" in Path(f"/proc/{pid}/status").read_text()
    return False


def test_a_poisoned_record_costs_itself(tmp_path: Path) -> None:
    path = tmp_path / "poison.warc.gz"
    with path.open("wb") as file:
        for number in range(4):
            body = b"<br itemscope itemprop=x>" * 1_000_000 if number == 2 else b"<p itemscope>x"
            write_page(file, f"http://a.test/{number}", body, "2026-01-01T00:00:00Z")
    small = replace(ReadOptions().transform, memory_bytes=256 * 1024 * 1024)
    run([str(path)], tmp_path / "out", ReadOptions(transform=small))
    told = ask(f"SELECT url[-1:], problems FROM '{tmp_path}/out/pages/*.parquet' ORDER BY url")
    assert [name for name, _ in told] == ["0", "1", "2", "3"]
    assert told[2][1], "too much for the memory of a worker"
    assert [problems for name, problems in told if name != "2"] == [[], [], []]


def test_a_full_disk_or_a_file_in_the_way_is_told_in_a_sentence(
    archives: Archives, tmp_path: Path
) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        run(archives.names, tmp_path / "out")


def test_pandas_and_polars_read_the_types(columns: Path) -> None:
    quads, pages = columns / "quads", columns / "pages"
    frame = pd.read_parquet(quads)
    assert str(frame["fetched"].dtype).startswith("datetime64[us, UTC")
    assert frame["status"].dtype == "int32"
    polars = pl.read_parquet(f"{pages}/*.parquet")
    assert polars.schema["fetched"] == pl.Datetime("us", "UTC")
    assert polars.schema["languages"] == pl.List(pl.String)
    assert polars.schema["offset"] == pl.Int64
    assert len(frame) == sum(polars["quads"])
