"""What `gossamer query --sql` does: a question to columns, its rows as a table, CSV, TSV or lines of JSON."""

import csv
import io
import json
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import chain, islice
from typing import Any, Final

import click

from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, fitted, in_columns, plain, terminal_width
from gossamer.columnar.duck import ColumnAnswer, ColumnStore, find_columns
from gossamer.errors import ConfigError, GossamerError

TABLE: Final = "table"
SAMPLE: Final = 200  # rows that decide how wide the columns are


def run_sql(sql: str, names: Sequence[str], to: str, limit: int | None, seconds: float) -> None:
    """Ask these columns, and write the rows."""
    if to not in WRITERS:
        raise ConfigError(f"--sql has rows: --to is one of {', '.join(WRITERS)}.")
    fault: BaseException | None = None
    try:
        told = _ask(sql, names, to, limit, seconds)
    except (GossamerError, KeyboardInterrupt) as error:
        # A new one: the old one has DuckDB's objects in its traceback, and its library tells of those at the end.
        fault = type(error)(*error.args)
    if fault is not None:
        raise fault
    click.echo(told, err=True)


def _ask(sql: str, names: Sequence[str], to: str, limit: int | None, seconds: float) -> str:
    started = time.monotonic()
    with ColumnStore(find_columns(names)) as store:
        answer = store.ask(sql, limit=limit, seconds=seconds)
        WRITERS[to](answer)
    more = "; there are more (--limit)" if answer.is_cut else ""
    return f"{counted(answer.rows, 'row')} in {time.monotonic() - started:.3f} s{more}"


def _write_table(answer: ColumnAnswer) -> None:
    rows = ([plain(" ".join(_text(cell).split())) for cell in row] for row in answer)
    sample = [[plain(name) for name in answer.columns], *islice(rows, SAMPLE)]
    width = terminal_width()
    widths = fitted(sample, width=width, glance=width is not None)
    for row in chain(sample, rows):
        emit(in_columns(row, widths))


def _write_separated(answer: ColumnAnswer, separator: str) -> None:
    for row in chain([answer.columns], (list(map(_text, row)) for row in answer)):
        line = io.StringIO()
        csv.writer(line, delimiter=separator, lineterminator="").writerow(row)
        emit(line.getvalue())


def _write_lines(answer: ColumnAnswer) -> None:
    for row in answer:
        cells = zip(answer.columns, row, strict=True)
        emit(json.dumps({name: _plain(cell) for name, cell in cells}, ensure_ascii=False))


WRITERS: Final[dict[str, Callable[[ColumnAnswer], None]]] = {
    TABLE: _write_table,
    "json": _write_lines,
    "csv": lambda answer: _write_separated(answer, ","),
    "tsv": lambda answer: _write_separated(answer, "\t"),
}


def _text(cell: Any) -> str:  # noqa: ANN401 (a value of any column)
    value = _plain(cell)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)


def _plain(cell: Any) -> Any:  # noqa: ANN401 (as JSON has it)
    match cell:
        case None | bool() | int() | float() | str():
            return cell
        case datetime() | date():
            return cell.isoformat()
        case Decimal():
            return str(cell)
        case dict():
            return {str(key): _plain(value) for key, value in cell.items()}
        case list() if _is_map(cell):
            return {str(key): _plain(value) for key, value in cell}
        case list():
            return [_plain(each) for each in cell]
        case bytes():
            return cell.hex()
    return str(cell)


def _is_map(cell: Iterable[Any]) -> bool:
    """Whether a list is what Arrow makes of a map."""
    return all(isinstance(each, tuple) and len(each) == 2 for each in cell) and bool(cell)
