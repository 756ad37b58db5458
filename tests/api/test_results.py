from datetime import UTC, date, datetime

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from gossamer.api.results import Rows
from gossamer.tables.values import Iri, Value

NOON = datetime(2024, 5, 17, 12, tzinfo=UTC)
COLUMNS = ("id", "n", "price", "on", "at", "is", "mixed", "none")
ROWS: list[tuple[Value | None, ...]] = [
    (Iri("http://a.test/1"), 1, 2.5, date(2024, 5, 17), NOON, True, 7, None),
    (Iri("http://a.test/2"), None, 3, None, None, None, "x", None),
]


@pytest.fixture
def result() -> Rows:
    return Rows(COLUMNS, ROWS)


def test_arrow_columns_have_types(result: Rows) -> None:
    table = result.arrow()
    assert [str(field.type) for field in table.schema] == [
        "string",
        "int64",
        "double",
        "date32[day]",
        "timestamp[us, tz=UTC]",
        "bool",
        "string",
        "string",
    ]
    assert table.column("mixed").to_pylist() == ["7", "x"]
    assert isinstance(table, pa.Table)


def test_pandas_keeps_whole_numbers_with_gaps(result: Rows) -> None:
    frame = result.df()
    assert isinstance(frame, pd.DataFrame)
    assert str(frame.dtypes["n"]) == "Int64"
    assert str(frame.dtypes["is"]) == "boolean"
    assert frame["price"].sum() == 5.5
    assert str(frame.dtypes["on"]).startswith("datetime64")
    assert frame["n"].isna().tolist() == [False, True]


def test_polars_has_them_too(result: Rows) -> None:
    frame = result.pl()
    assert frame.schema["n"] == pl.Int64
    assert frame.schema["on"] == pl.Date
    assert frame["price"].sum() == 5.5


def test_nothing_is_a_table_too() -> None:
    empty = Rows(("a",), [])
    assert (len(empty), empty.rows(), empty.df().shape, empty.pl().shape) == (0, [], (0, 1), (0, 1))
    assert "0 rows" in repr(empty)
    assert "<table>" in empty._repr_html_()


def test_a_result_is_a_sequence_of_rows(result: Rows) -> None:
    assert result[1]["id"] == "http://a.test/2"
    assert [row["n"] for row in result] == [1, None]
    assert result[:1] == [result[0]]
    assert len(result) == 2


def test_more_rows_than_were_asked_for_are_told_of() -> None:
    assert "there are more" in repr(Rows(("a",), [(1,)], cut=True))
    assert "the first 10 shown" in repr(Rows(("a",), [(1,)] * 11))
