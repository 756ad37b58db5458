"""Results: rows with types, which become data frames, Arrow tables and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, overload

from gossamer.tables.arrow import arrow_table, pandas_frame, polars_frame
from gossamer.tables.preview import MOST_ROWS, as_html, as_text, glance
from gossamer.tables.values import Cell, value_of

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import pyoxigraph as ox

Row = dict[str, Cell]
MOST_OF_HINTS: Final = 500  # characters


class Rows(Sequence[Row]):
    """Rows of typed values: a sequence of dictionaries, one a row, with the same keys.

    Numbers, dates and booleans have their Python types, an IRI is an `Iri` (a string), and None stands
    for what is not there.
    """

    def __init__(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        *,
        cut: bool = False,
        seconds: float | None = None,
        hints: Sequence[str] = (),
    ) -> None:
        self.columns = tuple(columns)
        """The names of the columns."""
        self.cut = cut
        """Whether there are more rows than were asked for."""
        self.seconds = seconds
        """How long the answer took."""
        self.hints = tuple(hints)
        """Where there are no rows, or no values in a column: what was probably meant, a sentence each."""
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, which: int) -> Row: ...
    @overload
    def __getitem__(self, which: slice) -> list[Row]: ...
    def __getitem__(self, which: int | slice) -> Row | list[Row]:
        """A row, or some rows."""
        if isinstance(which, slice):
            return [self._row(row) for row in self._rows[which]]
        return self._row(self._rows[which])

    def __iter__(self) -> Iterator[Row]:
        return map(self._row, self._rows)

    def rows(self) -> list[Row]:
        """All rows, each as a dictionary."""
        return list(self)

    def column(self, name: str) -> list[Cell]:
        """The values of one column."""
        if name not in self.columns:
            raise KeyError(f"There is no column {name!r}; there are {', '.join(self.columns)}.")
        at = self.columns.index(name)
        return [row[at] for row in self._rows]

    def arrow(self) -> pa.Table:
        """An Arrow table; each column has the type that its values share. Needs `gossamer[data]`."""
        return arrow_table(self._columns())

    def df(self) -> pd.DataFrame:
        """A pandas data frame. Needs pandas and `gossamer[data]`."""
        return pandas_frame(self.arrow())

    def pl(self) -> pl.DataFrame:
        """A polars data frame. Needs polars and `gossamer[data]`."""
        return polars_frame(self.arrow())

    def __repr__(self) -> str:
        return f"{as_text(self.columns, self._rows)}\n{self._summary(MOST_ROWS)}"

    def _repr_html_(self) -> str:
        return as_html(self.columns, self._rows, self._summary(2 * MOST_ROWS))

    def _summary(self, shown: int) -> str:
        count = f"{len(self):,} row{'' if len(self) == 1 else 's'}"
        more = " (there are more: limit=)" if self.cut else ""
        rest = f", the first {shown} shown" if len(self) > shown else ""
        hints = "".join(f" {hint}" for hint in self.hints)
        return f"[{count}{more} × {len(self.columns)} columns{rest}]{glance(hints, MOST_OF_HINTS)}"

    def _row(self, row: Sequence[Cell]) -> Row:
        return dict(zip(self.columns, row, strict=True))

    def _columns(self) -> Mapping[str, Sequence[Cell]]:
        return {name: [row[at] for row in self._rows] for at, name in enumerate(self.columns)}


class QuadRows(Rows):
    """Statements, exactly as the graph has them (`quads`), and as rows."""

    def __init__(
        self, quads: Sequence[ox.Quad], *, cut: bool = False, seconds: float | None = None
    ) -> None:
        rows = [tuple(map(value_of, quad.triple)) for quad in quads]
        super().__init__(("subject", "predicate", "object"), rows, cut=cut, seconds=seconds)
        self.quads = tuple(quads)
        """The statements, as quads of pyoxigraph."""

    @property
    def nquads(self) -> bytes:
        """The statements as N-Quads."""
        return b"".join(f"{quad} .\n".encode() for quad in self.quads)
