"""The rules `wrong-domain` and `wrong-range`: properties of things that do not have them, and values of the wrong kind.

A Role may stand between a property and its value, and repeats the property. Of an entity with a type that is not
schema.org's, or with none, nothing is said.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.schema_names import definition
from gossamer.report.schema_page import SchemaEntity, SchemaStatement
from gossamer.report.statements import TermKind
from gossamer.vocabulary.schema_terms import (
    class_and_above,
    data_types,
    domain,
    is_enumeration,
    is_property,
    range_of,
)
from gossamer.vocabulary.tables import SCHEMA_ORG, section

ROLE: Final = "Role"
SHOWN: Final = 3  # classes of a longer list
# Of these a text is the usual form: `PT5M`, `10 cm`.
_TEXTUAL: Final = frozenset({"Duration", "Distance", "Energy", "Mass", "Quantity"})


def wrong_domains(page: RulePage) -> Iterator[Finding]:
    """Properties that schema.org does not give to things of this type."""
    for each in page.schema.statements:
        entity = page.schema.entity(each.entity)
        if entity.is_known and not _belongs(each.name, entity.types):
            kinds, at = " and ".join(entity.types), page.line_of(each.name, each.value)
            yield Finding(
                f"{with_article(kinds)[0].upper()}{with_article(kinds)[1:]} has no {each.name}.",
                Severity.WARNING,
                at or page.line_of(each.name),
                each.entity,
                fix=_better_place(each.name, entity),
                see=definition(each.name),
            )


@lru_cache(maxsize=8_192)
def _belongs(name: str, types: tuple[str, ...]) -> bool:
    """Whether things of these types have a property, as far as anybody knows it."""
    wanted = domain(name)
    return not wanted or any(
        not class_and_above(each).isdisjoint((*wanted, ROLE)) for each in types
    )


def wrong_ranges(page: RulePage) -> Iterator[Finding]:
    """Things where schema.org wants a value, or things of another type; texts where it wants a thing."""
    for each in page.schema.statements:
        wanted = range_of(each.name)
        if not wanted or (each.kind is TermKind.TEXT and not _wants_things(each.name)):
            continue
        if each.name.endswith(("-input", "-output")):
            continue
        message = _mistake(page, each, wanted)
        if message is not None:
            is_text = each.kind is TermKind.TEXT
            yield Finding(
                message,
                Severity.INFO if is_text else Severity.WARNING,
                page.line_of(each.value if is_text else each.name, each.name)
                or page.line_of(each.name, each.value),
                each.entity,
                fix=f"Write {_either(wanted)}.",
                see=definition(each.name),
            )


def _mistake(page: RulePage, each: SchemaStatement, wanted: frozenset[str]) -> str | None:
    basic = wanted & data_types()
    if each.kind is TermKind.TEXT:
        if each.value.startswith(("http://", "https://")):
            return None  # what JSON-LD takes for a text often means the thing with this address
        # schema.org puts up with texts, but programs then know nothing of the thing but a name.
        return f"{each.name} is a text, and no thing of its own."
    if each.kind is TermKind.IRI and "URL" in basic:
        return None
    value = page.schema.entity(each.value)
    if not value.is_known or value.is_a((*wanted, ROLE)) or "Thing" in value.types:
        return None
    if each.kind is TermKind.IRI and basic and each.schema_value is not None:
        return None
    return f"{each.name} is {with_article(' and '.join(value.types))}."


@lru_cache(maxsize=4_096)
def _wants_things(name: str) -> bool:
    """Whether texts are no values of a property, by its range."""
    wanted = range_of(name)
    return not (wanted & data_types() or wanted & _TEXTUAL or any(map(is_enumeration, wanted)))


def with_article(kinds: str) -> str:
    """A noun with `a` or `an` before it."""
    return f"{'an' if kinds[:1] in 'AEIOU' else 'a'} {kinds}"


def _either(names: Iterable[str]) -> str:
    found = sorted(names)
    more = f" or one of {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    shown = [with_article(each) for each in found[:SHOWN]]
    return f"{', '.join(shown)}{more}" if more else _listed(shown)


def _listed(words: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _better_place(name: str, entity: SchemaEntity) -> str:
    """Where the property belongs, and how to get there from here."""
    home, way = _way(name, entity.types)
    if way is not None:
        return f"Give it to {with_article(home)}, as its {way}."
    return f"It belongs to {_either(domain(name))}."


@lru_cache(maxsize=1_024)
def _way(name: str, types: tuple[str, ...]) -> tuple[str, str | None]:
    """A class that has the property, and the property that leads to it from these types."""
    above = frozenset[str]().union(*map(class_and_above, types)) - {"Thing"}
    found = []
    for each in section(SCHEMA_ORG, "properties"):
        homes = range_of(each) & domain(name)
        if homes and domain(each) & above and is_property(each):
            found.append((len(range_of(each)), len(each), each, min(homes)))
    return (found[0][3], found[0][2]) if (found := sorted(found)) else ("", None)
