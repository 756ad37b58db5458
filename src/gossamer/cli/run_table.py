"""What `gossamer table` does: gather the things, choose columns, write them, and say what there is."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Final

import click

from gossamer.api.things_of_files import things_of_files
from gossamer.cli.folder import ask_folder, require_crawl
from gossamer.cli.output_file import unpacked_name, whole_file
from gossamer.cli.terminal import ProgressLine, ReaderGoneError, emit
from gossamer.cli.text import fitted, in_columns, plain, shown_width, terminal_width
from gossamer.errors import InputError
from gossamer.folder.data import DataFolder
from gossamer.owner.messages import Answering
from gossamer.owner.node_answers import coverage
from gossamer.owner.type_table import gather_things, nothing_of
from gossamer.sparql.prefixes import shortened
from gossamer.tables.columns import (
    PAGE,
    PAGES,
    Column,
    TablePlan,
    nearest,
    plan_table,
    share_text,
    telling,
)
from gossamer.tables.gathered import Coverage
from gossamer.tables.kinds import text_of
from gossamer.tables.spool import ThingSpool
from gossamer.tables.values import Cell, Iri
from gossamer.tables.writers import format_of, table_writer

SHOWN: Final = 30  # rows on a terminal, unless more are asked for
SAMPLE: Final = 200  # rows that decide how wide the columns are
WIDEST: Final = 32  # columns of the terminal for one of the table
FEWEST: Final = 3  # columns of the table that are shown, however narrow the terminal
TOLD: Final = 8  # columns whose share is told beside those that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOrder:
    """What somebody wants to have as a table."""

    type: str
    file: Path | None
    to: str
    columns: tuple[str, ...]
    hosts: tuple[str, ...]
    limit: int | None
    lists: bool
    files: tuple[str, ...]


def run_table(order: TableOrder, data: DataFolder) -> None:
    """Make a table of the things of a type."""
    format_ = None if order.file is None else format_of(order.file, unpacked_name(order.file))
    with ThingSpool() as spool:
        cut, missing, covered = _gather(order, data, spool)
        if missing is not None:
            raise InputError(missing)
        if order.file is not None and format_ is not None:
            plan = plan_table(spool.coverage, order.columns, lists=order.lists)
            with whole_file(order.file) as output:
                _write(output, format_, plan, spool)
            told = [_summary(order, spool, cut) + f": {order.file}", *_coverage(plan.columns)]
        elif order.to != "table":
            plan = plan_table(spool.coverage, order.columns, lists=order.lists)
            _write_out(order.to, plan, spool)
            told = [_summary(order, spool, cut) + ".", *_coverage(plan.columns)]
        else:
            plan = plan_table(spool.coverage, order.columns, lists=True)
            told = [*_show(order, plan, spool, cut)]
        told += _misspelled(plan, spool.coverage)
        click.echo("\n".join([*told, *covered]), err=True)


def _gather(
    order: TableOrder, data: DataFolder, spool: ThingSpool
) -> tuple[bool, str | None, list[str]]:
    """Take all things; whether there are more, or why there are none, and whose pages are covered."""
    progress = ProgressLine()

    def tell(count: int) -> None:
        if count:
            progress.show(f"{count:,} found")

    async def gather(owner: Answering) -> tuple[bool, str | None, list[str]]:
        cut = await gather_things(owner, [order.type], order.hosts, order.limit, spool, tell)
        none = await nothing_of(owner, [order.type]) if not spool.coverage.things else None
        return cut, none, await coverage(owner)

    try:
        if not order.files:
            require_crawl(data)
            return ask_folder("table", data, gather)
        for line in _things(order):
            if spool.coverage.things == order.limit:
                return True, None, []
            spool.take(line.encode())
            tell(spool.coverage.things)
        none = None if spool.coverage.things else f"Nothing there is of type {order.type}."
        return False, none, []
    finally:
        progress.clear()


def _things(order: TableOrder) -> Iterator[str]:
    """The things of files: of columns, or of pages that are read for it."""
    from gossamer.columnar.duck import find_columns, is_columns

    kinds = {is_columns(name) for name in order.files}
    if kinds == {True}:
        from gossamer.columnar.statements import things_of_columns

        return things_of_columns(find_columns(order.files), [order.type], order.hosts)
    if True in kinds:
        raise InputError("--from takes columns (Parquet) or pages, and not both at once.")
    return things_of_files(order.files, [order.type], order.hosts)


def _write(output: IO[bytes], format_: str, plan: TablePlan, spool: ThingSpool) -> None:
    with table_writer(format_, output, plan) as writer:
        for thing in spool:
            writer.write(plan.row(thing))


def _write_out(format_: str, plan: TablePlan, spool: ThingSpool) -> None:
    try:
        _write(sys.stdout.buffer, format_, plan, spool)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None


def _show(order: TableOrder, plan: TablePlan, spool: ThingSpool, cut: bool) -> Iterator[str]:
    """Print a table that fits the terminal; what is to be said beside it."""
    width = terminal_width()
    rows = ([_cell(each) for each in plan.row(thing)[1:-2]] for thing in spool)
    sample = list(islice(rows, SAMPLE))
    shown = _fitting(plan, spool.coverage, sample, width, is_asked=bool(order.columns))
    columns = [plan.columns[at] for at in shown]
    most = SHOWN if width is not None and order.limit is None else None
    head = [[column.name for column in columns], [share_text(each.share) for each in columns]]
    first = [[row[at] for at in shown] for row in sample]
    widths = fitted([*head, *first], width=width, glance=width is not None)
    for row in head:
        emit(in_columns(row, widths))
    count = 0
    for row in islice(first, most):
        emit(in_columns(row, widths))
        count += 1
    for row in islice(rows, 0 if most is not None else None):
        emit(in_columns([row[at] for at in shown], widths))
        count += 1
    more = f", {count} shown" if count < spool.coverage.things else ""
    yield f"{_summary(order, spool, cut)}{more}."
    rest = [each for at, each in enumerate(plan.columns) if at not in shown]
    if rest:
        yield f"Also there (--columns, or -o FILE for all): {_shares(rest)}"


def _fitting(
    plan: TablePlan,
    coverage: Coverage,
    sample: Sequence[Sequence[str]],
    width: int | None,
    *,
    is_asked: bool,
) -> list[int]:
    """Which columns are shown: all that were asked for, or those that tell most and have room."""
    order = list(range(len(plan.columns)))
    if width is None or is_asked:
        return order
    ranked = sorted(order, key=lambda at: telling(coverage, plan.columns[at].paths[0]))
    chosen: list[int] = []
    used = 0
    for at in ranked:
        cells = [row[at] for row in sample[:SHOWN]]
        widest = max(map(shown_width, [plan.columns[at].name, *cells]))
        used += min(widest, WIDEST) + 2
        if used > width and len(chosen) >= FEWEST:
            break
        chosen.append(at)
    return sorted(chosen)


def _cell(cell: Cell) -> str:
    """A cell for the terminal: the first of its values, and how many more there are."""
    if isinstance(cell, list):
        more = f" (+{len(cell) - 1})" if len(cell) > 1 else ""
        return f"{_cell(cell[0])}{more}"
    if cell is None:
        return ""
    text = shortened(cell) if isinstance(cell, Iri) else text_of(cell)
    return plain(" ".join(text.split()))


def _summary(order: TableOrder, spool: ThingSpool, cut: bool) -> str:
    count = spool.coverage.things
    more = ", and there are more" if cut else ""
    return f"{count:,} {'entity' if count == 1 else 'entities'} of type {plain(order.type)}{more}"


def _coverage(columns: Sequence[Column]) -> Iterator[str]:
    """How many have what, for those who do not see it."""
    own = [column for column in columns if not column.is_count]
    if own:
        yield f"Columns, and how many have a value: {_shares(own, most=len(own))}"


def _shares(columns: Sequence[Column], most: int = TOLD) -> str:
    told = ", ".join(f"{plain(each.name)} {share_text(each.share)}" for each in columns[:most])
    return f"{told}, …" if len(columns) > most else f"{told}."


def _misspelled(plan: TablePlan, coverage: Coverage) -> Iterator[str]:
    for name in plan.missing:
        if name in (PAGE, PAGES):
            continue
        near = nearest(coverage, name)
        meant = f" Did you mean {plain(near)}?" if near else ""
        yield f"No entity has {plain(name)}.{meant}"
