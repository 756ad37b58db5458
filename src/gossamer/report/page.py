"""A page as rules see it: what it says, what readers complained of, and the text that it was read from."""

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import urljoin

import pyoxigraph as ox

from gossamer.model import Cause, Problem
from gossamer.report.page_graph import PageGraph
from gossamer.report.schema_page import SchemaPage, entity_name
from gossamer.report.statements import PageStatement, TermKind, page_statements

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser  # no parser of pages where findings are kept

__all__ = ["RulePage", "RuleParts", "entity_name"]

MOST_PLACES: Final = 100  # of a value in a source, parts of words included: the line of one that stands in more is not told
_MARKUP: Final = re.compile(
    r"\s*<(?:!doctype\s+html|html|head|body|title|meta|div|p|script)\b", re.I
)
_ESCAPED: Final = frozenset("&<>\"'\\\t\r\x7f")  # in HTML or JSON
_BEFORE: Final = frozenset("\"'=/:")  # a name in an attribute or in JSON
_AFTER: Final = frozenset("\"' >")
MOST_SEARCHED: Final = (
    1_000_000  # characters of a source that is searched for the line of a finding
)


class RuleParts(Protocol):
    """What has been read of a page, as `gossamer.Page` has it."""

    @property
    def url(self) -> str:
        """The address of the page."""

    @property
    def nquads(self) -> bytes:
        """All quads of the page."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems that readers had with the page."""

    @property
    def cause(self) -> Cause | None:
        """Why a part of the page is missing, if one is."""

    @property
    def directives(self) -> tuple[tuple[str, str], ...]:
        """Name and content of the meta elements that may hold a directive for robots."""

    @property
    def items(self) -> Mapping[str, Any]:
        """Nested dictionaries by syntax."""


class RulePage:
    """A page that rules are applied to; each part is worked out when a rule first asks for it."""

    def __init__(
        self,
        parts: RuleParts,
        text: Callable[[], str] = str,
        tree: "Callable[[], LexborHTMLParser | None] | None" = None,
        robots_tag: str = "",
        seen: Callable[[], str | None] | None = None,
    ) -> None:
        self.url = parts.url
        self.robots_tag = robots_tag  # the header of that name
        self.problems = parts.problems
        self.cause = parts.cause
        self._parts = parts
        self._text = text
        self._tree = tree
        self._seen = seen

    @cached_property
    def quads(self) -> tuple[ox.Quad, ...]:
        """All quads of the page."""
        return tuple(ox.parse(self._parts.nquads, ox.RdfFormat.N_QUADS))

    @cached_property
    def statements(self) -> tuple[PageStatement, ...]:
        """All statements of the page, as plain tuples: a fraction of what quads cost."""
        return tuple(page_statements(self._parts.nquads))

    @cached_property
    def items(self) -> Mapping[str, Any]:
        """Nested dictionaries by syntax, as `gossamer.Page.items` has them."""
        return self._parts.items

    @cached_property
    def directives(self) -> tuple[tuple[str, str], ...]:
        """Name and content of the meta elements that may hold a directive for robots."""
        return self._parts.directives

    @cached_property
    def hreflangs(self) -> tuple[tuple[str, str], ...]:
        """The languages that the head names, each with the address of the page in it."""
        # Few pages have any, and to look for the word is cheaper than for elements.
        if self.tree is None or not any(name in self.text for name in ("hreflang", "HREFLANG")):
            return ()
        nodes = self.tree.css('link[rel~="alternate" i][hreflang][href]')
        found = ((node.attributes["hreflang"], node.attributes["href"]) for node in nodes)
        return tuple(
            (language.strip().lower(), joined(self.url, address.strip()))
            for language, address in found
            if language and language.strip() and address and address.strip()
        )

    @cached_property
    def text(self) -> str:
        """The decoded source; empty where it is not at hand."""
        return self._text()

    @cached_property
    def tree(self) -> "LexborHTMLParser | None":
        """The HTML tree, where the page is HTML; not to be changed."""
        if self._tree is not None:
            return self._tree()
        if not _MARKUP.match(self.text):
            return None
        from selectolax.lexbor import LexborHTMLParser

        return LexborHTMLParser(self.text)

    @cached_property
    def visible_text(self) -> str:
        """The text that people see, where the page is HTML."""
        if self._seen is not None:
            return self._seen() or ""
        if self.tree is None:
            return ""
        from gossamer.transform.visible_text import visible_text

        return visible_text(self.tree)

    @cached_property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """What is said of the page itself: IRIs and texts by the property's IRI."""
        found: dict[str, list[str]] = {}
        for subject, predicate, value, kind in self.statements:
            if subject == self.url and kind is not TermKind.BLANK:
                found.setdefault(predicate, []).append(value)
        return {name: tuple(texts) for name, texts in found.items()}

    def schema_values(self, names: Iterable[str]) -> Iterator[tuple[str, str, str]]:
        """Each literal of these properties of schema.org: the entity, the property's name, and the text."""
        wanted = frozenset(names) & self.schema.names
        if not wanted:
            return
        for entity, name, text, kind in self.schema.statements:
            if name in wanted and kind is TermKind.TEXT:
                yield entity, name, text

    @cached_property
    def graph(self) -> PageGraph:
        """What the page says, of any vocabulary, by entity and property."""
        return PageGraph(self.statements)

    @cached_property
    def schema(self) -> SchemaPage:
        """What the page says in schema.org's terms."""
        return SchemaPage(self.statements)

    def line_of(self, words: str, *near: str) -> int | None:
        """The line of the source with these words; None where there is none, or more than one.

        Of several lines, the one that also has the words that are near, or in which they stand in quotes.
        """
        if not words or "\n" in words or len(self.text) > MOST_SEARCHED:
            return None
        for spelling in _spellings(words):
            line = self._line_of(spelling, near)
            if line is not None:
                return line
        return None

    def _line_of(self, words: str, near: tuple[str, ...]) -> int | None:
        places = [*self._places(words)]
        for choose in (lambda at: True, self._is_near(near), self._is_quoted(words)):
            lines = {self.text.count("\n", 0, at) for at in places if choose(at)}
            if len(lines) == 1:
                return lines.pop() + 1
        return None

    def line_of_entity(self, entity: str) -> int | None:
        """The line where an entity is given its type, or has its IRI; None where that is not known."""
        if not entity.startswith("_:"):
            line = self.line_of(entity)
            if line is not None:
                return line
        for kind in self.schema.entity(entity).types:
            of_kind = [each for each, e in self.schema.entities.items() if kind in e.types]
            is_quoted = self._is_quoted(kind)
            places = [at for at in self._places(kind) if is_quoted(at)]
            if len(places) == len(of_kind):  # in the order of the page
                return self.text.count("\n", 0, places[of_kind.index(entity)]) + 1
        return None

    def _places(self, words: str) -> Iterator[int]:
        """Where these words stand; none if that is more often than is looked at."""
        at, found = -1, list[int]()
        for _ in range(MOST_PLACES):
            at = self.text.find(words, at + 1)
            if at < 0:
                yield from found
                return
            end = at + len(words)
            if not (_is_in_word(self.text[at - 1 : at]) or _is_in_word(self.text[end : end + 1])):
                found.append(at)

    def _is_near(self, near: tuple[str, ...]) -> Callable[[int], bool]:
        def is_near(at: int) -> bool:
            start, end = self.text.rfind("\n", 0, at) + 1, self.text.find("\n", at)
            line = self.text[start : end if end >= 0 else None]
            return bool(near) and all(each in line for each in near)

        return is_near

    def _is_quoted(self, words: str) -> Callable[[int], bool]:
        return lambda at: (
            self.text[at - 1 : at] in _BEFORE and self.text[at + len(words) :][:1] in _AFTER
        )


def _spellings(words: str) -> Iterable[str]:
    """The words as HTML and JSON may have them: most words are plain, and have one spelling."""
    if words.isascii() and _ESCAPED.isdisjoint(words):
        return (words,)
    return dict.fromkeys((words, html.escape(words), json.dumps(words)[1:-1]))


def joined(base: str, address: str) -> str:
    """An address as a page means it; empty where it is none."""
    try:
        return urljoin(base, address)
    except ValueError:
        return ""


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
