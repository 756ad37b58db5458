"""Arrow tables out of columns of values, and data frames out of those."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gossamer.tables.kinds import ColumnKind, fitted, kind_of
from gossamer.tables.needs import needed
from gossamer.tables.values import Value

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

Column = Sequence[Value | None]


def arrow_table(columns: Mapping[str, Column]) -> pa.Table:
    """An Arrow table; each column has the type that all of its values share."""
    pa = needed("pyarrow")
    arrays = []
    for values in columns.values():
        kind = kind_of(values)
        arrays.append(pa.array([fitted(value, kind) for value in values], type=arrow_type(kind)))
    return pa.table(arrays, names=list(columns))


def arrow_type(kind: ColumnKind) -> pa.DataType:
    """The type of a column in Arrow."""
    pa: Any = needed("pyarrow")
    match kind:
        case ColumnKind.TRUTH:
            return pa.bool_()
        case ColumnKind.WHOLE:
            return pa.int64()
        case ColumnKind.NUMBER:
            return pa.float64()
        case ColumnKind.DAY:
            return pa.date32()
        case ColumnKind.MOMENT:
            return pa.timestamp("us", tz="UTC")
        case ColumnKind.LOCAL_MOMENT:
            return pa.timestamp("us")
        case ColumnKind.TIME:
            return pa.time64("us")
    return pa.string()


def pandas_frame(table: pa.Table) -> pd.DataFrame:
    """A pandas data frame. Whole numbers and booleans with gaps stay what they are."""
    pandas, arrow = needed("pandas"), needed("pyarrow")
    nullable = {arrow.int64(): pandas.Int64Dtype(), arrow.bool_(): pandas.BooleanDtype()}
    gaps = {
        field.type
        for field, column in zip(table.schema, table.columns, strict=True)
        if column.null_count
    }
    kept = {kind: dtype for kind, dtype in nullable.items() if kind in gaps}
    return table.to_pandas(types_mapper=kept.get, date_as_object=False)


def polars_frame(table: pa.Table) -> pl.DataFrame:
    """A polars data frame."""
    frame: pl.DataFrame = needed("polars").from_arrow(table)
    return frame
