"""What a page says in schema.org's terms: entities with their types, and statements with short names."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import pyoxigraph as ox

from gossamer.report.statements import PageStatement, TermKind
from gossamer.sparql.prefixes import PREFIXES
from gossamer.vocabulary import is_class, plain
from gossamer.vocabulary.schema_terms import class_and_above, is_member

SCHEMA: Final = PREFIXES["schema"]
TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
ADDITIONAL_TYPE: Final = "additionalType"


class SchemaStatement(NamedTuple):
    """A statement whose property is one of schema.org's, or would be."""

    entity: str  # its IRI, or `_:` and the label of a blank node
    name: str  # of the property, without the namespace
    value: str
    kind: TermKind

    @property
    def schema_value(self) -> str | None:
        """The short name, where the value is a name in schema.org's namespace."""
        return schema_name(self.value) if self.kind is TermKind.IRI else None


class SchemaEntity(NamedTuple):
    """An entity of a page, by its types."""

    types: tuple[str, ...]  # short names of schema.org, in the order of the page
    is_known: bool  # whether all its types are schema.org's, and exist
    above: frozenset[str]  # its types and all above them

    def is_a(self, names: Iterable[str]) -> bool:
        """Whether it is of one of these classes, or of one below."""
        return not self.above.isdisjoint(names)


UNTYPED: Final = SchemaEntity((), False, frozenset())


class SchemaPage:
    """A page's entities and statements in schema.org's terms, in the order of its quads."""

    def __init__(self, page: Iterable[PageStatement]) -> None:
        statements: dict[SchemaStatement, None] = {}
        types: dict[str, dict[str, None]] = defaultdict(dict)
        for subject, predicate, value, kind in page:
            if predicate == TYPE:
                if kind is TermKind.IRI:
                    types[subject][plain(value)] = None
                continue
            name = _property_name(predicate)
            if name is not None:
                statement = SchemaStatement(subject, name, value, kind)
                statements[statement] = None
                if statement.name == ADDITIONAL_TYPE and (more := schema_name(value)):
                    types[subject][SCHEMA + more] = None
        self.statements = tuple(statements)
        self.names = frozenset(each.name for each in statements)  # of properties
        self.entities: Mapping[str, SchemaEntity] = {
            entity: _entity(tuple(iris)) for entity, iris in types.items()
        }

    def entity(self, name: str) -> SchemaEntity:
        """An entity of the page; one without types for what it says nothing of."""
        return self.entities.get(name, UNTYPED)


def schema_name(iri: str) -> str | None:
    """The short name of an IRI in schema.org's namespace, if it looks like one."""
    iri = plain(iri)
    name = iri[len(SCHEMA) :]
    return name if iri.startswith(SCHEMA) and name.isalnum() and name.isascii() else None


def entity_name(term: object) -> str:
    """An entity as findings name it: its IRI, or `_:` and the label of a blank node."""
    return term.value if isinstance(term, ox.NamedNode) else str(term)


@lru_cache(maxsize=4_096)
def _property_name(predicate: str) -> str | None:
    """The short name of a property of schema.org, or of one that would be."""
    iri = plain(predicate)
    return iri[len(SCHEMA) :] if iri.startswith(SCHEMA) else None


@lru_cache(maxsize=4_096)
def _entity(iris: tuple[str, ...]) -> SchemaEntity:
    names = tuple(iri[len(SCHEMA) :] for iri in iris if iri.startswith(SCHEMA))
    known = [name for name in names if is_class(SCHEMA + name) or is_member(name)]
    above = frozenset[str]().union(*(class_and_above(name) for name in known))
    return SchemaEntity(names, len(known) == len(iris), above)
