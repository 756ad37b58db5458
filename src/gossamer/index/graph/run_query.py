"""Runs SPARQL queries and exports on a graph: read-only, streamed.

The default graph of a query is the union of all graphs; `GRAPH` tells which page said what. A query
that names graphs itself (FROM) is run on those. There is no update and no SERVICE. How long an answer may take is bounded from outside, by ending the
process that makes it: the engine cannot be interrupted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Any, Final, TypeVar

import pyoxigraph as ox

from gossamer.index.entities.all_entities import all_entities, entity_line
from gossamer.index.entities.type_rows import type_lines
from gossamer.index.graph.blanks import shown, shown_quad, shown_triple
from gossamer.index.graph.folder import is_damage
from gossamer.index.graph.messages import Reason, Timing
from gossamer.index.graph.names import FETCH
from gossamer.index.graph.no_rows import hints
from gossamer.index.graph.query import BY_PAGE, ENTITIES, RDF, TABLE, GraphExport, GraphQuery
from gossamer.index.graph.results import CHUNK_BYTES, ROWS, TRUTHS, Row, Send, serialize
from gossamer.index.graph.selecting import selected
from gossamer.sparql import (
    columns,
    declared,
    in_held_forms,
    mistake,
    names_graphs,
    refusal,
    shortened,
)
from gossamer.sparql.prefixes import PREFIXES

T = TypeVar("T")
MOST_REMEMBERED: Final = 200_000  # triples, some 100 MB where they are long


class AskingError(Exception):
    """A question that cannot be answered; the text is a sentence for whoever asked."""

    def __init__(self, text: str, reason: Reason = "query") -> None:
        super().__init__(text)
        self.reason: Reason = reason


@dataclass(frozen=True, slots=True)
class AnswerTotals:
    """How an answer ended."""

    rows: int  # or triples, or quads
    cut: bool  # there were more
    first_at: float | None = field(default=None, compare=False)  # by the clock of `perf_counter`
    timing: Timing | None = None  # of a query, where that was wanted
    about_fetches: int = 0  # of the quads of an export, those that no page says
    left_out: int = (
        0  # of an export, statements about statements that the format has no way to write
    )
    hints: tuple[str, ...] = field(default=(), compare=False)  # of a query that nothing answers

    is_no: bool = field(default=False, compare=False)  # what the answer to an ASK is

    @property
    def is_nothing(self) -> bool:
        """Whether nothing in the graph fits the query."""
        return self.is_no or not (self.rows or self.cut)

    def timed(self, started: float, parsed: float) -> "AnswerTotals":
        """The answer, with how long it took."""
        first = None if self.first_at is None else self.first_at - started
        return replace(self, timing=Timing(parsed, first, perf_counter() - started))


def ask(
    store: ox.Store, question: GraphQuery, begin: Callable[[str], None], send: Send
) -> AnswerTotals:
    """Answer a query: `begin` is told the format, then `send` gets the bytes of the answer."""
    if (why := refusal(question.text)) is not None:
        raise AskingError(why)
    try:
        parsed = parse(question.text) if question.limits.timed else 0.0
        started = perf_counter()
        text = in_held_forms(question.text, partial(_holds, store))
        if text != question.text:
            parse(question.text)  # a mistake is told of at the place where it was written
        found = store.query(text, prefixes=dict(PREFIXES), **_graphs(question))
        answered = _answer(found, question, begin, send)
        answered = replace(answered, hints=_hints(store, text, question, answered, started))
        return answered.timed(started, parsed) if question.limits.timed else answered
    except SyntaxError as error:
        raise AskingError(mistake(error.msg, question.text)) from None
    except (OSError, RuntimeError, ValueError) as error:
        if is_damage(error):
            raise
        raise AskingError(f"The query cannot be answered: {shortened(str(error))}") from None


def _hints(
    store: ox.Store, text: str, question: GraphQuery, answered: AnswerTotals, started: float
) -> tuple[str, ...]:
    """What was probably meant, where nothing was found and there is time left for a look."""
    limit = question.limits.time
    is_late = limit is not None and perf_counter() - started > limit.total_seconds() / 2
    if is_late or not answered.is_nothing or not question.dataset.is_everything:
        return ()
    return hints(store, text)


def _holds(store: ox.Store, iri: str) -> bool:
    """Whether anything in the graph has this property, this class or this value."""
    name = ox.NamedNode(iri)
    patterns = ((None, name, None), (None, None, name), (name, None, None))
    return any(next(store.quads_for_pattern(*each), None) is not None for each in patterns)


def parse(text: str) -> float:
    """How long it takes to read a query, in seconds: it is asked of nothing."""
    started = perf_counter()
    ox.Store().query(text, prefixes=dict(PREFIXES))
    return perf_counter() - started


def export(store: ox.Store, wanted: GraphExport, send: Send) -> AnswerTotals:
    """Everything that the graph holds, or one graph of it; or all entities of it."""
    if wanted.format == ENTITIES:
        return send_lines(map(entity_line, all_entities(store)), send)
    if wanted.format == TABLE:
        return send_lines(type_lines(store, wanted.types, wanted.hosts), send)
    return send_quads(lambda format_: _quads(store, wanted, format_), wanted, send)


def send_lines(lines: Iterable[str], send: Send) -> AnswerTotals:
    """Write lines, all there are."""
    limited = _Limited(iter(lines), None)
    _send_pieces(limited, send)
    return limited.end


NAMING: Final = (ox.RdfFormat.N_QUADS, ox.RdfFormat.TRIG)  # a graph, also where it is the only one


def send_quads(
    found: Callable[[ox.RdfFormat], Iterable[ox.Quad]], wanted: GraphExport, send: Send
) -> AnswerTotals:
    """Write quads, which are found in the order that suits the format."""
    if wanted.format in (ENTITIES, TABLE):
        raise AskingError(
            "Things are gathered from a graph on this machine, and this one is on a server. "
            "Export it as nquads, or ask it with `gossamer query`."
        )
    format_ = ox.RdfFormat.N_QUADS if wanted.format == BY_PAGE else RDF.get(wanted.format)
    if format_ is None:
        raise AskingError(f"An export comes as one of {', '.join(RDF)}, not {wanted.format!r}.")
    about_fetches = left_out = 0

    def counted() -> Iterator[ox.Quad]:
        nonlocal about_fetches, left_out
        for quad in found(format_):
            if isinstance(quad.object, ox.Triple) and format_ == ox.RdfFormat.JSON_LD:
                left_out += 1
                continue
            name = quad.graph_name
            about_fetches += isinstance(name, ox.NamedNode) and name.value.endswith(FETCH)
            yield shown_quad(quad)

    quads = _Limited(counted(), None)
    if format_ in NAMING or (format_.supports_datasets and wanted.graph is None):
        serialize(quads, format_, send)
    else:
        serialize((quad.triple for quad in quads), format_, send)
    return replace(quads.end, about_fetches=about_fetches, left_out=left_out)


def _quads(store: ox.Store, wanted: GraphExport, format_: ox.RdfFormat) -> Iterator[ox.Quad]:
    if wanted.graph is not None:
        yield from store.quads_for_pattern(None, None, None, graph_named(wanted.graph))
    elif format_ == ox.RdfFormat.TRIG or wanted.is_part or wanted.format == BY_PAGE:
        yield from selected(store, wanted)  # graph by graph, so that each is written in one piece
    else:
        yield from store.quads_for_pattern(None, None, None, None)


def graph_named(text: str) -> ox.NamedNode:
    """The name of a graph, if it can be one; raises `AskingError`."""
    try:
        return ox.NamedNode(text)
    except ValueError as error:
        raise AskingError(f"No graph can have the name {text!r} ({error}).") from None


def _graphs(question: GraphQuery) -> dict[str, Any]:
    """What the engine is told of the graphs that a query is asked of.

    Those of the protocol count before the query's own (SPARQL 1.1 Protocol, section 2.1.4). The
    union of all would silently count before them too.
    """
    dataset = question.dataset
    if dataset.is_everything:
        return {"use_default_graph_as_union": not names_graphs(question.text)}
    return {
        "default_graph": [graph_named(name) for name in dataset.default],
        "named_graphs": [graph_named(name) for name in dataset.named],
    }


def _answer(
    found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples,
    question: GraphQuery,
    begin: Callable[[str], None],
    send: Send,
) -> AnswerTotals:
    if isinstance(found, ox.QueryTriples):
        return send_triples(found, question, begin, send)
    return send_rows(found, question, begin, send)


def send_triples(
    found: Iterable[ox.Triple], question: GraphQuery, begin: Callable[[str], None], send: Send
) -> AnswerTotals:
    """Write the triples that are the answer to a question."""
    name = _suiting(question.formats, RDF, "triples")
    begin(name)
    triples = _Limited(_each_once(map(shown_triple, found)), question.limits.rows)
    checked = _writable_in_json_ld(triples) if RDF[name] == ox.RdfFormat.JSON_LD else triples
    serialize(checked, RDF[name], send, declared(question.text))
    return triples.end


def _writable_in_json_ld(triples: Iterable[ox.Triple]) -> Iterator[ox.Triple]:
    for triple in triples:
        if isinstance(triple.object, ox.Triple):
            raise AskingError(
                "JSON-LD cannot write a statement about a statement (RDF 1.2), and this answer has one: "
                "choose turtle or ntriples.",
                "format",
            )
        yield triple


def _each_once(triples: Iterable[ox.Triple]) -> Iterator[ox.Triple]:
    """Triples without repetitions: DESCRIBE gives one for each page that says it, one after the other.

    Of very many, only those are remembered that came last.
    """
    met: set[ox.Triple] = set()
    for triple in triples:
        if triple not in met:
            if len(met) == MOST_REMEMBERED:
                met.clear()
            met.add(triple)
            yield triple


def send_rows(
    found: ox.QuerySolutions | ox.QueryBoolean,
    question: GraphQuery,
    begin: Callable[[str], None],
    send: Send,
) -> AnswerTotals:
    """Write the rows that are the answer to a question, or its yes or no."""
    if isinstance(found, ox.QueryBoolean):
        name = _suiting(question.formats, TRUTHS, "yes or no")
        begin(name)
        answered = AnswerTotals(1, cut=False, first_at=perf_counter(), is_no=not found)
        send(TRUTHS[name].format("true" if found else "false").encode())
        return answered
    name = _suiting(question.formats, ROWS, "rows")
    begin(name)
    variables = columns(question.text, [variable.value for variable in found.variables])
    rows = _Limited((_row(solution, variables) for solution in found), question.limits.rows)
    _send_pieces(ROWS[name](variables, rows), send)
    return rows.end


def _row(solution: ox.QuerySolution, variables: Sequence[str]) -> Row:
    terms = map(solution.__getitem__, variables)
    return [None if term is None else shown(term) for term in terms]


def _suiting(wanted: Sequence[str], there_are: Mapping[str, object], gives: str) -> str:
    for name in wanted:
        if name in there_are:
            return name
    raise AskingError(
        f"This query gives {gives}, which come as one of {', '.join(there_are)}, "
        f"not as {' or '.join(wanted) or 'nothing'}.",
        "format",
    )


class _Limited(Iterable[T]):
    """At most so many of some items, counted."""

    def __init__(self, items: Iterable[T], limit: int | None) -> None:
        self._items = iter(items)
        self._limit = limit
        self._count = 0
        self._cut = False
        self._first_at: float | None = None

    @property
    def end(self) -> AnswerTotals:
        return AnswerTotals(self._count, self._cut, self._first_at)

    def __iter__(self) -> Iterator[T]:
        for item in self._items:
            if self._count == self._limit:
                self._cut = True
                return
            if not self._count:
                self._first_at = perf_counter()
            self._count += 1
            yield item


def _send_pieces(pieces: Iterable[str], send: Send) -> None:
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= CHUNK_BYTES:
            send("".join(held).encode())
            held, size = [], 0
    send("".join(held).encode())
