"""Writers of tables: CSV, JSON Lines, Parquet and XLSX, a row at a time, in bounded memory.

A cell with several values is a list in JSON Lines and Parquet; in the others its values stand beside each
other, with a bar between them.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from datetime import UTC, date, datetime, time
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, Final, Protocol

from gossamer.errors import ConfigError, InputError
from gossamer.tables.arrow import arrow_type, fitted_cell
from gossamer.tables.kinds import ColumnKind, joined, text_of
from gossamer.tables.needs import needed
from gossamer.tables.values import Cell, Value

BATCH_ROWS: Final = 10_000  # of a Parquet row group
BATCH_CHARACTERS: Final = 32 * 1024 * 1024  # of texts in one, whichever comes first
MOST_SHEET_ROWS: Final = 1_048_576  # with the heads of the columns
MOST_SHEET_COLUMNS: Final = 16_384
MOST_CELL: Final = 32_767  # characters
WHOLE_IN_SHEETS: Final = 2**53  # beyond, a spreadsheet loses digits


class TableHead(Protocol):
    """The columns of a table, by name, kind and whether their cells are lists."""

    @property
    def names(self) -> Sequence[str]:
        """The names."""

    @property
    def kinds(self) -> Sequence[ColumnKind]:
        """The kinds of their values."""

    @property
    def lists(self) -> Sequence[bool]:
        """Whether several values stay several."""


class TableWriter(Protocol):
    """A table that is being written."""

    def write(self, row: Sequence[Cell]) -> None:
        """Write one more row."""

    def close(self) -> None:
        """Write what is held back."""


class CsvWriter:
    """CSV as RFC 4180 has it, in UTF-8: exact values, also those that a spreadsheet would run."""

    def __init__(self, file: IO[bytes], head: TableHead) -> None:
        self._text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        self._rows = csv.writer(self._text, lineterminator="\r\n")
        self._rows.writerow(head.names)

    def write(self, row: Sequence[Cell]) -> None:
        """Write one more row."""
        self._rows.writerow(map(_flat, row))

    def close(self) -> None:
        """Write what is held back."""
        self._text.flush()
        self._text.detach()


class JsonLinesWriter:
    """A JSON object a line, each with all columns: null where there is nothing."""

    def __init__(self, file: IO[bytes], head: TableHead) -> None:
        self._file = file
        self._names = head.names

    def write(self, row: Sequence[Cell]) -> None:
        """Write one more row."""
        told = {name: _json(cell) for name, cell in zip(self._names, row, strict=True)}
        self._file.write(json.dumps(told, ensure_ascii=False).encode() + b"\n")

    def close(self) -> None:
        """Nothing is held back."""


class ParquetWriter:
    """Parquet with a type for each column, in row groups."""

    def __init__(self, file: IO[bytes], head: TableHead) -> None:
        self._arrow: Any = needed("pyarrow")
        self._kinds = head.kinds
        types = map(arrow_type, head.kinds)
        self._schema = self._arrow.schema(
            [
                (name, self._arrow.list_(type_) if is_list else type_)
                for name, type_, is_list in zip(head.names, types, head.lists, strict=True)
            ]
        )
        self._writer = needed("pyarrow.parquet").ParquetWriter(
            file, self._schema, compression="zstd"
        )
        self._held: list[Sequence[Cell]] = []
        self._characters = 0

    def write(self, row: Sequence[Cell]) -> None:
        """Write one more row."""
        self._held.append(row)
        self._characters += sum(len(cell) for cell in row if isinstance(cell, str))
        if len(self._held) >= BATCH_ROWS or self._characters >= BATCH_CHARACTERS:
            self._flush()

    def close(self) -> None:
        """Write what is held back, and the end of the file."""
        if self._held:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        columns = [
            self._arrow.array([fitted_cell(cell, kind) for cell in cells], type=field.type)
            for cells, kind, field in zip(
                zip(*self._held, strict=True), self._kinds, self._schema, strict=True
            )
        ]
        self._writer.write_table(self._arrow.Table.from_arrays(columns, schema=self._schema))
        self._held, self._characters = [], 0


class XlsxWriter:
    """A spreadsheet: numbers and dates are such; text is never a formula or a link. Moments are in UTC."""

    def __init__(self, file: IO[bytes], head: TableHead) -> None:
        if len(head.names) > MOST_SHEET_COLUMNS:
            raise InputError(
                f"A spreadsheet has {MOST_SHEET_COLUMNS:,} columns; write .parquet or .csv."
            )
        options = {"constant_memory": True, "default_date_format": "yyyy-mm-dd hh:mm:ss"}
        self._book: Any = needed("xlsxwriter").Workbook(file, options)
        self._sheet = self._book.add_worksheet()
        self._day = self._book.add_format({"num_format": "yyyy-mm-dd"})
        bold = self._book.add_format({"bold": True})
        for at, name in enumerate(head.names):
            self._sheet.write_string(0, at, name, bold)
        self._sheet.freeze_panes(1, 0)
        self._at = 1

    def write(self, row: Sequence[Cell]) -> None:
        """Write one more row."""
        if self._at >= MOST_SHEET_ROWS:
            raise InputError(f"A spreadsheet has {MOST_SHEET_ROWS:,} rows; write .parquet or .csv.")
        for at, cell in enumerate(row):
            if cell is not None:
                self._cell(at, joined(cell) if isinstance(cell, list) else cell)
        self._at += 1

    def close(self) -> None:
        """Write the whole file: a spreadsheet has no parts."""
        self._book.close()

    def _cell(self, at: int, value: Value) -> None:
        match value:
            case bool():
                self._sheet.write_boolean(self._at, at, value)
            case int() | float() if isfinite(value) and abs(value) <= WHOLE_IN_SHEETS:
                self._sheet.write_number(self._at, at, value)
            case datetime() if value.year >= 1900:
                local = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
                self._sheet.write_datetime(self._at, at, local)
            case date() if not isinstance(value, datetime) and value.year >= 1900:
                self._sheet.write_datetime(self._at, at, value, self._day)
            case _:
                self._sheet.write_string(self._at, at, text_of(value)[:MOST_CELL])


Open = Callable[[IO[bytes], TableHead], TableWriter]
WRITERS: Final[Mapping[str, Open]] = MappingProxyType(
    {"csv": CsvWriter, "jsonl": JsonLinesWriter, "parquet": ParquetWriter, "xlsx": XlsxWriter}
)
"""The formats of tables, by name, which is the ending of a file too."""
_NEEDS: Final = {"parquet": "pyarrow.parquet", "xlsx": "xlsxwriter"}


def format_of(file: Path, unpacked: str) -> str:
    """The format that the name of a file asks for; `unpacked` is the name without `.gz` and `.zst`.

    Raises `MissingPackageError` at once where it needs what is not installed.
    """
    ending = Path(unpacked).suffix.lower().removeprefix(".")
    if ending not in WRITERS:
        known = ", ".join(f".{name}" for name in WRITERS)
        raise ConfigError(f"{file} does not end in one of {known}.")
    if ending in _NEEDS:
        needed(_NEEDS[ending])
    return ending


def table_writer(
    name: str, file: IO[bytes], head: TableHead
) -> AbstractContextManager[TableWriter]:
    """A table in this format, to be written within a block."""
    return closing(WRITERS[name](file, head))


def _flat(cell: Cell) -> str:
    if cell is None:
        return ""
    return joined(cell) if isinstance(cell, list) else text_of(cell)


def _json(cell: Cell) -> object:
    match cell:
        case list():
            return [_json(each) for each in cell]
        case float() if not isfinite(cell):
            return None  # which JSON has no number for
        case datetime() | date() | time():
            return cell.isoformat()
    return cell
