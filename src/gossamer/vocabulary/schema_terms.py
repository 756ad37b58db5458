"""Properties of schema.org with their domains and ranges, members of enumerations, and terms that were superseded. Pure.

All names are short: `price`, and not its IRI. Classes and what they are subclasses of are in `hierarchy.py`.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from gossamer.vocabulary.hierarchy import SCHEMA, ancestors, class_names
from gossamer.vocabulary.nearness import nearest_name
from gossamer.vocabulary.tables import SCHEMA_ORG, names_in, section

ACTION_SUFFIXES: Final = ("-input", "-output")  # of properties that an action asks for or tells


def is_property(name: str) -> bool:
    """Whether schema.org has this property, also as an action's input or output."""
    return _plain_name(name) in section(SCHEMA_ORG, "properties")


def property_names() -> Iterable[str]:
    """The names of all properties of schema.org."""
    return section(SCHEMA_ORG, "properties")


@lru_cache(maxsize=4_096)
def domain(name: str) -> frozenset[str]:
    """The classes that have a property; all below them have it too."""
    return frozenset(_halves(name)[0].split())


@lru_cache(maxsize=4_096)
def range_of(name: str) -> frozenset[str]:
    """The classes and data types of a property's values."""
    return frozenset(_halves(name)[2].split())


def data_types() -> frozenset[str]:
    """The data types, such as `Text` and `Date`."""
    return frozenset(section(SCHEMA_ORG, "data types"))


@lru_cache(maxsize=4_096)
def class_and_above(name: str) -> frozenset[str]:
    """A class and all that it is a subclass of; the class of which an enumeration's member is one, and those above."""
    above = frozenset(iri[len(SCHEMA) :] for iri in ancestors(SCHEMA + name))
    more = (class_and_above(each) for each in _enumerations().get(name, ()))
    return above.union(*more)


@cache
def members(enumeration: str) -> frozenset[str]:
    """The members of an enumeration, those of enumerations below it included."""
    found = names_in(SCHEMA_ORG, "members")
    below = (each for each in found if enumeration in class_and_above(each))
    return frozenset(member for each in below for member in found[each])


def is_enumeration(name: str) -> bool:
    """Whether a class is an enumeration, one whose things schema.org lists."""
    return "Enumeration" in class_and_above(name) and name != "Enumeration"


def is_member(name: str) -> bool:
    """Whether a name is a member of an enumeration."""
    return name in _enumerations()


def successor(name: str) -> str | None:
    """The term that superseded this one; the last, where that was superseded too."""
    superseded = section(SCHEMA_ORG, "superseded")
    last, seen = name, {name}
    while (after := superseded.get(last)) is not None and after not in seen:
        seen.add(after)
        last = after
    return None if last == name else last


@lru_cache(maxsize=1_024)
def nearest_class(name: str) -> str | None:
    """The class that was probably meant."""
    return nearest_name(name, class_names())


@lru_cache(maxsize=1_024)
def nearest_property(name: str) -> str | None:
    """The property that was probably meant."""
    return nearest_name(name, section(SCHEMA_ORG, "properties"))


@lru_cache(maxsize=1_024)
def nearest_member(name: str, enumerations: frozenset[str] = frozenset()) -> str | None:
    """The member of these enumerations, or of any, that was probably meant."""
    joined = "".join(each for each in name if each.isalnum())  # `in stock`
    names: Iterable[str] = _enumerations()
    if enumerations:
        names = sorted(member for each in enumerations for member in members(each))
    return nearest_name(joined, names)


def _plain_name(name: str) -> str:
    for suffix in ACTION_SUFFIXES:
        if name.endswith(suffix):
            return name[: -len(suffix)]
    return name


def _halves(name: str) -> tuple[str, str, str]:
    return section(SCHEMA_ORG, "properties").get(_plain_name(name), "").partition(">")


@cache
def _enumerations() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for enumeration, names in names_in(SCHEMA_ORG, "members").items():
        for name in names:
            found.setdefault(name, []).append(enumeration)
    return found
