"""What executors do: bytes of archives to rows, a row for each page with its statements in it.

A task has the chunks of one part of an input, in order. It spools them to the disk, since a reader of archives goes back
where a file is damaged, and reads them as one machine reads a file.
"""

import tempfile
from collections.abc import Iterator
from itertools import groupby
from typing import IO, Final

import pyarrow as pa

from gossamer.columnar.pair_files import columns_of, page_schema
from gossamer.columnar.rows import PageRows, ReadOptions, quad_rows, read_archive
from gossamer.reading.warc_records import BrokenPart, record_ranges, why_no_pages
from gossamer.tables.quads import COLUMNS, Row

STATEMENT: Final = (
    *("subject", "predicate", "object", "kind", "language", "datatype", "graph", "syntax"),
)
"""The columns of a statement that are not those of its page."""

PAGES_AT_ONCE: Final = 500
BYTES_AT_ONCE: Final = 8 * 1024 * 1024  # of statements
_OWN: Final = tuple(COLUMNS.index(name) for name in STATEMENT)
_PART: Final = ("path", "start", "end", "offset", "bytes")


def statement_type() -> pa.DataType:
    """The type of a statement within its page."""
    return pa.struct([(name, pa.string()) for name in STATEMENT])


def raw_schema() -> pa.Schema:
    """The columns of a page, its statements, and why a part of a file is broken (then there is no page)."""
    pages: pa.Schema = page_schema()
    nested = pa.list_(statement_type())
    return pages.append(pa.field("statements", nested)).append(pa.field("broken", pa.string()))


def extract_parts(batches: Iterator[pa.RecordBatch], packed: bytes) -> Iterator[pa.RecordBatch]:
    """Rows of the pages in parts of archives; `packed` has the options."""
    options = ReadOptions.unpack(packed)
    for (path, start, end), file in _parts(batches):
        with file:
            waiting: list[PageRows] = []
            size = 0
            name = path.rpartition("/")[2]
            for each in _read(file, name, options, start, end):
                if isinstance(each, str):
                    yield _batch([], each)
                    continue
                waiting.append(each)
                size += len(each.nquads)
                if len(waiting) >= PAGES_AT_ONCE or size >= BYTES_AT_ONCE:
                    yield _batch(waiting)
                    waiting, size = [], 0
            if waiting:
                yield _batch(waiting)


def find_ranges(batches: Iterator[pa.RecordBatch], most: int) -> Iterator[pa.RecordBatch]:
    """Ranges of whole records in archives: path, start, end."""
    for (path, _, _), file in _parts(batches):
        with file:
            skipped = why_no_pages(file) is not None  # which is told once, when the file is read
            found = [(0, file.seek(0, 2))] if skipped else record_ranges(file, most)
        yield pa.RecordBatch.from_pydict(
            {
                "path": [path] * len(found),
                "start": [start for start, _ in found],
                "end": [end for _, end in found],
            }
        )


def _read(
    file: IO[bytes], name: str, options: ReadOptions, start: int, end: int
) -> Iterator[PageRows | str]:
    """The pages of a part, or why there are none; offsets are those in the whole file."""
    if start == 0 and (why := why_no_pages(file)) is not None:
        yield f"{name}: {why}"
        return
    for each in read_archive(file, name, options, workers=1):
        if isinstance(each, BrokenPart):
            yield f"{name}: behind byte {start + each.after}: {each.why}"
        else:
            yield each._replace(row=each.row._replace(offset=each.row.offset + start))


def _parts(
    batches: Iterator[pa.RecordBatch],
) -> Iterator[tuple[tuple[str, int, int], IO[bytes]]]:
    """The parts of a task, each as a file of its own."""
    chunks = (
        tuple(column[at].as_py() for column in (batch[name] for name in _PART))
        for batch in batches
        for at in range(batch.num_rows)
    )
    for part, rows in groupby(chunks, key=lambda chunk: chunk[:3]):
        file = tempfile.TemporaryFile()  # noqa: SIM115 (closed by whoever takes it)
        for *_, content in rows:
            file.write(content)
        file.seek(0)
        yield part, file


def _batch(pages: list[PageRows], broken: str | None = None) -> pa.RecordBatch:
    schema = raw_schema()
    if broken is not None:
        return pa.RecordBatch.from_pylist([{"broken": broken}], schema=schema)
    rows = columns_of([page.row for page in pages], page_schema())
    statements: list[Row] = []
    offsets = [0]
    for page in pages:
        statements += quad_rows(page)
        offsets.append(len(statements))
    columns = [pa.array([row[at] for row in statements], type=pa.string()) for at in _OWN]
    structs = pa.StructArray.from_arrays(columns, fields=list(statement_type()))
    nested = pa.ListArray.from_arrays(pa.array(offsets, type=pa.int32()), structs)
    nothing = pa.nulls(len(pages), pa.string())
    return pa.RecordBatch.from_arrays([*rows.columns, nested, nothing], schema=schema)
