"""A page's statements by subject and property, of any vocabulary; schema.org in one spelling. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pyoxigraph as ox

from gossamer.report.schema_page import TYPE, entity_name
from gossamer.vocabulary import plain


class PageGraph:
    """Types and values of all entities that a page speaks of."""

    def __init__(self, quads: Iterable[ox.Quad]) -> None:
        types: dict[str, dict[str, None]] = defaultdict(dict)
        values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        leading: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for quad in quads:
            subject = entity_name(quad.subject)
            if quad.predicate.value == TYPE:
                if isinstance(quad.object, ox.NamedNode):
                    types[subject][plain(quad.object.value)] = None
                continue
            name = plain(quad.predicate.value)
            value = quad.object.value if isinstance(quad.object, ox.Literal) else None
            # A text leads nowhere, whatever it looks like.
            values[subject][name].append("" if value is not None else entity_name(quad.object))
            if value is None:
                leading[entity_name(quad.object)].append((subject, name))
        self.types: Mapping[str, Sequence[str]] = {each: [*kinds] for each, kinds in types.items()}
        self._values = values
        self._leading = leading

    def of_classes(self, classes: frozenset[str]) -> Iterator[str]:
        """The entities with one of these types, in the order of the page."""
        for entity, kinds in self.types.items():
            if not classes.isdisjoint(kinds):
                yield entity

    def has(self, entity: str, name: str) -> bool:
        """Whether an entity has a property."""
        return entity in self._values and name in self._values[entity]

    def leads(self, entity: str, path: Sequence[str]) -> bool:
        """Whether there is a value at the end of a path of properties."""
        at = [entity]
        for name in path:
            at = [value for each in at for value in self._values.get(each, {}).get(name, ())]
        return bool(at)

    def is_reached(self, entity: str, classes: frozenset[str], names: frozenset[str]) -> bool:
        """Whether an entity of one of these classes leads to it by one of these properties."""
        return any(
            name in names and not classes.isdisjoint(self.types.get(subject, ()))
            for subject, name in self._leading.get(entity, ())
        )
