"""The columns of a table of things: asked for by name, or chosen from what most of the things have. Pure."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from gossamer.tables.gathered import Coverage, GatheredThing
from gossamer.tables.kinds import ColumnKind, fitted
from gossamer.tables.numbers import AMOUNTS
from gossamer.tables.paths import NAME, RDF_TYPE, Path, column_name, local, local_name
from gossamer.tables.values import Cell, Iri, Value

ID: Final = "id"
PAGE: Final = "page"
PAGES: Final = "page_count"
COUNT: Final = (
    ".count"  # at the end of the name of a column: how many values its cell is the first of
)
MOST_COLUMNS: Final = 40  # unless they are asked for
LEAST_SHARE: Final = 0.05  # of all things that have a value, for a column to be chosen
# What people look for first in the things of the commonest types.
_EARLY_NAMES: Final = """
offers startDate endDate location price datePublished author brand title hiringOrganization jobLocation
recipeIngredient
"""
_EARLY: Final = {name: rank for rank, name in enumerate(_EARLY_NAMES.split())}
LONG: Final = 80  # characters of a text that is more to be read than to be compared


@dataclass(frozen=True, slots=True)
class Column:
    """A column: where its values are, and what they are."""

    name: str
    paths: tuple[
        Path, ...
    ]  # the first with a value counts; none for what is asked for and not there
    kind: ColumnKind
    is_list: bool = False  # several values stay several
    is_count: bool = False  # of values, and not the first of them
    share: float = 0.0  # of all things that have a value

    def values(self, thing: GatheredThing) -> Sequence[Value]:
        """The values of a thing in this column."""
        for path in self.paths:
            if values := thing.values.get(path):
                return values
        return ()

    def cell(self, thing: GatheredThing) -> Cell:
        """The cell of a thing."""
        values = self.values(thing)
        if self.is_count:
            return len(values)
        cells = [each for value in values if (each := self._fitted(value)) is not None]
        if self.is_list:
            return cells or None
        return cells[0] if cells else None

    def _fitted(self, value: Value) -> Value | None:
        if isinstance(value, str) and self.kind not in (ColumnKind.TEXT, ColumnKind.EMPTY):
            return None  # no number, in a column of numbers
        return fitted(value, self.kind)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """What a table is to look like."""

    columns: tuple[Column, ...]
    things: int
    missing: tuple[str, ...] = ()  # columns that were asked for, and that nothing has

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns, with those that every table has."""
        return (ID, *(column.name for column in self.columns), PAGE, PAGES)

    @property
    def kinds(self) -> tuple[ColumnKind, ...]:
        """Their kinds."""
        own = (ColumnKind.WHOLE if c.is_count else c.kind for c in self.columns)
        return (ColumnKind.TEXT, *own, ColumnKind.TEXT, ColumnKind.WHOLE)

    @property
    def lists(self) -> tuple[bool, ...]:
        """Whether their cells are lists."""
        return (False, *(column.is_list for column in self.columns), False, False)

    def row(self, thing: GatheredThing) -> list[Cell]:
        """The cells of a thing."""
        page = Iri(thing.pages[0]) if thing.pages else None
        return [thing.id, *(column.cell(thing) for column in self.columns), page, thing.page_count]


def plan_table(
    coverage: Coverage,
    asked: Sequence[str] = (),
    *,
    lists: bool = False,
    most: int = MOST_COLUMNS,
) -> TablePlan:
    """The columns that were asked for, or those that most of the things have.

    Where things have several values, a cell holds the first, and a column of counts follows; with
    `lists`, cells hold all of them.
    """
    found = [_asked(coverage, name) for name in asked] or [
        _column(coverage, column_name(path), [path]) for path in chosen_paths(coverage)[:most]
    ]
    columns: list[Column] = []
    for column in found:
        several = any(coverage.paths[path].several for path in column.paths)
        if several and lists:
            columns.append(replace(column, is_list=True))
        else:
            columns.append(column)
            if several:
                columns.append(replace(column, name=column.name + COUNT, is_count=True))
    missing = tuple(column.name for column in found if not column.paths)
    return TablePlan(tuple(columns), coverage.things, missing)


def chosen_paths(coverage: Coverage) -> list[Path]:
    """The paths that enough things have: names first, then what most have, parts beside their wholes."""
    there = [
        path
        for path in coverage.paths
        if coverage.share(path) >= LEAST_SHARE and (path[-1] != RDF_TYPE or len(path) == 1)
    ]
    best: dict[str, float] = {}  # of all paths that begin with a property
    for path in there:
        best[path[0]] = max(best.get(path[0], 0.0), coverage.share(path))
    return sorted(
        there,
        key=lambda path: (
            path != (NAME,),
            path != (RDF_TYPE,),
            _EARLY.get(local(path[0]), len(_EARLY)),
            -round(best[path[0]], 2),
            path[0],
            -round(coverage.share(path), 2),
            path,
        ),
    )


def telling(coverage: Coverage, path: Path) -> tuple[bool, ...]:
    """How little a column tells at a glance; less is better, where there is room for a few."""
    figures = coverage.paths[path]
    is_long = figures.characters > LONG * figures.things
    return (figures.names * 2 > figures.things or is_long, coverage.share(path) < 0.5)


def nearest(coverage: Coverage, name: str) -> str | None:
    """The column that somebody may have meant."""
    known = [column_name(path) for path in coverage.paths]
    if near := difflib.get_close_matches(name, known, n=1, cutoff=0.6):
        return near[0]
    # Not its whole path, perhaps, but its last property, perhaps misspelled.
    lasts = {each.rpartition(".")[2]: each for each in reversed(known)}
    near = difflib.get_close_matches(name, lasts, n=1, cutoff=0.6)
    return lasts[near[0]] if near else None


def share_text(share: float) -> str:
    """A share, as people read it; what is nearly all or nearly none is not said to be all or none."""
    percent = round(100 * share)
    if percent == 100 and share < 1:
        percent = 99
    return f"{percent} %" if percent or not share else "<1 %"


def _asked(coverage: Coverage, name: str) -> Column:
    wanted = name.strip()
    paths = [path for path in coverage.paths if column_name(path) == wanted]
    paths += [path for path in coverage.paths if local_name(path) == wanted and path not in paths]
    if not paths:  # one who asks for a whole gets its name
        whole = f"{wanted}.name"
        paths = [path for path in coverage.paths if column_name(path) == whole]
    return _column(coverage, wanted, paths)


def _column(coverage: Coverage, name: str, paths: Sequence[Path]) -> Column:
    kind = ColumnKind.EMPTY
    for path in paths:
        figures = coverage.paths[path]
        own = figures.kind(is_amount=local(path[-1]) in AMOUNTS)
        kind = own if kind is ColumnKind.EMPTY or kind is own else ColumnKind.TEXT
    share = max((coverage.share(path) for path in paths), default=0.0)
    return Column(name, tuple(paths), kind, share=share)
