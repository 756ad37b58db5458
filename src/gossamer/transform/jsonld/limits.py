"""Estimates the cost of a document's contexts before a processor sees them. Pure.

Processors recurse where terms define each other, and pyoxigraph then takes the process down. Both
copy the terms in force wherever a context is applied, and read a scoped context again at each use
of its term, so that a document of some hundred kilobytes could keep them busy for hours.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from gossamer.transform.jsonld.processing import NO_CODE, Json, JsonLdError

MOST_CHAIN: Final = 256  # terms that need each other, one after the other; 5,000 are the end
MOST_LEVELS: Final = 16  # of contexts within contexts of terms; work grows with their cube
MOST_WORK: Final = 2_000_000  # terms copied, all in all: about a second
_READ_AGAIN: Final = 8  # a term that is read costs as much as so many that are copied
SMALL: Final = 800  # characters: in fewer, nothing can become too much
_BYTES_A_TERM: Final = 16  # of a context that is given as bytes, more or less
_FEW_TERMS: Final = 4  # whose chains need not be looked for
_DEFINING: Final = ("@id", "@reverse", "@type", "@index")


def check_contexts(value: Json, text: str, given: Mapping[str, bytes]) -> None:
    """Raise JsonLdError if the contexts of a document are too complex for a processor.

    `text` is the JSON of the value; `given` are the contexts that it may name.
    """
    if len(text) > SMALL and '"@context"' in text:
        _Reckoning(given).add(value)


class _Scoped(NamedTuple):
    """A term with a context of its own."""

    size: int  # terms of its context
    is_map: bool  # whether its values may be members of an object: the context is then for each


class _Place(NamedTuple):
    """A part of a document, as its contexts bear on it."""

    value: Json
    terms: int  # in force here
    each: int = 0  # what the context of a term costs, for each object that it is applied to


class _Reckoning:
    def __init__(self, given: Mapping[str, bytes]) -> None:
        self._given = given
        self._scoped: dict[str, _Scoped] = {}
        self._work = 0

    def add(self, value: Json) -> None:
        """Add the cost of a document, without recursion."""
        pending = [_Place(value, 0)]
        while pending:
            place = pending.pop()
            if place.value.__class__ is list:
                pending += self._members(place)
            else:
                pending += self._within(place)

    def _members(self, place: _Place) -> Iterator[_Place]:
        for member in place.value:
            if _may_matter(member):
                yield place._replace(value=member)
                continue
            if place.each:
                self._spend(place.each)
            if member in self._scoped:  # one of several types
                self._spend(self._cost(member, place.terms))

    def _within(self, place: _Place) -> Iterator[_Place]:
        members, terms, each = place
        if each:
            self._spend(each)
        if "@context" in members:
            terms = self._apply(members["@context"], terms)
        for name, member in members.items():
            if name == "@context":
                continue
            if not _may_matter(member):
                for used in (name, member):  # a property, or a type
                    if used in self._scoped:
                        self._spend(self._cost(used, terms))
            elif name in self._scoped:
                cost, scoped = self._cost(name, terms), self._scoped[name]
                if scoped.is_map and member.__class__ is dict:
                    self._spend(cost * len(member))
                yield _Place(member, terms + scoped.size, cost)
            else:
                yield _Place(member, terms)

    def _cost(self, name: str, terms: int) -> int:
        return terms + _READ_AGAIN * self._scoped[name].size

    def _apply(self, context: Json, terms: int) -> int:
        for each in context if isinstance(context, list) else (context,):
            if terms:
                self._spend(terms)
            if isinstance(each, dict):
                terms += len(each)
                self._look_through(each)
            elif isinstance(each, str):
                terms += len(self._given.get(each, b"")) // _BYTES_A_TERM
        return terms

    def _spend(self, work: int) -> None:
        self._work += work
        if self._work > MOST_WORK:
            raise JsonLdError(NO_CODE, "its contexts are applied too often for their size.")

    def _look_through(self, context: dict[str, Json], chain: int = 0, level: int = 1) -> int:
        """Note the contexts of terms, and measure the chains in them; what it costs to read it all."""
        if level > MOST_LEVELS:
            raise JsonLdError(NO_CODE, "contexts of terms are nested too deep.")
        chain += _longest_chain(context)
        if chain > MOST_CHAIN:
            message = f"more than {MOST_CHAIN} terms of a context need each other in a chain."
            raise JsonLdError(NO_CODE, message)
        cost = len(context)
        for term, definition in context.items():
            if isinstance(definition, dict) and "@context" in definition:
                inner = definition["@context"]
                size = 1 + sum(
                    self._look_through(each, chain, level + 1)
                    for each in (inner if isinstance(inner, list) else [inner])
                    if isinstance(each, dict)
                )
                known = self._scoped.get(term, _Scoped(0, is_map=False))
                is_map = known.is_map or "@container" in definition
                self._scoped[term] = _Scoped(max(known.size, size), is_map)
                cost += 2 * size  # a processor reads it here, and again to see that it is good
        return cost


def _may_matter(value: Json) -> bool:
    return value.__class__ is dict or value.__class__ is list


def _longest_chain(context: dict[str, Json]) -> int:
    """How many terms need each other, one after the other; or as many as there are, if few."""
    if len(context) <= _FEW_TERMS:
        return len(context)
    waits_for: dict[str, int] = {}
    users: dict[str, list[str]] = {}
    for term, definition in context.items():
        needed = {name for name in _names_in(term, definition) if name in context} - {term}
        waits_for[term] = len(needed)
        for name in needed:
            users.setdefault(name, []).append(term)
    ready = [term for term, count in waits_for.items() if not count]
    length, done = 0, 0
    while ready:
        length += 1
        done += len(ready)
        following: list[str] = []
        for term in ready:
            for user in users.get(term, ()):
                waits_for[user] -= 1
                if not waits_for[user]:
                    following.append(user)
        ready = following
    return length + len(waits_for) - done  # those in circles, and whatever needs them


def _names_in(term: str, definition: Json) -> Iterator[str]:
    """The terms that the definition of a term may need."""
    yield term.partition(":")[0]
    if isinstance(definition, str):
        definition = {"@id": definition}
    if isinstance(definition, dict):
        for key in _DEFINING:
            value = definition.get(key)
            if isinstance(value, str):
                yield value
                yield value.partition(":")[0]
