"""What pages say of the things of some types, a line of JSON a thing: the rows of a table to be.

A thing is gathered from all pages that speak of it, as `all_entities` does. What it leads to is looked into
when it is described as well: the price of an offer is a value of the product, at the path of both
properties. All of it is bounded, since pages may lead anywhere and in circles.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final

import pyoxigraph as ox

from gossamer.index.entities import Said, is_of_type, page_of
from gossamer.index.entities.all_entities import QuadPatterns, homes_and_members
from gossamer.index.entities.whereabouts import host_of_iri
from gossamer.index.graph.blanks import SCHEME, Term, shown
from gossamer.index.graph.fetch_statements import RDF_TYPE
from gossamer.index.words.statements import Statements
from gossamer.vocabulary import plain

DEEPEST: Final = 3  # properties in a path: `offers.seller.name`
THINGS_AT_ONCE: Final = 100  # that are gathered from what was read together
MOST_NODES: Final = 100  # that are looked into for one thing
MOST_VALUES: Final = 50  # of one path
MOST_PATHS: Final = 500  # of one thing
MOST_PAGES: Final = 20  # that are named
MOST_CHARACTERS: Final = 100_000  # of one value

Values = Mapping[str, Sequence[Any]]


def type_lines(store: ox.Store, types: Sequence[str], hosts: Sequence[str]) -> Iterator[str]:
    """A line for each thing of one of these types that a page of one of these hosts speaks of."""
    classes = _classes(store)
    yield from lines_of_types(store, Statements(store), classes, types, hosts)


def lines_of_types(
    store: QuadPatterns,
    statements: Statements,
    classes: Iterable[Term],
    types: Sequence[str],
    hosts: Sequence[str],
) -> Iterator[str]:
    """A line for each thing of these types in a store, or on a server; `classes` are all that it has."""
    kinds = [
        each
        for each in classes
        if isinstance(each, ox.NamedNode) and any(is_of_type(each.value, asked) for asked in types)
    ]
    subjects = dict.fromkeys(_subjects(store, kinds, frozenset(hosts)))
    # Not all subjects of the graph: to read each of them takes longer than the rest.
    homes, members = homes_and_members(store, statements, subjects)
    each_once = iter(dict.fromkeys(homes.get(subject, subject) for subject in subjects))
    while some := list(islice(each_once, THINGS_AT_ONCE)):
        gathered = {
            home: [*([] if home in homes else [home]), *members.get(home, ())] for home in some
        }
        statements.ahead(chain.from_iterable(gathered.values()))
        for home, those in gathered.items():
            yield _line(home, those, statements)
        statements.rest()


def _subjects(
    store: QuadPatterns, kinds: Iterable[ox.NamedNode], hosts: frozenset[str]
) -> Iterator[str]:
    """The subjects of these classes; some of them more than once."""
    for kind in kinds:
        for quad in store.quads_for_pattern(None, ox.NamedNode(RDF_TYPE), kind, None):
            if isinstance(quad.subject, ox.NamedNode) and _is_said(quad, hosts):
                yield quad.subject.value


def _is_said(quad: ox.Quad, hosts: frozenset[str]) -> bool:
    """Whether a page says it, of one of these hosts; any is good enough where none is named."""
    page = page_of(quad.graph_name.value) if isinstance(quad.graph_name, ox.NamedNode) else None
    return page is not None and (not hosts or host_of_iri(page) in hosts)


def _classes(store: ox.Store) -> Iterator[Term]:
    """The classes of a graph."""
    found = store.query(
        f"SELECT DISTINCT ?type {{ ?thing <{RDF_TYPE}> ?type }}", use_default_graph_as_union=True
    )
    assert isinstance(found, ox.QuerySolutions)
    for row in found:
        yield row[0]


def _line(home: str, subjects: Iterable[str], statements: Statements) -> str:
    gathering = _Gathering(statements, home)
    said = [each for subject in subjects for each in statements.about(subject)]
    gathering.take((), said)
    pages = sorted({each.page for each in said})
    record = {
        "id": str(shown(ox.NamedNode(home))) if home.startswith(SCHEME) else home,
        "pages": pages[:MOST_PAGES],
        "page_count": len(pages),
        "values": gathering.values,
    }
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


class _Gathering:
    """Collects the values of one thing, by the properties that lead to them."""

    def __init__(self, statements: Statements, home: str) -> None:
        self.values: dict[str, list[Any]] = {}
        self._statements = statements
        self._seen = {home}

    def take(self, path: tuple[str, ...], said: Iterable[Said]) -> None:
        """Take what is said of a node that this path leads to: what most pages say first."""
        found: defaultdict[str, defaultdict[Term, set[str]]] = defaultdict(lambda: defaultdict(set))
        for each in said:
            found[plain(each.predicate)][each.object].add(each.page)
        if len(path) + 1 < DEEPEST:
            self._statements.ahead(self._to_look_into(found))
        for predicate in sorted(found):
            ordered = sorted(
                found[predicate].items(), key=lambda pair: (-len(pair[1]), str(pair[0]))
            )
            for term, _ in ordered[:MOST_VALUES]:
                self._value((*path, predicate), term)

    def _to_look_into(self, found: Mapping[str, Mapping[Term, object]]) -> list[str]:
        terms = (
            term for predicate, terms in found.items() if predicate != RDF_TYPE for term in terms
        )
        nodes = (term.value for term in terms if isinstance(term, ox.NamedNode))
        return list(islice((node for node in nodes if node not in self._seen), MOST_NODES))

    def _value(self, path: tuple[str, ...], term: Term) -> None:
        if isinstance(term, ox.NamedNode):
            self._look_into(path, term.value)
            if term.value.startswith(SCHEME):
                return  # the name of a blank node says nothing
        values = self.values.get(key := " ".join(path))
        if values is None:
            if len(self.values) >= MOST_PATHS:
                return
            values = self.values[key] = []
        if len(values) < MOST_VALUES and (told := _told(term)) not in values:
            values.append(told)

    def _look_into(self, path: tuple[str, ...], node: str) -> None:
        if path[-1] == RDF_TYPE or len(path) >= DEEPEST:
            return
        if node not in self._seen and len(self._seen) < MOST_NODES:
            self._seen.add(node)
            self.take(path, self._statements.about(node))


def _told(term: Term) -> list[str | None]:
    """A value as text, what kind it is, and its datatype or language."""
    match term:
        case ox.NamedNode():
            return [term.value, "iri", None]
        case ox.Literal() if term.language is not None:
            return [term.value[:MOST_CHARACTERS], "text", term.language]
        case ox.Literal():
            return [term.value[:MOST_CHARACTERS], "literal", term.datatype.value]
    return [str(term)[:MOST_CHARACTERS], "text", None]
