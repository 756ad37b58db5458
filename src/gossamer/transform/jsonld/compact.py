"""Writes quads as JSON-LD for people: prefixes, `@type`, and things nested in the thing that names them. Pure.

Reading it back gives the same quads. A thing is nested where exactly one statement of its graph refers to
it, so that nothing is said twice; a list of RDF is an array; whole numbers and truth values are JSON's.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

from gossamer.transform.terms import RDF, XSD

MOST_NESTED: Final = 32
"""How deep things are nested in each other; deeper ones are written beside, by name."""

_TYPE: Final = f"{RDF}type"
_VOCAB: Final = "@vocab"
_NIL: Final = f"{RDF}nil"
_LOCAL: Final = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# As JSON has them: longer ones would be rounded by most programs that read JSON.
_WHOLE: Final = re.compile(r"0|-?[1-9][0-9]{0,14}", re.ASCII)
_TRUTHS: Final = {"true": True, "false": False}

_Node = NamedNode | BlankNode
_Object = NamedNode | BlankNode | Literal | Triple
_Properties = dict[str, list[_Object]]
_Value = Any  # as JSON has them: too deep a union to be of use


class _Cell:
    """The properties of a list's cell."""

    FIRST: Final = f"{RDF}first"
    REST: Final = f"{RDF}rest"


def is_writable(quad: Quad) -> bool:
    """Whether JSON-LD 1.1 has a way to write a quad: it has none for triple terms."""
    return not isinstance(quad.object, Triple)


def compact_graphs(quads: Iterable[Quad], prefixes: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """JSON-LD objects, one for each named graph of a page, and one for each thing outside of them.

    All quads of the page have to be given at once, and be writable. All objects are to be members of one
    array, in which blank nodes keep their names. A prefix `@vocab` is for names without one.
    """
    graphs: dict[_Node | DefaultGraph, dict[_Node, _Properties]] = {}
    places: dict[BlankNode, set[_Node | DefaultGraph]] = {}  # the graphs of each blank node
    for quad in quads:
        subjects = graphs.setdefault(quad.graph_name, {})
        assert not isinstance(quad.subject, Triple)  # RDF 1.2 has them as objects only
        properties = subjects.setdefault(quad.subject, {})
        properties.setdefault(quad.predicate.value, []).append(quad.object)
        for term in (quad.subject, quad.object, quad.graph_name):
            if isinstance(term, BlankNode):
                places.setdefault(term, set()).add(
                    DefaultGraph() if term == quad.graph_name else quad.graph_name
                )
    shared = {blank for blank, found in places.items() if len(found) > 1}
    shared |= {name for name in graphs if isinstance(name, BlankNode)}
    for name, subjects in graphs.items():
        yield from _Graph(subjects, shared, prefixes).written(name)


@dataclass(slots=True)
class _Graph:
    """One graph on its way into JSON."""

    subjects: dict[_Node, _Properties]
    shared: set[BlankNode]  # have to keep their names
    prefixes: Mapping[str, str]
    used: dict[str, str] = field(default_factory=dict)
    references: dict[_Node, int] = field(default_factory=dict)
    done: set[_Node] = field(default_factory=set)
    beside: list[_Node] = field(default_factory=list)  # too deep to be nested

    def written(self, name: _Node | DefaultGraph) -> Iterator[dict[str, Any]]:
        for properties in self.subjects.values():
            for objects in properties.values():
                for each in objects:
                    if isinstance(each, NamedNode | BlankNode):
                        self.references[each] = self.references.get(each, 0) + 1
        self.prefixes = self._safe_prefixes(name)
        nodes = [
            self._thing(subject, 0)
            for subject in [*self._roots(), *self.subjects]  # the latter: those in a circle
            if subject not in self.done
        ]
        while self.beside:
            later = self.beside.pop()
            if later not in self.done:
                nodes.append(self._thing(later, 0))
        head = {"@context": dict(sorted(self.used.items()))} if self.used else {}
        if isinstance(name, DefaultGraph):
            yield from ({**head, **node} for node in nodes)
        else:
            yield {**head, "@id": _name(name), "@graph": nodes}

    def _safe_prefixes(self, name: _Node | DefaultGraph) -> Mapping[str, str]:
        """Prefixes that are no scheme here: `<foaf:x>` is not to become FOAF's x."""
        schemes = {
            found[1]
            for term in self._iris(name)
            if (found := _SCHEME.match(term)) and found[1] in self.prefixes
        }
        return {prefix: iri for prefix, iri in self.prefixes.items() if prefix not in schemes}

    def _iris(self, name: _Node | DefaultGraph) -> Iterator[str]:
        if isinstance(name, NamedNode):
            yield name.value
        for subject, properties in self.subjects.items():
            if isinstance(subject, NamedNode):
                yield subject.value
            for predicate, objects in properties.items():
                yield predicate
                for each in objects:
                    if isinstance(each, NamedNode):
                        yield each.value
                    elif isinstance(each, Literal):
                        yield each.datatype.value

    def _roots(self) -> Iterator[_Node]:
        return (each for each in self.subjects if not self._has_one_place(each))

    def _has_one_place(self, node: _Node) -> bool:
        return self.references.get(node, 0) == 1 and node not in self.shared

    def _thing(self, node: _Node, depth: int) -> dict[str, Any]:
        """A node with all that is said of it, other things nested."""
        self.done.add(node)
        named = (
            isinstance(node, NamedNode) or node in self.shared or self._is_referred_to(node, depth)
        )
        thing: dict[str, Any] = {"@id": _name(node)} if named else {}
        for predicate, objects in self.subjects[node].items():
            rest = objects
            if predicate == _TYPE:
                types = [
                    self._compact(each.value) for each in objects if isinstance(each, NamedNode)
                ]
                if types:
                    thing["@type"] = types[0] if len(types) == 1 else types
                rest = [each for each in objects if not isinstance(each, NamedNode)]
            if rest:
                values = [self._value(each, depth) for each in rest]
                thing[self._compact(predicate)] = values[0] if len(values) == 1 else values
        return thing

    def _is_referred_to(self, node: _Node, depth: int) -> bool:
        """Whether somebody else needs the name of a blank node: not if it is nested in its only place."""
        return node in self.references and not (depth and self._has_one_place(node))

    def _value(self, term: _Object, depth: int) -> _Value:
        if isinstance(term, Literal):
            return self._literal(term)
        assert isinstance(term, NamedNode | BlankNode)  # as `is_writable` says
        if depth < MOST_NESTED and (members := self._members(term)) is not None:
            return {"@list": [self._value(each, depth + 1) for each in members]}
        if term in self.subjects and term not in self.done and self._has_one_place(term):
            if depth < MOST_NESTED:
                return self._thing(term, depth + 1)
            self.beside.append(term)
        return {"@id": _name(term)}

    def _members(self, head: _Node) -> list[_Object] | None:
        """The members of a list that can be written as one: nobody else refers to its cells."""
        members: list[_Object] = []
        cells: list[_Node] = []
        while not (isinstance(head, NamedNode) and head.value == _NIL):
            if (
                not isinstance(head, BlankNode)
                or head in self.done
                or not self._has_one_place(head)
            ):
                return None
            match self.subjects.get(head, {}):
                case {
                    _Cell.FIRST: [first],
                    _Cell.REST: [NamedNode() | BlankNode() as rest],
                    **more,
                }:
                    if more:
                        return None
                case _:
                    return None
            members.append(first)
            cells.append(head)
            head = rest
        self.done.update(cells)
        return members

    def _literal(self, literal: Literal) -> _Value:
        value, datatype = literal.value, literal.datatype.value
        if literal.language:
            found = {"@value": value, "@language": literal.language}
            direction = literal.direction
            return found if direction is None else {**found, "@direction": str(direction)}
        if datatype == f"{XSD}string":
            return value
        if datatype == f"{XSD}integer" and _WHOLE.fullmatch(value):
            return int(value)
        if datatype == f"{XSD}boolean" and value in _TRUTHS:
            return _TRUTHS[value]
        return {"@value": value, "@type": self._compact(datatype)}

    def _compact(self, iri: str) -> str:
        for prefix, start in self.prefixes.items():
            if iri.startswith(start) and (local := _LOCAL.fullmatch(iri, len(start))):
                if prefix == _VOCAB and local[0] in self.prefixes:
                    continue  # the name of a prefix would be read as what that stands for
                self.used[prefix] = start
                return local[0] if prefix == _VOCAB else f"{prefix}:{local[0]}"
        return iri


def _name(node: _Node) -> str:
    return node.value if isinstance(node, NamedNode) else f"_:{node.value}"
