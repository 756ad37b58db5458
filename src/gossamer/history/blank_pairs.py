"""Pairs of blank nodes: which one of a page as it was is which one of the page as it is. Pure.

Blank nodes have no names, so a price that changed would make its offer another node, and all that was said of it
come and go. Nodes are paired from the top: what says the same in all depth, then what stands at the same place (the
same property of the same thing) and is of the same classes, the most alike first.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

import pyoxigraph as ox

from gossamer.index.entities.vocabulary import NAMES, RDF_TYPE
from gossamer.vocabulary import is_structural

MOST_COMPARED: Final = (
    20_000  # pairs of nodes at all places together; behind it, nodes pair in order
)
MOST_DEPTH: Final = 12  # that equal contents are looked into
_TELLING: Final = 3  # what an equal name counts for, against any other equal statement
Node = ox.BlankNode
Place = tuple[str, str]  # whose property, and which
Places = dict[Place, tuple[list[Node], list[Node]]]  # the old nodes at each place, and the new ones
_ROOT: Final[Place] = ("", "")


@dataclass(slots=True)
class BlankGraph:
    """What one state of a page says of its blank nodes."""

    out: dict[Node, list[ox.Triple]] = field(default_factory=dict)
    into: dict[Node, list[ox.Triple]] = field(default_factory=dict)
    _contents: dict[Node, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, triples: Iterable[ox.Triple]) -> "BlankGraph":
        """The blank nodes of these statements."""
        found = cls()
        for triple in triples:
            if isinstance(triple.subject, Node):
                found.out.setdefault(triple.subject, []).append(triple)
            if isinstance(triple.object, Node):
                found.out.setdefault(triple.object, [])
                found.into.setdefault(triple.object, []).append(triple)
        return found

    def types(self, node: Node) -> frozenset[str]:
        """The classes of a node."""
        return frozenset(
            each.object.value
            for each in self.out[node]
            if each.predicate.value == RDF_TYPE and isinstance(each.object, ox.NamedNode)
        )

    def content(self, node: Node, depth: int = MOST_DEPTH) -> bytes:
        """The hash of what is said of a node, and of the nodes that it leads to."""
        if (known := self._contents.get(node)) is not None:
            return known
        if not depth:
            return b""
        self._contents[node] = b"."  # a circle ends here
        said = sorted(
            f"{each.predicate} ".encode()
            + (
                self.content(each.object, depth - 1)
                if isinstance(each.object, Node)
                else str(each.object).encode()
            )
            for each in self.out[node]
        )
        found = blake2b(b"\n".join(said), digest_size=12).digest()
        self._contents[node] = found
        return found

    def unreached(self) -> list[Node]:
        """The nodes that lie in no depth under a thing with a name or a node that nothing leads to."""
        seen: set[Node] = set()
        below = [
            node
            for node in self.out
            if not (into := self.into.get(node, ()))
            or any(isinstance(each.subject, ox.NamedNode) for each in into)
        ]
        while below:
            node = below.pop()
            if node not in seen:
                seen.add(node)
                below += (each.object for each in self.out[node] if isinstance(each.object, Node))
        return [node for node in self.out if node not in seen]

    def features(self, node: Node) -> frozenset[bytes]:
        """What is said of a node, a hash or text each."""
        return frozenset(
            f"{each.predicate} ".encode()
            + (
                self.content(each.object)
                if isinstance(each.object, Node)
                else str(each.object).encode()
            )
            for each in self.out[node]
            if each.predicate.value != RDF_TYPE
        )


def pair_blanks(old: BlankGraph, new: BlankGraph) -> Mapping[Node, Node]:
    """The old node of each new node that has one."""
    pairing = _Pairing(old, new)
    pairing.run()
    return pairing.old_of


@dataclass(slots=True)
class _Pairing:
    old: BlankGraph
    new: BlankGraph
    old_of: dict[Node, Node] = field(default_factory=dict)
    taken: set[Node] = field(default_factory=set)
    compared: int = 0

    def run(self) -> None:
        self._go_down(self._places())
        # What nothing leads to but a circle of nodes.
        circles = {_ROOT: (self.old.unreached(), self.new.unreached())}
        self._go_down(circles)

    def _go_down(self, places: Places) -> None:
        while places:
            paired: list[Node] = []
            for place in sorted(places):
                paired += self._pair_place(*places[place], is_root=place == _ROOT)
            places = self._below(paired)

    def _places(self) -> Places:
        """Nodes under things with a name, and those that nothing leads to, by place."""
        found: Places = defaultdict(lambda: ([], []))
        for which, graph in enumerate((self.old, self.new)):
            for node in graph.out:
                into = graph.into.get(node, ())
                for each in into:
                    if isinstance(each.subject, ox.NamedNode):
                        found[each.subject.value, each.predicate.value][which].append(node)
                if not into:
                    found[_ROOT][which].append(node)
        return found

    def _below(self, paired: Iterable[Node]) -> Places:
        """The places below new nodes that were paired, by the name of the new one."""
        found: Places = defaultdict(lambda: ([], []))
        for node in paired:
            for which, (graph, each) in enumerate(
                ((self.old, self.old_of[node]), (self.new, node))
            ):
                for triple in graph.out[each]:
                    if isinstance(triple.object, Node):
                        found[node.value, triple.predicate.value][which].append(triple.object)
        return found

    def _pair_place(self, old: list[Node], new: list[Node], *, is_root: bool) -> list[Node]:
        """Pair the nodes at one place, by class; the new ones that were paired."""
        before = [*dict.fromkeys(each for each in old if each not in self.taken)]
        after = [*dict.fromkeys(each for each in new if each not in self.old_of)]
        by_type: defaultdict[frozenset[str], tuple[list[Node], list[Node]]]
        by_type = defaultdict(lambda: ([], []))
        for node in before:
            by_type[self.old.types(node)][0].append(node)
        for node in after:
            by_type[self.new.types(node)][1].append(node)
        paired: list[Node] = []
        for types, (ours, theirs) in by_type.items():
            if not ours or not theirs:
                continue
            self._pair_equal(ours, theirs, paired)
            ours = [each for each in ours if each not in self.taken]
            theirs = [each for each in theirs if each not in self.old_of]
            self._pair_alike(ours, theirs, paired)
            is_part = not is_root and (not types or is_structural(types))
            left = [each for each in ours if each not in self.taken]
            free = [each for each in theirs if each not in self.old_of]
            if is_part and len(left) == len(free) == 1:
                self._pair(left[0], free[0], paired)
        return paired

    def _pair_equal(self, old: list[Node], new: list[Node], paired: list[Node]) -> None:
        """Pair nodes of which the same is said, as many as there are of both."""
        by_content: defaultdict[bytes, list[Node]] = defaultdict(list)
        for node in old:
            by_content[self.old.content(node)].append(node)
        for node in new:
            if same := by_content.get(self.new.content(node)):
                self._pair(same.pop(0), node, paired)

    def _pair_alike(self, old: list[Node], new: list[Node], paired: list[Node]) -> None:
        """Pair nodes of which much of the same is said, the most alike first."""
        if self.compared + len(old) * len(new) > MOST_COMPARED:
            for ours, theirs in zip(old, new, strict=False):
                self._pair(ours, theirs, paired)
            return
        self.compared += len(old) * len(new)
        before = {node: self.old.features(node) for node in old}
        after = {node: self.new.features(node) for node in new}
        ranked = sorted(
            (-score, at, place)
            for at, ours in enumerate(old)
            for place, theirs in enumerate(new)
            if (score := _likeness(before[ours], after[theirs]))
        )
        for _, at, place in ranked:
            if old[at] not in self.taken and new[place] not in self.old_of:
                self._pair(old[at], new[place], paired)

    def _pair(self, old: Node, new: Node, paired: list[Node]) -> None:
        self.old_of[new] = old
        self.taken.add(old)
        paired.append(new)


def _likeness(old: frozenset[bytes], new: frozenset[bytes]) -> float:
    """How much two nodes say of the same; 0 where that is too little for them to be one."""
    shared = old & new
    names = sum(any(each[1:].startswith(name) for name in _NAME_STARTS) for each in shared)
    score = len(shared) + _TELLING * names
    if not names and 2 * len(shared) < min(len(old), len(new)):
        return 0
    return score


_NAME_STARTS: Final = tuple(f"{iri}> ".encode() for iri in NAMES)
