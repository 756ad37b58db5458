"""What was probably meant by a query that has no answer: its names beside those that the graph holds.

Looking up a name takes microseconds, and other forms of it are few: another scheme, another case, the
same name in another vocabulary, a subclass. For a spelling that is only near, the names on some pages
are read, of which there may be many millions: that is bounded in time, and misses what is rare.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise
from time import perf_counter
from typing import Final, Literal

import pyoxigraph as ox

from gossamer.index.graph.names import FETCH
from gossamer.sparql import declared
from gossamer.sparql.prefixes import PREFIXES, shortened
from gossamer.sparql.tokens import Token, tokens
from gossamer.vocabulary import plain, subclasses
from gossamer.vocabulary.nearness import nearest_name

SECONDS: Final = 1.0  # that a look may take in all …
SAMPLE_SECONDS: Final = 0.4  # … and reading the names on some pages
MOST_PAGES: Final = 400  # of those that are read, spread over …
MOST_GRAPHS: Final = 20_000  # … the first ones
MOST_QUADS: Final = 200  # of each
MOST_NAMES: Final = 20  # of a query that are looked up
MOST_HINTS: Final = 5
MOST_SHOWN: Final = 3  # subclasses
LANGUAGES: Final = [
    "en",
    "de",
    "fr",
    "es",
    "it",
    "nl",
    "pt",
    "pl",
    "ru",
    "ja",
    "zh",
    "en-US",
    "en-GB",
    "de-DE",
    "fr-FR",
]
NEAR: Final = 0.75
_TYPE: Final = ox.NamedNode(f"{PREFIXES['rdf']}type")
_DECLARING: Final = ("PREFIX", "BASE")

Role = Literal["class", "graph", "name"]


@dataclass(frozen=True, slots=True)
class _Named:
    """A name in a query."""

    iri: str
    written: str
    role: Role


def hints(
    store: ox.Store, query: str, clock: Callable[[], float] = perf_counter
) -> tuple[str, ...]:
    """Sentences about what a query names and the graph does not have; few, and none if all is there."""
    if next(store.quads_for_pattern(None, None, None, None), None) is None:
        return ("The graph is empty: nothing was crawled so far.",)
    look = _Look(store, clock, clock() + SECONDS)
    found: list[str] = []
    named = dict.fromkeys(_names(query))
    for each in islice(named, MOST_NAMES):
        if look.is_over or len(found) == MOST_HINTS:
            break
        found += look.at(each)
    for text in islice(dict.fromkeys(_texts(query)), MOST_NAMES):
        if look.is_over or len(found) == MOST_HINTS:
            break
        found += look.at_text(text)
    if not found and len(named) > 1 and not look.is_over:
        found.append(
            "The graph has everything that the query names, but nothing that fits all of it together."
        )
    return tuple(found)


@dataclass(slots=True)
class _Look:
    """A look at the graph that takes a bounded time."""

    store: ox.Store
    clock: Callable[[], float]
    deadline: float
    _sampled: dict[str, list[str]] = field(default_factory=dict)  # by role

    @property
    def is_over(self) -> bool:
        return self.clock() >= self.deadline

    def at(self, named: _Named) -> Iterator[str]:
        """What there is instead of a name that the graph does not have."""
        if self.holds(named.iri, named.role):
            return
        if named.role == "graph":
            yield f"No page {named.written} is in the graph." + self._instead(named)
        elif named.role == "class":
            yield f"Nothing in the graph is a {named.written}." + (
                self._instead(named) or self._subclasses(named.iri)
            )
        else:
            yield f"Nothing in the graph has the name {named.written}." + self._instead(named)

    def at_text(self, text: str) -> Iterator[str]:
        """The languages in which there is a text that is asked for without one."""
        if self._has(None, None, ox.Literal(text)):
            return
        tagged = [tag for tag in LANGUAGES if self._has(None, None, ox.Literal(text, language=tag))]
        if tagged:
            yield f'"{text}" has a language in the graph: "{text}"@{tagged[0]}.'

    def holds(self, iri: str, role: Role) -> bool:
        """Whether the graph has this name, as what it is in the query."""
        try:
            name = ox.NamedNode(iri)
        except ValueError:
            return False
        if role == "graph":
            return next(self.store.quads_for_pattern(None, None, None, name), None) is not None
        if role == "class":
            return self._has(None, _TYPE, name)
        return self._has(None, name, None) or self._has(None, None, name) or self._has(name)

    def _has(
        self,
        subject: ox.NamedNode | None = None,
        predicate: ox.NamedNode | None = None,
        object_: ox.NamedNode | ox.Literal | None = None,
    ) -> bool:
        found = self.store.quads_for_pattern(subject, predicate, object_, None)
        return next(found, None) is not None

    def _instead(self, named: _Named) -> str:
        """Another name that was probably meant; empty where none is found."""
        for other in _forms(named):
            if other != named.iri and self.holds(other, named.role):
                return _meant(other)
        if named.role == "graph":
            return ""
        held = self._held(named.role)
        space, local = _split(named.iri)
        near = nearest_name(
            local, (_split(each)[1] for each in held if each.startswith(space)), NEAR
        )
        if near is not None:
            return _meant(space + near)
        if space not in PREFIXES.values():  # then it is no property that has been misspelt
            return ""
        by_local = {_split(each)[1]: each for each in reversed(held)}
        near = nearest_name(local, by_local, NEAR)
        return "" if near is None else _meant(by_local[near])

    def _subclasses(self, iri: str) -> str:
        below = sorted(subclasses(iri) - {plain(iri)})
        there = (each for each in below if not self.is_over and self.holds(each, "class"))
        found = [shortened(each) for each in islice(there, MOST_SHOWN)]
        if not found:
            return ""
        listed = " and ".join(filter(None, [", ".join(found[:-1]), found[-1]]))
        return f" SPARQL knows no subclasses; there are {listed}."

    def _held(self, role: Role) -> list[str]:
        """The names on some pages, spread over the graph; the commonest first."""
        if not self._sampled:
            counts: dict[str, dict[str, int]] = {"class": {}, "name": {}}
            until = min(self.deadline, self.clock() + SAMPLE_SECONDS)
            for quad in self._sample(until):
                _count(counts["name"], quad.predicate.value)
                if quad.predicate == _TYPE and isinstance(quad.object, ox.NamedNode):
                    _count(counts["class"], quad.object.value)
            self._sampled = {
                name: sorted(found, key=lambda iri: (-found[iri], iri))
                for name, found in counts.items()
            }
        return self._sampled[role]

    def _sample(self, until: float) -> Iterator[ox.Quad]:
        graphs = []
        for graph in islice(self.store.named_graphs(), MOST_GRAPHS):
            if not graph.value.endswith(FETCH):
                graphs.append(graph)
            if self.clock() >= until:
                break
        for graph in graphs[:: max(1, len(graphs) // MOST_PAGES)]:
            if self.clock() >= until:
                return
            yield from islice(self.store.quads_for_pattern(None, None, None, graph), MOST_QUADS)


def _count(counts: dict[str, int], name: str) -> None:
    counts[name] = counts.get(name, 0) + 1


def _meant(iri: str) -> str:
    name = shortened(iri)
    return f" Did you mean {name if name != iri else f'<{iri}>'}?"


def _forms(named: _Named) -> Iterator[str]:
    """Other forms of a name: of scheme and case, and in other vocabularies."""
    iri = named.iri
    yield from _schemes(iri)
    if named.role == "graph":
        yield iri.removesuffix("/") if iri.endswith("/") else f"{iri}/"
        return
    space, local = _split(iri)
    cases = [local, local[:1].swapcase() + local[1:], local.lower(), local.capitalize()]
    for each in (space, *_schemes(space), *dict.fromkeys(PREFIXES.values())):
        for case in dict.fromkeys(cases):
            yield each + case


def _schemes(iri: str) -> Iterator[str]:
    for here, there in (("http://", "https://"), ("https://", "http://")):
        if iri.startswith(here):
            yield there + iri[len(here) :]


def _split(iri: str) -> tuple[str, str]:
    """The namespace of an IRI, and the name in it."""
    at = max(iri.rfind("#"), iri.rfind("/"), iri.rfind(":")) + 1
    return iri[:at], iri[at:]


def _names(query: str) -> Iterator[_Named]:
    """The IRIs that a query names, but for datatypes and functions, and what it declares."""
    prefixes = {**PREFIXES, **declared(query)}
    before, earlier = Token("end", "", 0), Token("end", "", 0)
    found = [*tokens(query), Token("end", "", len(query))]
    for token, after in pairwise(found):
        iri = _iri(token, prefixes)
        if iri is not None and not _is_other(before, earlier, after) and not _is_xsd(iri):
            yield _Named(iri, token.text, _role(before, prefixes))
        earlier, before = before, token


def _is_other(before: Token, earlier: Token, after: Token) -> bool:
    """Whether a name is a declaration, a datatype or a function."""
    declares = {before.text.upper(), earlier.text.upper()} & {*_DECLARING}
    return bool(declares) or before.text == "^^" or after.text == "("


def _is_xsd(iri: str) -> bool:
    return iri.startswith(PREFIXES["xsd"])


def _role(before: Token, prefixes: dict[str, str]) -> Role:
    if before.text == "a" or _iri(before, prefixes) == _TYPE.value:
        return "class"
    return "graph" if before.text.upper() in ("GRAPH", "FROM", "NAMED") else "name"


def _iri(token: Token, prefixes: dict[str, str]) -> str | None:
    if token.kind == "iri":
        return token.text[1:-1] if ":" in token.text else None  # of others, the base is not known
    prefix, colon, local = token.text.partition(":")
    if token.kind == "name" and colon and local and prefix in prefixes:
        return prefixes[prefix] + local
    return None


def _texts(query: str) -> Iterator[str]:
    """Texts without a language that stand where a value does, and not in an expression."""
    before, found = Token("end", "", 0), [*tokens(query), Token("end", "", len(query))]
    for token, after in pairwise(found):
        is_value = before.kind in ("name", "iri", "var") or before.text in (",", "a", "{")
        if token.kind == "string" and is_value and after.text[:1] not in ("@", "^"):
            text = token.text.strip("\"'")
            if "\\" not in text and "\n" not in text:
                yield text
        before = token
