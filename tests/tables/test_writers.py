"""Tables as files, read by the tools that people use."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import duckdb
import openpyxl
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

from gossamer.errors import ConfigError
from gossamer.tables.kinds import ColumnKind
from gossamer.tables.values import Cell, Iri
from gossamer.tables.writers import WRITERS, format_of, table_writer

NOON = datetime(2024, 5, 17, 12, 0, 0, 500, tzinfo=UTC)


@dataclass(frozen=True)
class Columns:
    names: Sequence[str] = ("id", "n", "price", "day", "at", "is", "many")
    kinds: Sequence[ColumnKind] = (
        ColumnKind.TEXT,
        ColumnKind.WHOLE,
        ColumnKind.NUMBER,
        ColumnKind.DAY,
        ColumnKind.MOMENT,
        ColumnKind.TRUTH,
        ColumnKind.TEXT,
    )
    lists: Sequence[bool] = (*(False,) * 6, True)


ROWS: list[list[Cell]] = [
    [Iri("http://a.test/1"), 1, 2.5, date(2024, 5, 17), NOON, True, ["x", "y"]],
    ['=1+1, "quoted"\nÄ', None, None, None, None, None, None],
]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name in WRITERS:
        with (
            (tmp_path / f"all.{name}").open("wb") as file,
            table_writer(name, file, Columns()) as writer,
        ):
            for row in ROWS:
                writer.write(row)
    return tmp_path


def asked(query: str) -> list[tuple[object, ...]]:
    """The rows of DuckDB's answer."""
    with duckdb.connect() as connection:
        rows: list[tuple[object, ...]] = connection.execute(query).fetchall()
    return rows


def test_parquet_has_types_wherever_it_is_read(files: Path) -> None:
    file = files / "all.parquet"
    table = pq.read_table(file)
    assert [str(each.type) for each in table.schema] == [
        "string",
        "int64",
        "double",
        "date32[day]",
        "timestamp[us, tz=UTC]",
        "bool",
        "list<element: string>",
    ]
    assert table.to_pylist() == [dict(zip(Columns().names, row, strict=True)) for row in ROWS]
    found = asked(f"SELECT sum(n), sum(price), max(day), max(many[2]) FROM '{file}'")
    assert found == [(1, 2.5, date(2024, 5, 17), "y")]
    assert pd.read_parquet(file)["price"].sum() == 2.5
    assert pl.read_parquet(file)["day"].to_list() == [date(2024, 5, 17), None]


def test_csv_is_exact_and_read_everywhere(files: Path) -> None:
    file = files / "all.csv"
    assert b'"=1+1, ""quoted""\n\xc3\x84",,,,,,\r\n' in file.read_bytes()
    assert pd.read_csv(file)["many"].tolist()[0] == "x | y"
    assert pl.read_csv(file, try_parse_dates=True)["day"].to_list() == [date(2024, 5, 17), None]
    assert asked(f"SELECT sum(price) FROM '{file}'") == [(2.5,)]


def test_json_lines_have_all_columns(files: Path) -> None:
    file = files / "all.jsonl"
    first, second = map(json.loads, file.read_text().splitlines())
    assert first["many"] == ["x", "y"]
    assert second == {**dict.fromkeys(Columns().names), "id": '=1+1, "quoted"\nÄ'}
    assert asked(f"SELECT max(n) FROM read_json('{file}')") == [(1,)]
    assert pl.read_ndjson(file)["n"].to_list() == [1, None]


def test_a_spreadsheet_has_numbers_and_dates_and_no_formulas(files: Path) -> None:
    sheet = openpyxl.load_workbook(files / "all.xlsx").active
    assert sheet is not None
    head, first, second = sheet.iter_rows()
    assert [cell.value for cell in head] == list(Columns().names)
    assert [cell.value for cell in first] == [
        "http://a.test/1",
        1,
        2.5,
        datetime(2024, 5, 17),
        datetime(2024, 5, 17, 12),
        True,
        "x | y",
    ]
    assert (second[0].data_type, second[0].value) == ("s", '=1+1, "quoted"\nÄ')


def test_row_groups_are_bounded(tmp_path: Path) -> None:
    file = tmp_path / "many.parquet"
    with file.open("wb") as output, table_writer("parquet", output, Columns()) as writer:
        for _ in range(25_000):
            writer.write(ROWS[0])
    assert pq.ParquetFile(file).num_row_groups == 3


def test_the_name_of_a_file_tells_its_format() -> None:
    assert format_of(Path("a.csv.gz"), "a.csv") == "csv"
    with pytest.raises(ConfigError, match=r"does not end in one of .csv, .jsonl, .parquet, .xlsx"):
        format_of(Path("a.doc"), "a.doc")
