"""The rules `unknown-type`, `unknown-property`, `unknown-value` and `superseded`: names that schema.org does not have, or no longer wants."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.schema_page import ADDITIONAL_TYPE, SCHEMA, SchemaStatement, schema_name
from gossamer.report.statements import TermKind
from gossamer.vocabulary import is_class
from gossamer.vocabulary.schema_terms import (
    data_types,
    is_enumeration,
    is_member,
    is_property,
    members,
    nearest_class,
    nearest_member,
    nearest_property,
    range_of,
    successor,
)
from gossamer.wording import quoted

TERM: Final = "https://schema.org/"
ALL_TERMS: Final = "https://schema.org/docs/full.html"


def definition(name: str) -> str:
    """The address where schema.org defines a term."""
    return TERM + name


def unknown_types(page: RulePage) -> Iterator[Finding]:
    """Classes that are misspelled or made up, with the nearest one that there is."""
    for entity, known in page.schema.entities.items():
        for name in known.types:
            # A member of an enumeration is a type too: that of things which have this property.
            if not (is_class(SCHEMA + name) or is_member(name) or name in data_types()):
                near = nearest_class(name)
                yield Finding(
                    f"schema.org has no type {quoted(name)}.",
                    Severity.ERROR,
                    page.line_of(name),
                    entity,
                    fix=f"Write {near}." if near else f"See {ALL_TERMS} for its types.",
                    see=definition(near) if near else ALL_TERMS,
                )


def unknown_properties(page: RulePage) -> Iterator[Finding]:
    """Properties that are misspelled or made up, with the nearest one that there is."""
    for each in page.schema.statements:
        if not is_property(each.name):
            near = nearest_property(each.name)
            fix = f"Write {near}." if near else f"See {ALL_TERMS} for its properties."
            yield Finding(
                f"schema.org has no property {quoted(each.name)}.",
                Severity.ERROR,
                page.line_of(each.name, each.value),
                each.entity,
                fix,
                see=definition(near) if near else ALL_TERMS,
            )


def unknown_values(page: RulePage) -> Iterator[Finding]:
    """Values that ought to be terms of schema.org, and are none."""
    for each in page.schema.statements:
        if each.kind is TermKind.BLANK:
            continue
        enumerations = _enumerations(each.name)
        if each.kind is TermKind.TEXT and not enumerations:
            continue
        name = each.schema_value
        if name is not None:
            if each.name != ADDITIONAL_TYPE and not _is_term(name):
                yield _unknown_value(page, each, name, enumerations)
        elif (
            each.kind is TermKind.TEXT and enumerations and not (range_of(each.name) & data_types())
        ):
            name = schema_name(each.value.strip()) or each.value.strip()
            if name and not any(name in members(kind) for kind in enumerations):
                yield _unknown_value(page, each, name, enumerations)


def superseded_terms(page: RulePage) -> Iterator[Finding]:
    """Types and properties that schema.org has better ones for."""
    for entity, known in page.schema.entities.items():
        for name in known.types:
            after = successor(name)
            if after is not None:
                line = page.line_of_entity(entity)
                yield _superseded("type", name, after, line, entity)
    for each in page.schema.statements:
        after = successor(each.name)
        if after is not None and is_property(each.name):
            line = page.line_of(each.name, each.value)
            yield _superseded("property", each.name, after, line, each.entity)


def _is_term(name: str) -> bool:
    return is_class(SCHEMA + name) or is_member(name) or name in data_types() or is_property(name)


@lru_cache(maxsize=4_096)
def _enumerations(name: str) -> frozenset[str]:
    """The enumerations among the classes of a property's values."""
    return frozenset(kind for kind in range_of(name) if is_enumeration(kind) and members(kind))


def _unknown_value(
    page: RulePage, each: SchemaStatement, name: str, enumerations: frozenset[str]
) -> Finding:
    near = nearest_member(name, enumerations)
    kinds = " or ".join(sorted(enumerations)) or "schema.org"
    line = page.line_of(name, each.name)
    return Finding(
        f"{each.name} is {quoted(name)}, which is no term of {kinds}.",
        Severity.ERROR,
        line,
        each.entity,
        fix=f"Write {TERM}{near}." if near else f"See {definition(each.name)} for what it may be.",
        see=definition(each.name),
    )


def _superseded(what: str, name: str, after: str, line: int | None, entity: str) -> Finding:
    return Finding(
        f"The {what} {name} was superseded by {after}.",
        Severity.WARNING,
        line,
        entity,
        fix=f"Write {after}.",
        see=definition(name),
    )
