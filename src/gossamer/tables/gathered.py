"""Things that were gathered for a table: their values by path, and how many of them have what. Pure."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gossamer.tables.kinds import ColumnKind, common, kind_of_value
from gossamer.tables.numbers import value_at
from gossamer.tables.paths import RDF_TYPE, Path, local, path_of, place_of_text
from gossamer.tables.values import Iri, Value

MOST_PATHS: Final = 5_000  # that are told apart: pages may make up properties without end


@dataclass(frozen=True, slots=True)
class GatheredThing:
    """One thing: its name, the pages that speak of it, and its values."""

    id: Iri
    pages: tuple[str, ...]  # the first of them
    page_count: int
    values: Mapping[Path, Sequence[Value]]  # what most pages say first


@dataclass(slots=True)
class PathFigures:
    """What is known of the values at one path, over all things."""

    things: int = 0  # that have some
    several: int = 0  # that have more than one
    kinds: Counter[ColumnKind] = field(default_factory=Counter)
    characters: int = 0  # of first values that are text
    names: int = 0  # first values that are IRIs

    def take(self, values: Sequence[Value]) -> None:
        """Count the values of one more thing."""
        self.things += 1
        self.several += len(values) > 1
        self.kinds.update(map(kind_of_value, values))
        if isinstance(values[0], str):
            self.characters += len(values[0])
            self.names += isinstance(values[0], Iri)

    def kind(self, *, is_amount: bool) -> ColumnKind:
        """The kind of the column. Of amounts, a few may be none: `Call us` is no price."""
        counts = self.kinds
        if is_amount and counts[ColumnKind.TEXT] * 10 <= counts.total():
            counts = Counter({k: n for k, n in counts.items() if k is not ColumnKind.TEXT})
        kind = ColumnKind.EMPTY
        for each in counts:
            kind = common(kind, each)
        return kind


@dataclass(slots=True)
class Coverage:
    """How many things have a value at which path."""

    things: int = 0
    paths: dict[Path, PathFigures] = field(default_factory=dict)

    def take(self, thing: GatheredThing) -> None:
        """Count one more thing."""
        self.things += 1
        for path, values in thing.values.items():
            figures = self.paths.get(path)
            if figures is None:
                if len(self.paths) >= MOST_PATHS:
                    continue
                figures = self.paths[path] = PathFigures()
            figures.take(values)

    def share(self, path: Path) -> float:
        """How many of all things have a value there, from 0 to 1."""
        figures = self.paths.get(path)
        return figures.things / self.things if figures is not None and self.things else 0.0


def read_thing(line: bytes | str) -> GatheredThing:
    """The thing that a line of JSON tells of."""
    record = json.loads(line)
    values: dict[Path, list[Value]] = {}
    for key, told in record["values"].items():
        path = path_of(key)
        for each in told:
            value = _value(path, *each)
            place = place_of_text(path) if type(value) is str else path
            kept = values.setdefault(place, [])
            if value not in kept:
                kept.append(value)
    return GatheredThing(Iri(record["id"]), tuple(record["pages"]), record["page_count"], values)


def _value(path: Path, text: str, kind: str, datatype: str | None) -> Value:
    if kind == "iri":
        return local(text) or text if path[-1] == RDF_TYPE else Iri(text)
    return value_at(local(path[-1]), text, datatype if kind == "literal" else None)
