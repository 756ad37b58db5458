"""Data frames of archives, for programs: `gossamer.spark.extract(spark, paths)`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from gossamer.columnar.rows import PAGE_COLUMNS, ReadOptions
from gossamer.config import Transform
from gossamer.errors import InputError
from gossamer.spark.hadoop import EngineFile, EngineFiles
from gossamer.spark.sources import chunks, plan_parts
from gossamer.spark.tasks import extract_parts
from gossamer.tables.quads import COLUMNS
from gossamer.transform.document import DEFAULTS

BUCKETS: Final = 16  # of hosts
_STATEMENT: Final = (
    "subject string, predicate string, object string, kind string, language string, datatype string, "
    "graph string, syntax string"
)
RAW: Final = (
    "url string, host string, fetched timestamp, status int, media_type string, digest string, "
    "languages array<string>, syntaxes map<string, int>, quads int, "
    "problems array<struct<syntax: string, message: string, line: int>>, file string, offset bigint, "
    f"statements array<struct<{_STATEMENT.replace(' string', ': string')}>>, broken string"
)
"""The columns of a page with its statements, as Spark writes schemas."""


class Extraction(NamedTuple):
    """What archives say, as data frames of PySpark; the columns are those of docs/columns.md."""

    quads: Any
    pages: Any


def extract(
    spark: Any,  # noqa: ANN401 (a session)
    paths: str | Iterable[str],
    *,
    only: Sequence[str] = (),
    page_statements: bool = False,
    contexts: Mapping[str, bytes] | None = None,
    split_bytes: int | None = None,
    options: Transform | None = None,
) -> Extraction:
    """Statements and pages of WARC files as two data frames.

    `paths` are files, folders and patterns of any file system that the session has. `only` takes these syntaxes
    alone, `page_statements` what HTML pages say of themselves, and `contexts` JSON-LD contexts by address: nothing is
    fetched. Files that are much larger than others are split, into ranges of `split_bytes`. The pages are read once, when
    a frame is first used, and kept on the executors' disks until `unpersist`. Of the session, the setting
    `spark.sql.execution.arrow.maxRecordsPerBatch` is changed.
    """
    from dataclasses import replace

    from pyspark import StorageLevel

    transform = replace(options or DEFAULTS, services={})
    if only:
        transform = replace(transform, only=tuple(only))
    wanted = ReadOptions(
        transform=transform, contexts=contexts or {}, page_statements=page_statements
    )
    files = find_files(spark, [paths] if isinstance(paths, str) else paths)
    raw = raw_pages(spark, files, wanted, split_bytes).persist(StorageLevel.DISK_ONLY)
    return frames_of(raw)


def find_files(spark: Any, paths: Iterable[str]) -> list[EngineFile]:  # noqa: ANN401 (a session)
    """The files that paths mean, each once; raises `InputError`."""
    found: dict[str, EngineFile] = {}
    for path in paths:
        if path.startswith(("http://", "https://")):
            raise InputError(f"{path}: the web is not read from a cluster. Download it first.")
        for file in EngineFiles(spark).find(path):
            found[file.path] = file
    return list(found.values())


def raw_pages(
    spark: Any,  # noqa: ANN401 (a session)
    files: Sequence[EngineFile],
    options: ReadOptions,
    split_bytes: int | None = None,
) -> Any:  # noqa: ANN401 (a data frame)
    """A row for each page, with its statements; and for each broken part, which has no URL."""
    packed = options.pack()
    parts = plan_parts(spark, files, split_bytes)
    return chunks(spark, parts).mapInArrow(lambda batches: extract_parts(batches, packed), RAW)


def frames_of(raw: Any) -> Extraction:  # noqa: ANN401 (a data frame)
    """Statements and pages out of rows that have both."""
    pages = raw.where("url IS NOT NULL")
    quads = pages.selectExpr(
        "url AS page", "host", "fetched", "status", "explode(statements) AS told"
    ).selectExpr(
        *(
            name if name in ("page", "host", "fetched", "status") else f"told.{name} AS {name}"
            for name in COLUMNS
        )
    )
    return Extraction(quads, pages.select(*PAGE_COLUMNS))
