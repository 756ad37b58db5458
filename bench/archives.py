"""Archives to columns: pages and megabytes a second of one core, beside other ways, and what a billion pages come to.

The input is a WARC file like those of Common Crawl: half of its pages have mark-up (the long and messy pages of `extract.py`),
half have none. All figures are seconds of the processor, of a process and all that it started: on a busy machine the clock
says little.

| way | what it does |
| --- | --- |
| scan | reads every record, and looks at nothing: the least that anybody pays |
| ours | `gossamer extract --to parquet`, one worker |
| peer | warcio and extruct (JSON-LD, microdata, RDFa, Open Graph, microformats), JSON lines, in two processes |
| spark | `gossamer extract --engine spark --master local[2]`, where `make spark` has set PySpark up |

Spark takes some seconds to begin, whatever it is given; its overhead is what it takes for the rest: the difference between
two runs, of which one has a tiny input. Questions and loads are timed on a million statements.
"""

import argparse
import ctypes
import io
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psutil
from bench.extract_cases.realistic import pages as realistic_pages
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

ROOT = Path(__file__).resolve().parent.parent
PR_SET_CHILD_SUBREAPER = 36
DOLLARS_PER_CORE_HOUR = 0.0094  # a rented machine of 16 cores for 110 dollars a month
PEER = """
import json, sys, warnings
from multiprocessing import Pool
import extruct
from warcio.archiveiterator import ArchiveIterator
warnings.simplefilter("ignore")
def read(page):
    url, body = page
    try:
        return json.dumps(extruct.extract(body, base_url=url, errors="ignore"), default=str)
    except Exception:
        return ""
def pages(path):
    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response":
                yield record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read()
if __name__ == "__main__":
    with Pool(2) as pool, open(sys.argv[2], "w") as out:
        for line in pool.imap(read, pages(sys.argv[1]), chunksize=4):
            out.write(line + "\\n")
"""
SCAN = """
import sys
from fastwarc.warc import ArchiveIterator
with open(sys.argv[1], "rb") as file:
    for record in ArchiveIterator(file):
        record.reader.read()
"""


class Writer(WARCWriter):  # type: ignore[misc]  # warcio brings no types
    """As warcio has it, but with a buffer that needs no closing: its own is left open."""

    _create_temp_file = staticmethod(io.BytesIO)


@dataclass(frozen=True, slots=True)
class Archive:
    """A file to be read."""

    path: Path
    pages: int
    unpacked: int  # bytes


@dataclass(frozen=True, slots=True)
class Cost:
    """What a way took."""

    seconds: float  # of the processor
    memory_mb: float  # of the largest process so far


def write_archive(path: Path, count: int, largest: int) -> Archive:
    """Pages with and without mark-up, in turn, of about the same lengths."""
    marked = [page.body for page in realistic_pages(largest=largest)]
    plain = [without_markup(len(body)) for body in marked]
    unpacked = 0
    with path.open("wb") as file:
        writer = Writer(file, gzip=True)
        for number in range(count):
            kind = (plain, marked)[number % 2]
            body = kind[number // 2 % len(kind)] + b"<!-- %d -->" % number
            unpacked += len(body)
            headers = StatusAndHeaders(
                "200 OK", [("Content-Type", "text/html; charset=utf-8")], "HTTP/1.1"
            )
            url = f"http://site{number % 97}.test/{number}"
            record = writer.create_warc_record(
                url, "response", payload=io.BytesIO(body), http_headers=headers
            )
            writer.write_record(record)
    return Archive(path, count, unpacked)


def without_markup(length: int) -> bytes:
    """A page of about this length as many are: elements, classes, scripts and styles, and no statement."""
    row = (
        '<div class="row item-{0}"><a class="link" href="/page/{0}?ref=nav">Words that say something, number {0}</a>'
        '<p style="margin:0">A paragraph with some text in it, and a <em>few</em> elements.</p></div>\n'
    )
    head = "<!doctype html><html lang=en><head><title>A page</title><meta charset=utf-8>"
    head += "<script>var data = {a: 1, b: [2, 3]};</script><style>.row { color: #333 }</style></head><body>"
    return (head + "".join(row.format(number) for number in range(max(1, length // 230)))).encode()


def cost_of(command: list[str], variables: Mapping[str, str] | None = None) -> Cost:
    """Run a program; the processor time of it and of all that it started and waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        command,
        env={**os.environ, **(variables or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    with Watch() as watch:
        _, told = process.communicate()
        with suppress(ChildProcessError):
            while True:  # those whose parents did not wait for them have become ours
                os.waitpid(-1, 0)
    assert process.returncode == 0, told.decode()[-2000:]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(max(seconds, watch.seconds), after.ru_maxrss / 1024)


class Watch:
    """Looks at all processes below this one ten times a second, and keeps what each had used last.

    A process whose parent takes no notice of its end, as below Spark's daemon, is in nobody's account afterwards.
    """

    def __init__(self) -> None:
        self._used: dict[tuple[int, float], float] = {}
        self._over = Event()
        self._thread = Thread(target=self._look)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @property
    def seconds(self) -> float:
        """Of the processor, of all of them."""
        return sum(self._used.values())

    def _look(self) -> None:
        here = psutil.Process()
        while not self._over.wait(0.1):
            for each in here.children(recursive=True):
                with suppress(psutil.Error):
                    times = each.cpu_times()
                    self._used[each.pid, each.create_time()] = times.user + times.system


def gossamer(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "gossamer", *map(str, arguments)]


def spark_variables() -> dict[str, str] | None:
    """With which Spark is found; None where it is not there."""
    found = sorted((ROOT / ".venv-spark").glob("lib/python*/site-packages"))
    if not found or shutil.which("java") is None:
        return None
    return {"PYTHONPATH": f"{found[0]}:{ROOT / 'src'}", "SPARK_LOCAL_IP": "127.0.0.1"}


def ways(
    archive: Archive, few: Archive, tiny: Archive, folder: Path, variables: Mapping[str, str] | None
) -> Iterator[tuple[str, Cost]]:
    """Each way's cost for a page, without what it takes to begin; Spark's where there are variables for it.

    The peer, which takes twenty times as long, reads a smaller archive.
    """
    commands: dict[str, list[str]] = {
        "scan": [sys.executable, "-c", SCAN, "{}"],
        "ours": gossamer(
            "extract", "{}", "--to", "parquet", "-o", folder / "ours-{n}", "--workers", "1"
        ),
        "peer": [sys.executable, "{peer}", "{}", str(folder / "peer.jsonl")],
    }
    (folder / "peer.py").write_text(PEER)
    if variables is not None:
        commands["spark"] = gossamer(
            *("extract", "{}", "--to", "parquet", "-o", folder / "spark-{n}"),
            *("--engine", "spark", "--master", "local[2]", "--conf", "spark.ui.enabled=false"),
            *("--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.driver.memory=1g"),
        )
    for name, command in commands.items():
        costs = []
        whole = few if name == "peer" else archive
        for number, each in enumerate((tiny, whole)):
            places = {"{}": str(each.path), "{peer}": str(folder / "peer.py")}
            made = [places.get(word, word.replace("{n}", str(number))) for word in command]
            costs.append(cost_of(made, variables if name == "spark" else None))
        seconds = max(costs[1].seconds - costs[0].seconds, 1e-3) / (whole.pages - tiny.pages)
        yield name, Cost(seconds, costs[1].memory_mb)
        print(
            f"{name:6} {1 / seconds:8,.0f} pages a CPU second (to begin {costs[0].seconds:.1f} s)",
            file=sys.stderr,
        )


def many_statements(columns: Path, wanted: int) -> int:
    """Copy columns until there are so many statements; how many there are."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    (source,) = (columns / "quads").glob("*.parquet")
    table = pq.read_table(source)
    copies = -(-wanted // max(1, table.num_rows))
    with pq.ParquetWriter(source, table.schema, compression="zstd") as writer:
        for number in range(copies):
            changed = table
            for name in ("page", "graph"):
                at = changed.schema.get_field_index(name)
                told = pc.binary_join_element_wise(changed[name], pa.scalar(f"?{number}"), "")
                changed = changed.set_column(at, name, told)
            writer.write_table(changed.cast(table.schema))
    rows: int = table.num_rows * copies
    return rows


def question_figures(columns: Path, wanted: int, folder: Path) -> dict[str, float]:
    """A question and loads, on so many statements."""
    from gossamer.columnar.bulk_load import bulk_load
    from gossamer.columnar.duck import ColumnStore, find_columns

    rows = many_statements(columns, wanted)
    shutil.rmtree(columns / "pages")
    files = find_columns([str(columns)])
    sql = "SELECT host, predicate, count(*), count(DISTINCT subject) FROM quads GROUP BY ALL ORDER BY 3 DESC LIMIT 20"
    figures = {"question_rows": float(rows)}
    with ColumnStore(files) as store:
        best = min(timed(lambda: list(store.ask(sql))) for _ in range(3))
    figures["question_seconds_wall"] = round(best, 3)
    for target in ("oxigraph", "qlever"):
        began = time.process_time()
        loaded = bulk_load(files, target, folder / target)
        took = time.process_time() - began
        figures[f"load_{target}_quads_per_cpu_second"] = round(loaded.quads / took)
    return figures


def timed(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def adopt_orphans() -> None:
    """Have processes whose parent ends become children of this one, so that their time counts."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = parser.parse_args()
    count, largest, statements = (
        (12, 40_000, 1_000)
        if given.tiny
        else (400, 150_000, 200_000)
        if given.quick
        else (3_000, 200_000, 1_000_000)
    )
    adopt_orphans()
    ratios: dict[str, float] = {}
    figures: dict[str, float] = {"pages": count, "dollars_per_core_hour": DOLLARS_PER_CORE_HOUR}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiny = write_archive(folder / "tiny.warc.gz", 2, largest)
        archive = write_archive(folder / "pages.warc.gz", count, largest)
        few = write_archive(folder / "few.warc.gz", max(6, count // 10), largest)
        figures["bytes_a_page"] = round(archive.unpacked / count)
        # Spark alone takes most of a minute to begin.
        variables = None if given.tiny or given.quick else spark_variables()
        costs = dict(ways(archive, few, tiny, folder, variables))
        for way, cost in costs.items():
            figures[f"{way}_pages_per_cpu_second"] = round(1 / cost.seconds, 1)
            mb = archive.unpacked / count / 1e6
            figures[f"{way}_mb_per_cpu_second"] = round(mb / cost.seconds, 2)
            hours = cost.seconds * 1e9 / 3600
            figures[f"{way}_core_hours_per_billion_pages"] = round(hours)
            figures[f"{way}_dollars_per_billion_pages"] = round(hours * DOLLARS_PER_CORE_HOUR, 2)
        figures["ours_largest_process_mb"] = round(costs["ours"].memory_mb)
        ratios["to_peer"] = round(costs["peer"].seconds / costs["ours"].seconds, 2)
        ratios["scan_share"] = round(costs["scan"].seconds / costs["ours"].seconds, 3)
        if "spark" in costs:
            ratios["spark_to_ours"] = round(costs["spark"].seconds / costs["ours"].seconds, 3)
        figures |= question_figures(folder / "ours-1", statements, folder)
    print(json.dumps({"name": "archives", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
