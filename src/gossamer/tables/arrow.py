"""Arrow tables out of columns of values, and data frames out of those."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from gossamer.tables.kinds import ColumnKind, fitted, in_utc, kind_of
from gossamer.tables.needs import needed
from gossamer.tables.values import Cell, Value

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

Cells = Sequence[Cell]


def arrow_table(columns: Mapping[str, Cells]) -> pa.Table:
    """An Arrow table; each column has the type that all of its values share."""
    pa = needed("pyarrow")
    arrays = []
    for cells in columns.values():
        has_lists = any(isinstance(cell, list) for cell in cells)
        kind = kind_of(chain.from_iterable(map(_values, cells)))
        type_ = pa.list_(arrow_type(kind)) if has_lists else arrow_type(kind)
        arrays.append(pa.array([fitted_cell(cell, kind) for cell in cells], type=type_))
    return pa.table(arrays, names=list(columns))


def fitted_cell(cell: Cell, kind: ColumnKind) -> Cell:
    """The cell as a column of this kind, or of lists of it, holds it."""
    if isinstance(cell, list):
        return [each for value in cell if (each := _in_arrow(value, kind)) is not None]
    return _in_arrow(cell, kind)


def _in_arrow(value: Value | None, kind: ColumnKind) -> Value | None:
    if kind is ColumnKind.MOMENT and isinstance(value, datetime):
        return in_utc(value)
    return fitted(value, kind)


def _values(cell: Cell) -> Sequence[Value]:
    if isinstance(cell, list):
        return cell
    return () if cell is None else (cell,)


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
