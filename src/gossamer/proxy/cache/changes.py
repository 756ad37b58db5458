"""What is to be written to the cache's file: each change a value, applied in a transaction."""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

import apsw

from gossamer.proxy.cache.database import rows
from gossamer.proxy.cache.stored import Stored

_HEAD: Final = "INSERT OR REPLACE INTO responses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_BODY: Final = "INSERT INTO bodies VALUES (?, ?, ?)"
_HELD: Final = "SELECT coalesce(sum(cost), 0), count(*) FROM responses"
_SIZE: Final = "SELECT coalesce(sum(length(data)), 0) FROM bodies WHERE response = ?"
_COST: Final = "SELECT cost FROM responses WHERE id = ?"
_DROP: Final = "DELETE FROM responses WHERE id = ? RETURNING cost"


class Change(Protocol):
    """Something to be written."""

    @property
    def url(self) -> str | None:
        """The page that it changes, if any."""

    @property
    def weight(self) -> int:
        """Bytes that wait in memory until it is written."""

    def apply(self, file: "File") -> None:
        """Write it."""


@dataclass(frozen=True, slots=True)
class State:
    """How much is in the file; a failed transaction goes back to the one before."""

    total: int  # what the responses cost, and the bodies that are not complete or still read
    entries: int
    parts: Mapping[int, int] = field(default_factory=dict)  # bytes of the incomplete, by number
    leaving: Mapping[int, int] = field(
        default_factory=dict
    )  # of those without a head that are left


class File:
    """The file as its writer sees it."""

    def __init__(self, database: apsw.Connection) -> None:
        self.database = database
        ((total, entries),) = rows(database, _HELD)
        self.state = State(total, entries)
        self.headless: set[int] = set()  # bodies that still have to go
        self.holed: set[int] = set()  # responses that were not put, since parts of them were lost

    def put(self, stored: Stored, now: float, replaced: int = 0) -> None:
        """Write a head; `replaced` is the cost of the one in its place, if there is one."""
        self.database.execute(_HEAD, (*stored.row, stored.cost, now))
        self._count(stored.cost - replaced, 0 if replaced else 1)

    def has_body(self, stored: Stored) -> bool:
        """Whether all parts of a body are here: a transaction that failed took some with it."""
        ((size,),) = rows(self.database, _SIZE, stored.id)
        return bool(size == stored.size)

    def put_part(self, response: int, number: int, data: bytes) -> None:
        """Write a part of a body; until there is a head, that is what it costs."""
        self.database.execute(_BODY, (response, number, data))
        self._count(len(data), 0)
        parts = self.state.parts
        self._set_parts({**parts, response: parts.get(response, 0) + len(data)})

    def end_parts(self, response: int) -> None:
        """The parts of a body count with their head from now on, or are to go."""
        if (size := self.state.parts.get(response)) is not None:
            self._count(-size, 0)
            rest = {number: held for number, held in self.state.parts.items() if number != response}
            self._set_parts(rest)

    def drop(self, *numbers: int) -> None:
        """Remove heads; their bodies follow when nobody reads them any more."""
        leaving = dict(self.state.leaving)
        for number in numbers:
            for (cost,) in rows(self.database, _DROP, number):
                self._count(0, -1)  # its bytes are there until its last reader is done
                leaving[number] = cost
            self.end_parts(number)
        self.state = replace(self.state, leaving=leaving)
        self.headless.update(numbers)

    def leave(self, numbers: Set[int]) -> None:
        """The bodies of some that were dropped go now."""
        gone = [cost for number, cost in self.state.leaving.items() if number in numbers]
        if gone:
            self._count(-sum(gone), 0)
            rest = {each: cost for each, cost in self.state.leaving.items() if each not in numbers}
            self.state = replace(self.state, leaving=rest)

    def _count(self, cost: int, entries: int) -> None:
        self.state = replace(
            self.state, total=self.state.total + cost, entries=self.state.entries + entries
        )

    def _set_parts(self, parts: Mapping[int, int]) -> None:
        self.state = replace(self.state, parts=parts)


@dataclass(frozen=True, slots=True)
class Put:
    """A response, with its body where that is not there yet in parts."""

    stored: Stored
    now: float
    then: Callable[[bool], None] | None = None  # if only now it is known whether it can be used

    @property
    def url(self) -> str:
        """The URL of the page."""
        return self.stored.url

    @property
    def weight(self) -> int:
        """The body and the head."""
        return self.stored.cost

    def apply(self, file: File) -> None:
        """Write head and body; nothing where the parts of the body are not all there."""
        if self.stored.body is not None:
            file.database.execute(_BODY, (self.stored.id, 0, self.stored.body))
        elif not file.has_body(self.stored):
            file.holed.add(self.stored.id)
            return
        file.end_parts(self.stored.id)
        file.put(self.stored, self.now)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a body whose response is not complete yet."""

    response: int
    number: int
    data: bytes
    url: None = None

    @property
    def weight(self) -> int:
        """The part."""
        return len(self.data)

    def apply(self, file: File) -> None:
        """Write it."""
        file.put_part(self.response, self.number, self.data)


@dataclass(frozen=True, slots=True)
class Freshen:
    """A new head for a body that still stands."""

    stored: Stored
    now: float

    @property
    def url(self) -> str:
        """The URL of the page."""
        return self.stored.url

    @property
    def weight(self) -> int:
        """The head."""
        return len(self.stored.block)

    def apply(self, file: File) -> None:
        """Replace the head, if it is still there."""
        for (cost,) in rows(file.database, _COST, self.stored.id):
            file.put(self.stored, self.now, replaced=cost)


@dataclass(frozen=True, slots=True)
class Drop:
    """Responses that are no longer to be used, or bodies that never got complete."""

    numbers: tuple[int, ...]
    url: str | None
    weight: int = 0

    def apply(self, file: File) -> None:
        """Remove them."""
        file.drop(*self.numbers)


@dataclass(frozen=True, slots=True)
class Used:
    """When responses were last used: who was used long ago goes first."""

    moments: Mapping[int, float]
    url: None = None
    weight: int = 0

    def apply(self, file: File) -> None:
        """Write the moments."""
        marks = [(moment, number) for number, moment in self.moments.items()]
        file.database.executemany("UPDATE responses SET used_at = ? WHERE id = ?", marks)
