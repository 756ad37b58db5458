"""Finds the wanted things of one page: in its statements, by query, or by words. Runs in the worker that reads it.

A thing is told by a number: the hash of its IRI; of a blank node, the hash of what is said of it, so that the same
teaser on two pages is one thing. The page itself is the thing where words, or an ASK, are what is wanted.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from gossamer.errors import ConfigError
from gossamer.focus.wants import KEY, QueryWant, Wants, read_wants
from gossamer.model import Problem
from gossamer.sparql import mistake, refusal
from gossamer.sparql.prefixes import PREFIXES
from gossamer.vocabulary import plain

MOST_FOUND: Final = 1_000  # things of one page
_TYPED: Final = re.compile(
    rb"^(<[^>]*>|_:\S+) <http://www\.w3\.org/1999/02/22-rdf-syntax-ns#type> <([^>]*)>", re.MULTILINE
)
# The last quote is optional: a literal without one is not looked for again from each quote in it.
_LITERAL: Final = re.compile(r'"((?:[^"\\]++|\\.)*+)"?')
_WORD: Final = re.compile(r"\w+")
Text = Callable[[], str]


class FoundThings(NamedTuple):
    """The wanted things of one page, each with its weight, and what is wrong with queries."""

    things: tuple[tuple[int, float], ...] = ()
    problems: tuple[Problem, ...] = ()


class ThingFinder:
    """Finds what is wanted."""

    def __init__(self, wants: Wants) -> None:
        self._weights: dict[str, float] = {}
        for want in wants.classes:
            for each in want.classes:
                self._weights[each] = max(want.weight, self._weights.get(each, 0.0))
        self._queries = wants.queries
        self._words = [(_pattern(want.text), want.text, want.weight) for want in wants.words]

    def find(self, url: str, nquads: bytes, text: Text) -> FoundThings:
        """The wanted things of a page; `text` is called where its words count."""
        found: dict[int, float] = {}
        problems: list[Problem] = []
        for number, weight in self._typed(nquads):
            found[number] = max(weight, found.get(number, 0.0))
            if len(found) >= MOST_FOUND:
                break
        for query in self._queries:
            try:
                for number in _asked(query, url, nquads):
                    found[number] = max(query.weight, found.get(number, 0.0))
            except (OSError, RuntimeError, ValueError) as error:
                problems.append(
                    Problem(f"The query of --want cannot be asked of this page ({error}).", "want")
                )
        if self._words:
            said = f"{text()} {' '.join(_LITERAL.findall(nquads.decode(errors='replace')))}".lower()
            for pattern, words, weight in self._words:
                if pattern.search(said):
                    found[_number("page", url, words)] = weight
        return FoundThings(tuple(found.items())[:MOST_FOUND], tuple(problems))

    def _typed(self, nquads: bytes) -> Iterator[tuple[int, float]]:
        if not self._weights:
            return
        weights: dict[bytes, float] = {}
        for subject, iri in _TYPED.findall(nquads):
            weight = self._weights.get(plain(iri.decode(errors="replace")))
            if weight is not None:
                weights[subject] = max(weight, weights.get(subject, 0.0))
        blank = {each for each in weights if each.startswith(b"_:")}
        said = _said_of(blank, nquads) if blank else {}
        for subject, weight in weights.items():
            name = said.get(subject, subject)
            yield _number("thing", name.decode(errors="replace")), weight


def finder_of(want: tuple[str, ...], words: tuple[str, ...]) -> ThingFinder:
    """The finder of what texts of the configuration name."""
    return _finder(want, words)


@lru_cache(maxsize=2)
def _finder(want: tuple[str, ...], words: tuple[str, ...]) -> ThingFinder:
    return ThingFinder(read_wants(want, words))


def check_wants(wanted: tuple[str, ...]) -> None:
    """Refuse wants that make no sense, with a sentence: classes that there are not, queries that cannot be asked."""
    for query in read_wants(wanted).queries:
        _check(query.text)


def _said_of(subjects: set[bytes], nquads: bytes) -> dict[bytes, bytes]:
    """What is said of blank nodes, without other blank nodes and the page, whose names mean nothing elsewhere."""
    lines: dict[bytes, list[bytes]] = {each: [] for each in subjects}
    for line in nquads.splitlines():
        subject, _, rest = line.partition(b" ")
        if (known := lines.get(subject)) is not None and b" _:" not in rest:
            known.append(rest.rpartition(b" <")[0])
    return {subject: b"\n".join(sorted(said)) for subject, said in lines.items()}


def _asked(query: QueryWant, url: str, nquads: bytes) -> Iterator[int]:
    import pyoxigraph as ox  # 11 MB: on request

    store = ox.Store()
    store.extend(ox.parse(nquads, format=ox.RdfFormat.N_QUADS))
    answer = store.query(query.text, prefixes=dict(PREFIXES), use_default_graph_as_union=True)
    if isinstance(answer, ox.QueryBoolean):
        if answer:
            yield _number("page", url, query.text)
    elif isinstance(answer, ox.QuerySolutions):
        for count, solution in enumerate(answer):
            if count >= MOST_FOUND:
                return
            term = solution[0]
            if isinstance(term, ox.NamedNode):
                yield _number("thing", f"<{term.value}>")
            elif term is not None:
                yield _number("term", url if isinstance(term, ox.BlankNode) else "", str(term))


def _check(text: str) -> None:
    if (why := refusal(text)) is not None:
        raise ConfigError(f"{KEY}: {why}")
    import pyoxigraph as ox

    try:
        answer = ox.Store().query(text, prefixes=dict(PREFIXES))
    except SyntaxError as error:
        raise ConfigError(f"{KEY}: {mistake(error.msg, text)}") from None
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(f"{KEY}: the query cannot be asked ({error}).") from None
    if isinstance(answer, ox.QueryTriples) or (
        isinstance(answer, ox.QuerySolutions) and len(answer.variables) != 1
    ):
        raise ConfigError(
            f"{KEY}: a SELECT of one variable or an ASK is wanted, such as SELECT ?x {{ ?x schema:price ?p }}"
        )


def _pattern(text: str) -> re.Pattern[str]:
    words = [re.escape(each) for each in _WORD.findall(text.lower())]
    return re.compile(r"\b" + r"\W{1,20}".join(words))


def _number(*parts: str) -> int:
    said = "\0".join(parts).encode(errors="replace")
    return int.from_bytes(blake2b(said, digest_size=8).digest(), signed=True)
