"""Parses RDF text by pyoxigraph: fast until the first error, then tolerant.

A document without an error never leaves the quick way, on which a quad is one line of text. At
an error the document is read again, this time with IRIs unchecked: they are mended one by one,
and the parser goes on behind what it cannot read. An error is always told, even where all of
the document could be mended. Blank nodes, whose names are random or a page's own, are numbered in
order of appearance.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import Final

import pyoxigraph as rdf

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.iris import mended, unusable
from gossamer.transform.terms import InGraph, Term, Triple, iri, literal, triple
from gossamer.transform.triple_terms import MOST_KEPT, cut_deep

_MOST_ERRORS: Final = (
    2_000  # more than this, and the document is something else; each costs a new look
)
_Node = rdf.NamedNode | rdf.BlankNode | rdf.Literal | rdf.Triple


Repair = Callable[[str], tuple[str, list[Problem]]]


class RdfReader:
    """Parses one RDF text, once."""

    def __init__(
        self,
        text: str,
        format_: rdf.RdfFormat,
        document: Document,
        syntax: Syntax,
        label: str,
        repair: Repair | None = None,
    ) -> None:
        self._text = text
        self._repair = repair  # makes better text of one with an error; good parts stay the same
        self._format = format_
        self._document = document
        self._syntax = syntax
        self._label = label  # what names of blank nodes begin with
        self._base = _base(document.url)
        self._names: dict[str, Term] = {}

    def items(self) -> Iterator[Item]:
        """All statements in document order, and the problems."""
        count = 0
        self._text, is_cut = cut_deep(self._text)
        if is_cut:
            yield self._problem(_TOO_DEEP)
        has_graphs = self._format.supports_datasets
        try:
            for line in map(str, self._parser(self._text, lenient=False)):
                count += 1
                # Most triples can stay as they are. Not a function: this is where time goes.
                if has_graphs or "_:" in line or "<<(" in line:
                    yield self._from_line(line)
                else:
                    yield Triple(line)
        except SyntaxError:
            is_told = False
            for item in self._mended(count):
                is_told = is_told or isinstance(item, Problem)
                yield item
            # What a repair made right without a word was right before: see RDF/XML, section 6.1.4.
            if not is_told and (error := self._error()):
                message, at = self._told(error, lenient=False)
                yield self._problem(f"{message.rstrip('.')}; mended.", at)

    def _error(self) -> SyntaxError | None:
        """What a strict parser says of the text as it is now."""
        try:
            for _ in self._parser(self._text, lenient=False):
                pass
        except SyntaxError as error:
            return error
        return None

    def _parser(self, source: "str | _Lines", *, lenient: bool) -> rdf.QuadParser:
        return rdf.parse(source, self._format, base_iri=self._base, lenient=lenient)

    def _from_line(self, line: str) -> Item:
        """One quad as pyoxigraph writes it, its IRIs checked: spaces only between terms and in quotes."""
        subject, predicate, rest = line.split(" ", 2)
        if rest.startswith("<<("):
            (quad,) = rdf.parse(f"{line} .", rdf.RdfFormat.N_QUADS)
            return self._from_quad(quad)
        end = rest.find(" ", rest.rfind('"') + 1)
        object_, graph = (rest, "") if end < 0 else (rest[:end], rest[end + 1 :])
        statement = triple(self._named(subject), Term(predicate), self._named(object_))
        return InGraph(self._named(graph), statement) if graph else statement

    def _named(self, term: str) -> Term:
        if not term.startswith("_:"):
            return Term(term)
        return self._names.get(term) or self._number(term)

    def _number(self, term: str) -> Term:
        name = self._document.blank(f"{self._label}{len(self._names)}")
        self._names[term] = name
        return name

    def _mended(self, told: int) -> Iterator[Item]:
        """The document again, without the statements that are told already."""
        self._names.clear()
        if self._repair is not None:
            self._text, problems = self._repair(self._text)
            yield from (replace(problem, syntax=self._syntax) for problem in problems)
        quads = self._parser(self._text, lenient=True)
        for item in self._recovering(quads):
            if isinstance(item, Problem):
                yield item
                continue
            if told > 0:
                self._from_line(str(item))  # for the names, which go by appearance
                told -= 1
            else:
                yield self._from_quad(item)

    def _recovering(self, quads: rdf.QuadParser) -> Iterator[rdf.Quad | Problem]:
        for _ in range(_MOST_ERRORS):
            try:
                yield from quads
                return
            except SyntaxError as error:
                yield self._problem(*self._told(error))
                if self._format in (rdf.RdfFormat.RDF_XML, rdf.RdfFormat.TRIG):
                    # What follows would be misread, as the parser has lost its place: in the
                    # middle of a graph, the rest of it would be said outside.
                    return
        yield self._problem("Hardly any of this can be read; the rest is left out.")

    def _from_quad(self, quad: rdf.Quad) -> Item:
        try:
            statement = triple(
                self._term(quad.subject), self._term(quad.predicate), self._term(quad.object)
            )
            if isinstance(quad.graph_name, rdf.DefaultGraph):
                return statement
            return InGraph(self._term(quad.graph_name), statement)
        except _UnusableError as refusal:
            return self._problem(str(refusal))

    def _term(self, node: _Node, around: int = 0) -> Term:
        if isinstance(node, rdf.BlankNode):
            return self._named(str(node))
        if isinstance(node, rdf.NamedNode):
            return _mended_iri(node.value)
        if isinstance(node, rdf.Triple):
            if around == MOST_KEPT:
                raise _UnusableError(_TOO_DEEP_TERM)
            return Term(f"<<( {' '.join(self._term(each, around + 1) for each in node)} )>>")
        if node.language:
            term = literal(node.value, node.language)
            return Term(f"{term}--{node.direction.value}") if node.direction else term
        return literal(node.value, datatype=_mended_iri(node.datatype.value)[1:-1])

    def _told(self, error: SyntaxError, *, lenient: bool = True) -> tuple[str, int | None]:
        message = error.msg.partition(": ")[2] if error.lineno else error.msg
        is_xml = self._format == rdf.RdfFormat.RDF_XML
        line = error.lineno or (self._line(lenient=lenient) if is_xml else None)
        return f"{message[:200].rstrip('.')}.", line

    def _line(self, *, lenient: bool) -> int | None:
        """Where the error is, which the parser of RDF/XML does not tell: it is fed line by line."""
        lines = _Lines(self._text.encode(errors="replace"))
        try:
            for _ in self._parser(lines, lenient=lenient):
                pass
        except SyntaxError:
            return lines.line
        return None

    def _problem(self, message: str, line: int | None = None) -> Problem:
        return Problem(message, self._syntax, line)


_TOO_DEEP: Final = "Statements about statements are nested too deep; the rest is left out."
_TOO_DEEP_TERM: Final = "A statement about statements is nested too deep; left out."


class _UnusableError(Exception):
    """Why a term cannot be one of ours."""


def _mended_iri(text: str) -> Term:
    term = iri(text)
    if term is None:
        raise _UnusableError(unusable(text))
    return term


def _base(url: str) -> str | None:
    """The URL, if the parser takes it; it is stricter than the web is."""
    base = mended(url)
    try:
        return base and rdf.NamedNode(base).value
    except ValueError:
        return None


class _Lines(BytesIO):
    """A file that gives one line at a time, and knows which was the last."""

    line = 1
    _last = b""

    def read(self, most: int | None = -1) -> bytes:
        """A line, or as much of it as is wanted: the parser ends the process when it gets more."""
        self.line += self._last.endswith(b"\n")
        self._last = self.readline(most)
        return self._last
