"""A page's statements by subject and property, of any vocabulary; schema.org in one spelling. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gossamer.report.schema_page import TYPE
from gossamer.report.statements import PageStatement, TermKind
from gossamer.vocabulary import plain


class PageGraph:
    """Types and values of all entities that a page speaks of."""

    def __init__(self, page: Iterable[PageStatement]) -> None:
        types: dict[str, dict[str, None]] = defaultdict(dict)
        values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        leading: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for subject, predicate, value, kind in page:
            if predicate == TYPE:
                if kind is TermKind.IRI:
                    types[subject][plain(value)] = None
                continue
            name = plain(predicate)
            # A text leads nowhere, whatever it looks like.
            values[subject][name].append("" if kind is TermKind.TEXT else value)
            if kind is not TermKind.TEXT:
                leading[value].append((subject, name))
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
