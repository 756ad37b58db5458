"""Pages as Parquet: a folder of files, which pandas, polars, DuckDB and Spark read as one table.

Each batch is a file of its own at once, so that its pages may count as settled; many small files are made one from time to
time, and at the end. Runs in a process of its own (`process.py`), as sinks of other packages do.
"""

import json
import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from gossamer.tables.needs import needed

MOST_SMALL: Final = 100  # files, before they are made one


class ParquetSink:
    """A folder that files are added to."""

    def __init__(self, where: str) -> None:
        self._arrow, self._parquet = needed("pyarrow"), needed("pyarrow.parquet")
        self._folder = Path(where)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._schema = self._columns()
        self._small: list[Path] = []

    def write(self, pages: Sequence[Mapping[str, Any]]) -> None:
        """Add a file with these pages."""
        rows = [_row(page) for page in pages]
        table = self._arrow.Table.from_pylist(rows, schema=self._schema)
        self._small.append(self._added([table]))
        if len(self._small) >= MOST_SMALL:
            self._merge()

    def close(self) -> None:
        """Make one file of small ones."""
        self._merge()

    def _merge(self) -> None:
        small, self._small = self._small, []
        if len(small) > 1:
            # Who dies before the last is removed leaves pages twice, as a sink may.
            self._added(self._parquet.read_table(path, schema=self._schema) for path in small)
            for path in small:
                path.unlink()

    def _added(self, tables: Any) -> Path:  # noqa: ANN401 (pyarrow's, one after the other)
        """A new file with these tables, which appears when it is whole."""
        name = f"pages-{datetime.now().astimezone():%Y%m%dT%H%M%S%f}-{os.getpid()}.parquet"
        draft, path = self._folder / f".{name}", self._folder / name
        try:
            with self._parquet.ParquetWriter(draft, self._schema, compression="zstd") as writer:
                for table in tables:
                    writer.write_table(table)
            with draft.open("rb") as file:
                os.fsync(file.fileno())
            draft.rename(path)
        finally:
            draft.unlink(missing_ok=True)
        return path

    def _columns(self) -> Any:  # noqa: ANN401 (a schema of pyarrow's)
        pa = self._arrow
        text, texts, number = pa.string(), pa.list_(pa.string()), pa.int32()
        problem = pa.struct([("syntax", text), ("message", text), ("line", number)])
        kinds = {
            **dict.fromkeys(("url", "outcome", "media_type", "cause", "message"), text),
            **dict.fromkeys(("redirect", "nquads", "items"), text),
            **dict.fromkeys(("status", "depth", "quads"), number),
            **dict.fromkeys(("syntaxes", "links", "nofollow"), texts),
            "seed": pa.bool_(),
            "fetched_at": pa.timestamp("us", tz="UTC"),
            "problems": pa.list_(problem),
        }
        return pa.schema([(name, kinds[name]) for name in ORDER])


ORDER: Final = (
    *("url", "outcome", "status", "fetched_at", "media_type", "depth", "seed", "cause", "message"),
    *("redirect", "syntaxes", "quads", "items", "nquads", "links", "nofollow", "problems"),
)
"""The columns: those of a line (docs/sinks.md)."""


def _row(page: Mapping[str, Any]) -> dict[str, Any]:
    at = page["fetched_at"]
    return {
        **page,
        "fetched_at": None if at is None else datetime.fromisoformat(at),
        "items": json.dumps(page["items"], ensure_ascii=False),
    }
