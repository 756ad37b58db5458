"""Search results and entities, as results with what belongs to them beside the rows."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from gossamer.api.results import Rows
from gossamer.history.telling import TABLE_COLUMNS, table_rows
from gossamer.index.entities import short_name
from gossamer.index.graph.blanks import SCHEME
from gossamer.tables.values import Iri, Value, typed

Record = Mapping[str, Any]
FOUND: Final = (
    "id",
    "label",
    "types",
    "text",
    "page",
    "page_count",
    "host_count",
    "alike",
    "score",
)
SAID: Final = ("property", "value", "language", "label", "page_count", "page")


class SearchRows(Rows):
    """Entities that were found, best first, one a row."""

    def __init__(self, found: Record) -> None:
        super().__init__(FOUND, [*map(_found_row, found["results"])], seconds=found["seconds"])
        self.total: int = found["total"]
        """The number of entities that were found; the rows are the first of them."""
        self.relaxed: bool = found["relaxed"]
        """Whether nothing has all of the words, and these have some."""
        self.facets: Record = found["facets"]
        """The number of results of each type, host and language."""
        self.records: Sequence[Record] = found["results"]
        """All that is known of each result, as `gossamer search --json` has it."""

    def _summary(self, shown: int) -> str:
        relaxed = "; nothing has all of these words, these have some" if self.relaxed else ""
        return f"[{len(self):,} of {self.total:,} results{relaxed}]"


class EntityRows(Rows):
    """All that is said of an entity: a row for each value of each property and each page that says it."""

    def __init__(self, record: Record) -> None:
        super().__init__(SAID, [*_said_rows(record["properties"])])
        self.id = _iri(record["id"])
        """The IRI of the entity, or a blank node."""
        self.label: str | None = record["label"]
        """The label of the entity."""
        self.types = tuple(map(Iri, record["types"]))
        """The classes of the entity."""
        self.description: str | None = record["description"]
        """The description of the entity."""
        self.pages = tuple(map(Iri, record["pages"]))
        """The pages that speak of it, or the first of them."""
        self.page_count: int = record["page_count"]
        """How many pages speak of it."""
        self.same_as = tuple(map(_iri, record["same_as"]))
        """The names that pages have for it."""
        self.record = record
        """All that is known of it, as `/api/entity` has it."""

    def values(self, name: str) -> list[Value]:
        """The values of a property (`name`, `schema:name` or an IRI), what most pages say first."""
        found = (each for each in self.record["properties"] if _is_called(each, name))
        return list(dict.fromkeys(_value(value) for each in found for value in each["values"]))

    def _summary(self, shown: int) -> str:
        kinds = ", ".join(dict.fromkeys(short_name(each) or each for each in self.types))
        called = f"{self.label or self.id}"
        pages = f"{self.page_count:,} page{'' if self.page_count == 1 else 's'}"
        return f"[{called}{f', {kinds}' if kinds else ''}: {len(self):,} values from {pages}]"


class ChangeRows(Rows):
    """What has changed, the latest first: a row for each property of an entity, before and after."""

    def __init__(self, changes: Sequence[Record], *, cut: bool = False) -> None:
        rows = [
            (
                datetime.fromisoformat(at or ""),
                kind,
                _iri(entity or ""),
                label,
                types,
                Iri(page or ""),
                *rest,
            )
            for at, kind, entity, label, types, page, *rest in table_rows(changes)
        ]
        super().__init__(TABLE_COLUMNS, rows, cut=cut)
        self.records: Sequence[Record] = changes
        """Each change of an entity with all its statements, as `gossamer changes --json` has it."""


def search_rows(found: Record) -> SearchRows:
    """The answer to a search as a result."""
    return SearchRows(found)


def entity_rows(record: Record) -> EntityRows:
    """What is known of a thing as a result."""
    return EntityRows(record)


def _found_row(found: Record) -> tuple[Value | None, ...]:
    kinds = dict.fromkeys(short_name(iri) or iri for iri in found["types"])
    snippet = found["snippet"]
    return (
        _iri(found["id"]),
        found["label"],
        ", ".join(kinds),
        None if snippet is None else snippet["text"],
        Iri(found["pages"][0]) if found["pages"] else None,
        found["page_count"],
        found["host_count"],
        found["alike"],
        found["score"],
    )


def _said_rows(properties: Sequence[Record]) -> Iterator[tuple[Value | None, ...]]:
    for each in properties:
        for value in each["values"]:
            for page in value["pages"]:
                yield (
                    each["name"],
                    _value(value),
                    value.get("language"),
                    value.get("label"),
                    value["page_count"],
                    Iri(page),
                )


def _value(told: Record) -> Value:
    if told["type"] in ("iri", "thing"):
        return _iri(told["value"])
    return typed(told["value"], None if "language" in told else told.get("datatype"))


def _iri(name: str) -> Iri:
    """An IRI as people see it: one that stands for a blank node is `_:b…`."""
    return Iri(f"_:b{name[len(SCHEME) :]}" if name.startswith(SCHEME) else name)


def _is_called(told: Record, name: str) -> bool:
    return name in (told["name"], told["iri"], told["label"])
