"""Parts of inputs for tasks: whole files, or ranges of records where files are much larger than a task's share.

Each row has a chunk of bytes, which the engine reads where the row is processed; all chunks of a part are in one partition.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from gossamer.spark.hadoop import READ_RANGE, EngineFile, register_read_range
from gossamer.spark.tasks import find_ranges

CHUNK_BYTES: Final = 4 * 1024 * 1024
CHUNKS_AT_ONCE: Final = 8  # in a batch that goes to Python
TASKS_PER_SLOT: Final = 3  # so that no slot is left with a long task at the end
LEAST_PART: Final = 32 * 1024 * 1024  # bytes of a range; a task takes a second to begin
SKEWED: Final = 2  # times the share of a task: files that are larger are split
BATCH_ROWS: Final = "spark.sql.execution.arrow.maxRecordsPerBatch"
_RANGE: Final = "path string, start bigint, end bigint"


class RecordRange(NamedTuple):
    """A range of records of a file."""

    path: str
    start: int
    end: int


def plan_parts(
    spark: Any,  # noqa: ANN401 (a session)
    files: Sequence[EngineFile],
    split_bytes: int | None = None,
) -> list[RecordRange]:
    """The parts of these files, the largest first."""
    slots = max(1, spark.sparkContext.defaultParallelism)
    share = sum(file.size for file in files) // (slots * TASKS_PER_SLOT)
    most = split_bytes or max(LEAST_PART, share)
    whole = [RecordRange(file.path, 0, file.size) for file in files]
    large = [part for part in whole if part.end > SKEWED * most]
    if large:
        ranges = (
            chunks(spark, large)
            .mapInArrow(lambda batches: find_ranges(batches, most), _RANGE)
            .collect()
        )
        whole = [part for part in whole if part not in large]
        whole += [RecordRange(*row) for row in ranges]
    return sorted(whole, key=lambda part: (part.start - part.end, part))


def chunks(spark: Any, parts: Sequence[RecordRange]) -> Any:  # noqa: ANN401 (a session, a data frame)
    """Rows with the bytes of these parts, a partition for each part."""
    register_read_range(spark)
    # What goes to Python at once would else be ten thousand rows: all of an archive.
    spark.conf.set(BATCH_ROWS, str(CHUNKS_AT_ONCE))
    context = spark.sparkContext
    rows = context.parallelize(list(map(tuple, parts)), max(1, len(parts))).flatMap(_chunks_of)
    schema = f"{_RANGE}, offset bigint, length int"
    frame = spark.createDataFrame(rows, schema)
    return frame.selectExpr(
        "path", "start", "end", "offset", f"{READ_RANGE}(path, offset, length) AS bytes"
    )


def _chunks_of(part: tuple[str, int, int]) -> Iterator[tuple[str, int, int, int, int]]:
    path, start, end = part
    for offset in range(start, end, CHUNK_BYTES):
        yield path, start, end, offset, min(CHUNK_BYTES, end - offset)
