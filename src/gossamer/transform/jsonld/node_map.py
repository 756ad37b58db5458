"""A linear-time node map of JSON-LD (API, section 7.2) for PyLD, whose own is quadratic.

A thousand values of one property took half a second, and ten thousand a minute. Here a set knows
which values a property has.
"""

import json
from collections.abc import Hashable
from typing import Any

from pyld import jsonld
from pyld.identifier_issuer import IdentifierIssuer

from gossamer.transform.jsonld.processing import Json

Graphs = dict[str, dict[str, Any]]


class Processor(jsonld.JsonLdProcessor):  # type: ignore[misc]  # it has no types
    """PyLD with a node map that takes linear time."""

    def _create_node_map(
        self,
        input_: Json,
        graph_map: Graphs,
        active_graph: str,
        issuer: IdentifierIssuer,
        *_: object,
    ) -> None:
        _NodeMap(graph_map, issuer).add(input_, active_graph)


class _NodeMap:
    def __init__(self, graphs: Graphs, issuer: IdentifierIssuer) -> None:
        self._graphs = graphs
        self._issuer = issuer
        self._known: set[tuple[int, str, Hashable]] = set()

    def add(
        self,
        element: Json,
        graph: str,
        subject: dict[str, Json] | None = None,
        property_: str = "",
        members: list[Json] | None = None,
    ) -> None:
        """Add an expanded element, as a value of a subject's property or a member of a list."""
        if isinstance(element, list):
            for each in element:
                self.add(each, graph, subject, property_, members)
        elif "@value" in element:
            self._label_types(element)
            self._give(element, subject, property_, members)
        elif "@list" in element:
            inner: list[Json] = []
            self.add(element["@list"], graph, subject, property_, inner)
            if members is not None:
                members.append({"@list": inner})
            elif subject is not None:
                subject.setdefault(property_, []).append({"@list": inner})
        elif element.get("@id", "") is not None:  # else its name looks like a keyword: it has none
            node = self._node(element, graph)
            self._give({"@id": node["@id"]}, subject, property_, members)
            self._describe(node, element, graph)

    def _node(self, element: dict[str, Json], graph: str) -> dict[str, Json]:
        self._label_types(element)
        name = element.get("@id")
        if name is None or name.startswith("_:"):
            name = self._issuer.get_id(name)
        node: dict[str, Json] = self._graphs.setdefault(graph, {}).setdefault(name, {"@id": name})
        return node

    def _label_types(self, element: dict[str, Json]) -> None:
        """Blank nodes among the types are labelled first, as the specification has it."""
        types = element.get("@type")
        if isinstance(types, list):
            element["@type"] = [self._labelled(each) for each in types]
        elif isinstance(types, str):
            element["@type"] = self._labelled(types)

    def _labelled(self, name: str) -> str:
        return self._issuer.get_id(name) if name.startswith("_:") else name

    def _describe(self, node: dict[str, Json], element: dict[str, Json], graph: str) -> None:
        for property_, values in sorted(element.items()):
            if property_ == "@type":
                for each in values:
                    self._give(each, node, property_, None)
            elif property_ == "@reverse":
                self._add_reverse(node, values, graph)
            elif property_ == "@graph":
                self._graphs.setdefault(node["@id"], {})
                self.add(values, node["@id"])
            elif property_ == "@index":
                if node.setdefault(property_, values) != values:
                    raise _conflict()
            elif property_ == "@included":
                self.add(values, graph)
            elif not property_.startswith("@"):
                name = self._labelled(property_)
                node.setdefault(name, [])
                self.add(values, graph, node, name)

    def _add_reverse(self, node: dict[str, Json], reverse: Json, graph: str) -> None:
        for property_, elements in reverse.items():
            for each in elements:
                other = self._node(each, graph)
                self._give({"@id": node["@id"]}, other, property_, None)
                self._describe(other, each, graph)

    def _give(
        self,
        value: Json,
        subject: dict[str, Json] | None,
        property_: str,
        members: list[Json] | None,
    ) -> None:
        if members is not None:
            members.append(value)
        elif subject is not None:
            key = (id(subject), property_, _key(value))
            if key not in self._known:
                self._known.add(key)
                subject.setdefault(property_, []).append(value)


def _conflict() -> jsonld.JsonLdError:
    message = "Invalid JSON-LD syntax; conflicting @index property detected."
    return jsonld.JsonLdError(message, "jsonld.SyntaxError", code="conflicting indexes")


def _key(value: Json) -> Hashable:
    """What is equal for equal values: 1, 1.0 and true are three."""
    return json.dumps(value, sort_keys=True)
