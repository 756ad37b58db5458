"""Which changes somebody asks for, and what is told of each. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from gossamer import values
from gossamer.history.difference import ChangeKind, EntityChange
from gossamer.index.entities import type_terms, wanted_terms
from gossamer.moments import iso_moment, read_moment
from gossamer.sparql.prefixes import PREFIXES
from gossamer.tables.paths import local

MOST: Final = 1_000  # changes in one answer
KINDS: Final = tuple(each.value for each in ChangeKind)
Statements = Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFilter:
    """Which changes are asked for; nothing said about something: whatever it is."""

    since: str | None = None  # an age (`7d`) or a moment (`2026-11-01`, `2026-11-01T12:00Z`)
    until: str | None = None
    hosts: tuple[str, ...] = ()
    types: tuple[str, ...] = ()  # with their subclasses
    properties: tuple[str, ...] = ()  # names (`price`), paths (`offers.price`) or IRIs
    kinds: tuple[str, ...] = ()
    page: str | None = None
    entity: str | None = None
    after: str | None = None  # the `place` of the last one of the answer before
    limit: int = MOST


def moment_of(text: str, now: datetime) -> datetime:
    """The moment that an age or a date means; raises `ValueError` with a clause on anything else."""
    if (moment := read_moment(datetime.fromisoformat, text.strip())) is not None:
        return moment
    try:
        age = values.read(timedelta, text, at_least=0)
    except ValueError:
        raise ValueError(
            f"{text!r} is neither an age such as 7d or 12h nor a date such as 2026-11-01"
        ) from None
    assert isinstance(age, timedelta)
    return now - age


class ChangePlace(NamedTuple):
    """Where a change stands in the list of all, the latest first."""

    at: int
    id: int

    @classmethod
    def parse(cls, text: str) -> "ChangePlace":
        """The place that `str` has written; raises `ValueError` on anything else."""
        at, _, number = text.partition("-")
        if not (at.isdecimal() and number.isdecimal() and len(text) <= 40):
            raise ValueError(f"{text!r} is no place in the list of changes")
        return cls(int(at), int(number))

    def __str__(self) -> str:
        return f"{self.at}-{self.id}"


@dataclass(frozen=True, slots=True)
class ToldChange:
    """One change of an entity on a page."""

    place: ChangePlace
    entity: str
    kind: str
    types: tuple[str, ...]
    label: str | None
    page: str
    at: datetime
    added: Statements
    removed: Statements

    def record(self) -> dict[str, Any]:
        """The change as JSON has it."""
        return {
            "id": str(self.place),
            "entity": self.entity,
            "kind": self.kind,
            "label": self.label,
            "types": list(self.types),
            "page": self.page,
            "at": iso_moment(self.at),
            "added": list(self.added),
            "removed": list(self.removed),
        }

    def suiting(
        self, types: Sequence[frozenset[str]], properties: Sequence[str]
    ) -> "ToldChange | None":
        """The part of the change that is about these; None where there is none."""
        if types:
            terms = {term for each in self.types for term in type_terms(each)}
            if all(terms.isdisjoint(wanted) for wanted in types):
                return None
        if not properties:
            return self
        added = [each for each in self.added if is_about(each, properties)]
        removed = [each for each in self.removed if is_about(each, properties)]
        return replace(self, added=added, removed=removed) if added or removed else None


def change_record(change: EntityChange, page: str, at: datetime) -> dict[str, Any]:
    """A difference that is in no history, as JSON has changes."""
    said = ([each.record() for each in lot] for lot in (change.added, change.removed))
    told = ToldChange(
        ChangePlace(0, 0),
        change.entity,
        change.kind.value,
        change.types,
        change.label,
        page,
        at,
        *said,
    )
    return {name: value for name, value in told.record().items() if name != "id"}


def terms_of(types: Sequence[str]) -> list[frozenset[str]]:
    """What each of the types that somebody asks for is known by."""
    return [wanted_terms(each) for each in types]


def is_about(said: Mapping[str, str], properties: Sequence[str]) -> bool:
    """Whether a statement has one of these properties, on the way to its value or at its end."""
    path, whole = f".{said['path']}.".lower(), said["property"]
    return any(
        f".{each.lower()}." in path or whole == _iri(each) or local(whole).lower() == each.lower()
        for each in properties
    )


def _iri(name: str) -> str:
    prefix, colon, rest = name.partition(":")
    return PREFIXES[prefix] + rest if colon and prefix in PREFIXES else name
