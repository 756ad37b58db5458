"""A page as rules see it: what it says, what readers complained of, and the text that it was read from."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Protocol

import pyoxigraph as ox

from gossamer.model import Cause, Problem
from gossamer.sparql.prefixes import PREFIXES
from gossamer.vocabulary import plain

MOST_PLACES: Final = 100  # of a value in a source, parts of words included: the line of one that stands in more is not told
SCHEMA: Final = PREFIXES["schema"]
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
    def items(self) -> Mapping[str, Any]:
        """Nested dictionaries by syntax."""


class RulePage:
    """A page that rules are applied to; each part is worked out when a rule first asks for it."""

    def __init__(self, parts: RuleParts, text: Callable[[], str] = str) -> None:
        self.url = parts.url
        self.problems = parts.problems
        self.cause = parts.cause
        self._parts = parts
        self._text = text

    @cached_property
    def quads(self) -> tuple[ox.Quad, ...]:
        """All quads of the page."""
        return tuple(ox.parse(self._parts.nquads, ox.RdfFormat.N_QUADS))

    @cached_property
    def items(self) -> Mapping[str, Any]:
        """Nested dictionaries by syntax, as `gossamer.Page.items` has them."""
        return self._parts.items

    @cached_property
    def text(self) -> str:
        """The decoded source; empty where it is not at hand."""
        return self._text()

    def schema_values(self, names: Iterable[str]) -> Iterator[tuple[str, str, str]]:
        """Each literal of these properties of schema.org: the entity, the property's name, and the text."""
        wanted = frozenset(names)
        for entity, name, text in self._schema_literals:
            if name in wanted:
                yield entity, name, text

    @cached_property
    def _schema_literals(self) -> tuple[tuple[str, str, str], ...]:
        found = []
        for quad in self.quads:
            iri = plain(quad.predicate.value)
            if iri.startswith(SCHEMA) and isinstance(quad.object, ox.Literal):
                found.append((entity_name(quad.subject), iri[len(SCHEMA) :], quad.object.value))
        return tuple(found)

    def line_of(self, words: str) -> int | None:
        """The line of the source with these words; None where there is none, or more than one."""
        if not words or "\n" in words or len(self.text) > MOST_SEARCHED:
            return None
        lines: set[int] = set()
        at = -1
        for _ in range(MOST_PLACES):
            at = self.text.find(words, at + 1)
            if at < 0:
                return lines.pop() + 1 if len(lines) == 1 else None
            end = at + len(words)
            if not (_is_in_word(self.text[at - 1 : at]) or _is_in_word(self.text[end : end + 1])):
                lines.add(self.text.count("\n", 0, at))
        return None


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def entity_name(term: object) -> str:
    """An entity as findings name it: its IRI, or `_:` and the label of a blank node."""
    return term.value if isinstance(term, ox.NamedNode) else str(term)
