r"""Changes to a server's graphs as SPARQL 1.1 Update. Pure.

Whatever pages say stays within the quotation marks and brackets it is put into: every term was
parsed, and is written anew by the engine. Servers differ in when they read `\uXXXX`: the standard
(section 19.2) has it done before anything else, some do it in strings alone. So a text that holds a
backslash and a `u` is written such that both readings come to the same.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pyoxigraph as ox

from gossamer.index.graph.fetch_statements import ABOUT_CONTENT, DESCRIPTION
from gossamer.index.graph.names import FETCH, fetch_graph
from gossamer.index.graph.page_diff import renewed_names, said, sizes_of
from gossamer.index.graph.pages import TRIPLES, Content
from gossamer.index.graph.schema_rewrite import OTHER_FORMS

Sizes = dict[ox.NamedNode, int]

# One escape of a text after the other, and with an escaped backslash the `u` that follows it.
_ESCAPES: Final = re.compile(r"\\(?:\\[uU]?|.)", re.DOTALL)
_SAFE: Final = {r"\\u": r"\\\u0075", r"\\U": r"\\\u0055"}


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of one page: graphs that go as a whole, then what is put in."""

    page: str
    dropped: tuple[ox.NamedNode, ...]
    data: str  # as INSERT DATA has it
    cleared: str = ""  # what takes away of its fetch all but what was said of its content

    @property
    def size(self) -> int:
        """How long it is in a request, about."""
        dropped = sum(len(graph.value) + 24 for graph in self.dropped)
        return len(self.data.encode()) + dropped + len(self.cleared)


@dataclass(frozen=True, slots=True)
class Whole:
    """A page that is too large for an update: its graphs go one by one."""

    before: Step  # says which graphs are to come, so that none is left behind
    graphs: tuple[tuple[ox.NamedNode, frozenset[ox.Quad]], ...]
    after: Step  # says what is there, and drops what is not


def replaced(content: Content, held: Sizes) -> Step:
    """The step by what a page brings, whatever was held of it."""
    kept = content.source is None
    source = content.source or frozenset()
    sizes = present(held) if kept else sizes_of(source)
    gone = () if kept else _names(held)
    fetch = ox.NamedNode(fetch_graph(content.page))
    data = insertion(source | content.fetch | said(content.page, sizes))
    if content.about_stays and held:
        return Step(content.page, gone, data, clearing(fetch, renewed_names(content)))
    return Step(content.page, (*gone, fetch) if held else (), data)


def dropped(page: str, held: Sizes) -> Step:
    """The step by which a page is forgotten."""
    return Step(page, (*_names(held), ox.NamedNode(fetch_graph(page))), "")


def in_pieces(content: Content, held: Sizes) -> Whole:
    """The steps by what a large page brings."""
    source = content.source or frozenset()
    sizes = sizes_of(source)
    fetch = ox.NamedNode(fetch_graph(content.page))
    by_graph: dict[ox.NamedNode, list[ox.Quad]] = defaultdict(list)
    for quad in source:
        assert isinstance(quad.graph_name, ox.NamedNode)
        by_graph[quad.graph_name].append(quad)
    coming = said(content.page, dict.fromkeys(sizes.keys() - held.keys(), 0))
    gone = tuple(sorted(held.keys() - sizes.keys(), key=str))
    return Whole(
        Step(content.page, (), insertion(coming)),
        tuple((name, frozenset(by_graph[name])) for name in sorted(by_graph, key=str)),
        Step(
            content.page,
            (*gone, fetch),
            insertion(content.fetch | said(content.page, sizes)),
        ),
    )


def in_rdf_1_1(content: Content) -> Content:
    """Content without triple terms and base directions.

    A server that knows RDF 1.1 alone would refuse the whole page. `rdf_1_1.loss` tells of it.
    """
    if content.source is None:
        return content
    kept = (quad for quad in content.source if not isinstance(quad.object, ox.Triple))
    return replace(content, source=frozenset(map(_without_direction, kept)))


def _without_direction(quad: ox.Quad) -> ox.Quad:
    text = quad.object
    if not isinstance(text, ox.Literal) or text.direction is None:
        return quad
    plain = ox.Literal(text.value, language=text.language)
    return ox.Quad(quad.subject, quad.predicate, plain, quad.graph_name)


def request(steps: Sequence[Step]) -> bytes:
    """Some pages' steps as one update, which a server makes as a whole."""
    drops = [f"DROP SILENT GRAPH {graph}" for step in steps for graph in step.dropped]
    clears = [step.cleared for step in steps if step.cleared]
    data = "".join(step.data for step in steps)
    inserts = [f"INSERT DATA {{\n{data}}}"] if data else []
    return " ;\n".join([*drops, *clears, *inserts]).encode()


def clearing(fetch: ox.NamedNode, renewed: Iterable[ox.NamedNode] = ()) -> str:
    """Takes what `page_diff.staying` does not keep out of a graph about a fetch."""
    about = ", ".join(f"<{iri}>" for iri in sorted(ABOUT_CONTENT))
    every = f"GRAPH {fetch} {{ ?s ?p ?o }}"
    which = f"?p NOT IN ({about}) && (?p != <{DESCRIPTION}> || ?s = {fetch})"
    if names := ", ".join(sorted(map(str, renewed))):
        which = f"({which}) || ?s IN ({names}) || ?o IN ({names})"
    return f"DELETE {{ {every} }} WHERE {{ {every} FILTER({which}) }}"


def insertion(quads: Iterable[ox.Quad]) -> str:
    """Quads as INSERT DATA has them, graph by graph."""
    by_graph: dict[object, list[str]] = defaultdict(list)
    for quad in quads:
        by_graph[quad.graph_name].append(statement(quad))
    return "".join(
        f"GRAPH {graph} {{\n{''.join(statements)}}}\n" for graph, statements in by_graph.items()
    )


def statement(quad: ox.Quad) -> str:
    """One statement and its full stop."""
    text = str(quad.triple)
    if r"\\u" in text or r"\\U" in text:
        text = _ESCAPES.sub(lambda escape: _SAFE.get(escape[0], escape[0]), text)
    return f"{text} .\n"


def bounded(steps: Iterable[Step], most_bytes: int) -> Iterator[list[Step]]:
    """Steps in groups, none of them longer than this unless it is a single one."""
    group: list[Step] = []
    size = 0
    for step in steps:
        if group and size + step.size > most_bytes:
            yield group
            group, size = [], 0
        group.append(step)
        size += step.size
    if group:
        yield group


def present(held: Sizes) -> Sizes:
    """The graphs that hold something."""
    return {name: size for name, size in held.items() if size}


def holdings_query(pages: Iterable[str]) -> str:
    """Asks which graphs of these pages there are, and how large."""
    names = " ".join(str(ox.NamedNode(fetch_graph(page))) for page in pages)
    return (
        f"SELECT ?fetch ?graph ?size {{ VALUES ?fetch {{ {names} }} "
        f"GRAPH ?fetch {{ ?graph {TRIPLES} ?size }} }}"
    )


def other_forms_query() -> str:
    """Asks which graphs have a name of schema.org in another than the one form."""
    terms = ("STR(?subject)", "STR(?predicate)", "STR(?object)", "STR(DATATYPE(?object))")
    tests = {
        term: " || ".join(f'STRSTARTS({term}, "{form}")' for form in OTHER_FORMS) for term in terms
    }
    named = f"isIRI(?object) && ({tests['STR(?object)']})"
    typed = f"isLiteral(?object) && ({tests['STR(DATATYPE(?object))']})"
    either = f"{tests['STR(?subject)']} || {tests['STR(?predicate)']} || ({named}) || ({typed})"
    return (
        "SELECT DISTINCT ?graph { GRAPH ?graph { ?subject ?predicate ?object } "
        f'FILTER({either}) FILTER(!STRENDS(STR(?graph), "{FETCH}")) }}'
    )


def quads_query(graphs: Iterable[ox.NamedNode]) -> str:
    """Asks what is in these graphs."""
    names = " ".join(map(str, graphs))
    return (
        f"SELECT ?graph ?subject ?predicate ?object {{ VALUES ?graph {{ {names} }} "
        "GRAPH ?graph { ?subject ?predicate ?object } }"
    )


def _names(held: Sizes) -> tuple[ox.NamedNode, ...]:
    return tuple(sorted(held, key=str))
