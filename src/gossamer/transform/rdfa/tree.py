"""The elements of a page that matter to RDFa, for any parser.

Few elements of a page carry RDFa. A reader names those that can make a statement; here their
ancestors are looked through, once each, for what they add: subjects, prefixes, languages.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final, Generic, TypeVar

Node = TypeVar("Node")

DECLARING: Final = "xmlns:"  # stands for all attributes that begin so
LINKS: Final = frozenset(("rel", "rev"))
RELEVANT: Final = frozenset(
    (
        *("about", "datatype", "href", "inlist", "lang", "prefix", "property", "rel", "resource"),
        *("rev", "role", "src", "typeof", "vocab", "xml:base", "xml:lang"),
    )
)


class Element(ABC, Generic[Node]):
    """An element that matters, and its nearest ancestor that matters too."""

    __slots__ = ("attributes", "carried", "depth", "node", "parent")

    def __init__(
        self,
        node: Node,
        parent: "Element[Node] | None",
        attributes: Mapping[str, str],
        carried: frozenset[str],
    ) -> None:
        self.node = node
        self.parent = parent
        self.attributes = attributes
        self.carried = carried  # which attributes of those that matter, and DECLARING
        self.depth: int = 1 if parent is None else parent.depth + 1

    @property
    @abstractmethod
    def name(self) -> str:
        """The name, without its namespace."""

    @property
    @abstractmethod
    def is_root(self) -> bool:
        """Whether this is the outermost element of the document."""

    @property
    @abstractmethod
    def namespaces(self) -> Mapping[str, str]:
        """The prefixes that `xmlns:` declares on this element."""

    @abstractmethod
    def text(self) -> str:
        """The text of the element and all within."""

    @abstractmethod
    def inner_html(self) -> str:
        """The markup within, as HTML."""

    @abstractmethod
    def inner_xml(self, prefixes: Mapping[str, str]) -> str:
        """The markup within, as XML that keeps its meaning elsewhere."""


AnyElement = Element[Any]


def with_ancestors(
    nodes: Iterable[Node],
    key_of: Callable[[Node], Hashable],
    parent_of: Callable[[Node], Node | None],
    element_of: Callable[[Node, Element[Node] | None], Element[Node] | None],
) -> list[Element[Node]]:
    """The elements of these nodes and their relevant ancestors, in document order.

    Every ancestor is looked at once, so depth costs no more than the number of elements.
    """
    found: list[Element[Node]] = []
    nearest: dict[Hashable, Element[Node] | None] = {}
    for node in nodes:
        path: list[tuple[Hashable, Node]] = []
        around: Element[Node] | None = None
        step: Node | None = node
        while step is not None:
            key = key_of(step)
            if key in nearest:
                around = nearest[key]
                break
            path.append((key, step))
            step = parent_of(step)
        for key, step in reversed(path):
            element = element_of(step, around)
            if element is not None:
                found.append(element)
                around = element
            nearest[key] = around
    return found
