"""`gossamer.Page`: what one page says, read as it is asked for."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from gossamer.model import Cause, Detection, Link, Problem, Syntax
from gossamer.reading.jobs import Extracted, Share

if TYPE_CHECKING:
    import pyoxigraph

    from gossamer.transform.items.readers import Items


class PageParts(Protocol):
    """The parts of what a page says: worked out as they are asked for, or by a worker before."""

    @property
    def url(self) -> str:
        """The address of the page."""

    @property
    def detection(self) -> Detection:
        """What the page is taken for."""

    @property
    def nquads(self) -> bytes:
        """The quads."""

    @property
    def count(self) -> int:
        """The number of quads."""

    @property
    def links(self) -> tuple[Link, ...]:
        """The links of the page."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the page."""

    @property
    def directives(self) -> tuple[tuple[str, str], ...]:
        """The directives for robots."""

    @property
    def cause(self) -> Cause | None:
        """The reason that a part of the page is missing."""

    @property
    def shares(self) -> tuple[Share, ...]:
        """Which syntax said what."""

    def read_items(self) -> "Items":
        """The items."""

    def extracted(self) -> Extracted:
        """All parts as one value."""


class Page:
    """What a page says: quads, items, links. Each is worked out when it is first asked for, and kept.

    With `isolated=True` a worker process has worked out all of them already. A page keeps its bytes. Pickled, it
    is read whole first, so that another process need not read it again.
    """

    __slots__ = ("__weakref__", "_by_syntax", "_items", "_parts", "_uniform_items")

    def __init__(self, parts: PageParts) -> None:
        self._parts = parts
        self._items: Items | None = None
        self._uniform_items: Items | None = None
        self._by_syntax: Mapping[str, tuple[pyoxigraph.Quad, ...]] | None = None

    @property
    def url(self) -> str:
        """The address of the page, as it was given."""
        return self._parts.url

    @property
    def quads(self) -> "Iterator[pyoxigraph.Quad]":
        """The quads one by one, each once; the source graph is named by the page's URL."""
        return _parsed(self.nquads)

    @property
    def nquads(self) -> bytes:
        """The quads as N-Quads, each once and in a fixed order."""
        return self._parts.nquads

    @property
    def count(self) -> int:
        """The number of quads."""
        return self._parts.count

    @property
    def by_syntax(self) -> "Mapping[str, tuple[pyoxigraph.Quad, ...]]":
        """Which quads each syntax said, by the names in `syntaxes`; a quad that two of them say is with both.

        Stylesheets, plug-ins and services of your own are `xslt`, `grddl`, `plug-in` and `service`.
        """
        if self._by_syntax is None:
            lines = self.nquads.splitlines(keepends=True)
            said: dict[str, tuple[pyoxigraph.Quad, ...]] = {}
            at = 0
            for syntax, quads, repeats in self._parts.shares:
                own = b"".join(lines[at : at + quads])
                said[syntax] = (*_parsed(own), *_parsed(repeats))
                at += quads
            self._by_syntax = MappingProxyType(said)
        return self._by_syntax

    @property
    def items(self) -> "Items":
        """What the page says as nested dictionaries, by kind: `page.items["json-ld"][0]["name"]`.

        The kinds are `microdata`, `json-ld`, `opengraph`, `microformat`, `rdfa` and `dublincore`, those that
        were asked for. Order and repetition are the author's; all of it can be written as JSON.
        """
        if self._items is None:
            self._items = self._parts.read_items()
        return self._items

    @property
    def uniform_items(self) -> "Items":
        """The items of all kinds in one form: flat objects with `@context` and `@type`."""
        if self._uniform_items is None:
            from gossamer.transform.items.uniform import uniform_items

            self._uniform_items = uniform_items(self.items)
        return self._uniform_items

    @property
    def links(self) -> tuple[Link, ...]:
        """Where the page leads, each address once."""
        return self._parts.links

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the page. Asking for it has quads and links worked out."""
        return self._parts.problems

    @property
    def directives(self) -> tuple[tuple[str, str], ...]:
        """Directives for robots in meta elements: name and content."""
        return self._parts.directives

    @property
    def detection(self) -> Detection:
        """What the page is taken for: media type, syntaxes, encoding, and why."""
        return self._parts.detection

    @property
    def syntaxes(self) -> tuple[Syntax, ...]:
        """What the page seems to be written in."""
        return self.detection.syntaxes

    @property
    def cause(self) -> Cause | None:
        """Why this is not all of the page; None if it is. The first problem says more."""
        return self._parts.cause

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def __reduce__(self) -> tuple[type["Page"], tuple[Extracted]]:
        return type(self), (self.extracted(),)

    def extracted(self) -> Extracted:
        """All parts as one value, every one of them worked out."""
        return self._parts.extracted()


def _parsed(nquads: bytes) -> "Iterator[pyoxigraph.Quad]":
    import pyoxigraph  # 11 MB: on request

    return iter(pyoxigraph.parse(nquads, pyoxigraph.RdfFormat.N_QUADS))
