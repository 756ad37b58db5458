"""The two Parquet files of one input: statements and pages, sorted by page, there whole or not at all.

Pages come in the order of the archive. What they say is kept packed in a temporary file until all are there, and then
written in order: in memory there is a key for each page, and the rows of a row group.
"""

import json
import os
import pickle
import tempfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from gossamer.columnar.rows import PAGE_COLUMNS, PageRows, quad_rows
from gossamer.folder.durable import sync
from gossamer.reading.warc_records import BrokenPart
from gossamer.tables.needs import needed
from gossamer.tables.quads import GROUP_CHARACTERS, GROUP_ROWS, quad_schema

KEY: Final = b"gossamer"  # of what a file says about itself
QUADS, PAGES = "quads", "pages"  # folders, and the ends of names
_PACKING: Final = 1  # level: what is packed is read once, and soon


@dataclass(slots=True)
class InputCounts:
    """What an input came to."""

    pages: int = 0
    quads: int = 0
    problems: int = 0
    broken: int = 0  # parts of the file that hold no record


@dataclass(frozen=True, slots=True)
class PairPaths:
    """Where the two files of an input are."""

    quads: Path
    pages: Path

    @classmethod
    def of(cls, folder: Path, name: str) -> "PairPaths":
        """The files of a name, in a folder of columns."""
        return cls(
            folder / QUADS / f"{name}-{QUADS}.parquet", folder / PAGES / f"{name}-{PAGES}.parquet"
        )


def page_schema() -> Any:  # noqa: ANN401 (a schema of pyarrow's)
    """The columns of pages, with their types."""
    pa: Any = needed("pyarrow")
    text, number = pa.string(), pa.int32()
    problem = pa.struct([("syntax", text), ("message", text), ("line", number)])
    kinds = {
        "fetched": pa.timestamp("us", tz="UTC"),
        "status": number,
        "languages": pa.list_(text),
        "syntaxes": pa.map_(text, number),
        "quads": number,
        "problems": pa.list_(problem),
        "offset": pa.int64(),
    }
    return pa.schema([(name, kinds.get(name, text)) for name in PAGE_COLUMNS])


def columns_of(rows: Sequence[Sequence[Any]], schema: Any) -> Any:  # noqa: ANN401 (pyarrow's)
    """Rows as a batch of Arrow."""
    pa: Any = needed("pyarrow")
    columns = zip(*rows, strict=True) if rows else ([] for _ in schema)
    arrays = [
        pa.array(
            [list(each.items()) for each in column] if pa.types.is_map(kind.type) else column,
            type=kind.type,
        )
        for column, kind in zip(columns, schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def write_pair(
    paths: PairPaths, found: Iterable[PageRows | BrokenPart], told: Mapping[str, Any]
) -> InputCounts:
    """Write what was found; `told` is what the files say of their input, beside the counts.

    The file of pages comes last: where it is, the other is.
    """
    counts = InputCounts()
    with ExitStack() as life:
        spool = life.enter_context(_Spool(paths.quads.parent))
        for each in found:
            if isinstance(each, BrokenPart):
                counts.broken += 1
                continue
            counts.pages += 1
            counts.quads += each.row.quads
            counts.problems += len(each.row.problems)
            spool.add(each)
        about = {KEY: json.dumps({**told, **asdict(counts)}, sort_keys=True).encode()}
        drafts = [life.enter_context(_Draft(path)) for path in (paths.quads, paths.pages)]
        quads = _Table(drafts[0].path, quad_schema().with_metadata(about), life)
        pages = _Table(drafts[1].path, page_schema().with_metadata(about), life)
        for page in spool.in_order():
            pages.add([page.row], 1)
            quads.add([*quad_rows(page)], len(page.nquads))
        quads.close()
        pages.close()
        for draft in drafts:
            draft.publish()
    return counts


def told_in(path: Path) -> dict[str, Any] | None:
    """What a file says about its input; None where it is missing or says nothing."""
    try:
        metadata = needed("pyarrow.parquet").read_schema(path).metadata or {}
        told = json.loads(metadata[KEY])
    except (OSError, ValueError, KeyError):
        return None
    return told if isinstance(told, dict) else None


class _Spool:
    """Pages on the disk, to be read in the order of their addresses."""

    def __init__(self, folder: Path) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (closed with the spool)
        self._keys: list[tuple[str, str, int, int, int]] = []

    def __enter__(self) -> "_Spool":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, page: PageRows) -> None:
        at = self._file.tell()
        self._file.write(zlib.compress(pickle.dumps(page), _PACKING))
        row = page.row
        fetched = "" if row.fetched is None else row.fetched.isoformat()
        self._keys.append((row.url, fetched, row.offset, at, self._file.tell() - at))

    def in_order(self) -> Iterable[PageRows]:
        for _, _, _, at, length in sorted(self._keys):
            self._file.seek(at)
            page: PageRows = pickle.loads(zlib.decompress(self._file.read(length)))  # noqa: S301 (what we wrote)
            yield page


class _Table:
    """Rows to a Parquet file, in groups."""

    def __init__(self, path: Path, schema: Any, life: ExitStack) -> None:  # noqa: ANN401 (pyarrow's)
        parquet: Any = needed("pyarrow.parquet")
        self._schema = schema
        self._writer = life.enter_context(parquet.ParquetWriter(path, schema, compression="zstd"))
        self._rows: list[Sequence[Any]] = []
        self._characters = 0

    def add(self, rows: Sequence[Sequence[Any]], characters: int) -> None:
        self._rows += rows
        self._characters += characters
        if len(self._rows) >= GROUP_ROWS or self._characters >= GROUP_CHARACTERS:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_batch(columns_of(self._rows, self._schema))
        self._rows, self._characters = [], 0


class _Draft:
    """A file that appears under its name when it is whole."""

    def __init__(self, path: Path) -> None:
        self._final = path
        self.path = path.with_name(f".{path.name}.{os.getpid()}.tmp")

    def __enter__(self) -> "_Draft":
        return self

    def __exit__(self, *_: object) -> None:
        self.path.unlink(missing_ok=True)

    def publish(self) -> None:
        sync(self.path)
        self.path.replace(self._final)
        sync(self._final.parent)
