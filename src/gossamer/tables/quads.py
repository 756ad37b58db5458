"""Statements as a table: one row each, with the page that says it and what is known of its fetch.

Read from N-Quads in which each page's facts come before what it says (`index.graph.selecting`), and
written as Parquet in row groups, in bounded memory.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import IO, Any, Final

import pyoxigraph as ox

from gossamer.model import Url
from gossamer.sparql.prefixes import PREFIXES
from gossamer.tables.needs import needed
from gossamer.tables.values import value_of
from gossamer.urls import host_of

COLUMNS: Final = (
    *("subject", "predicate", "object", "kind", "language", "datatype"),
    *("graph", "page", "host", "syntax", "fetched", "status"),
)
ABOUT_PAGE: Final = f"{PREFIXES['gossamer']}page"  # the graph of facts about the page that follows
GROUP_ROWS: Final = 50_000
GROUP_CHARACTERS: Final = 32 * 1024 * 1024  # of objects, whichever comes first

_ENDED: Final = f"{PREFIXES['prov']}endedAtTime"
_STATUS: Final = f"{PREFIXES['http']}statusCodeValue"
_SYNTAX: Final = f"{PREFIXES['gossamer']}syntax"
_FETCH: Final = "#fetch"
Row = tuple[str | int | datetime | None, ...]


def quad_schema() -> Any:  # noqa: ANN401 (a schema of pyarrow's)
    """The columns of statements, with their types."""
    arrow: Any = needed("pyarrow")
    types: dict[str, Any] = dict.fromkeys(COLUMNS, arrow.string())
    types |= {"fetched": arrow.timestamp("us", tz="UTC"), "status": arrow.int32()}
    return arrow.schema(types)


class QuadTable:
    """Takes N-Quads in any pieces, and writes Parquet. Use it in a `with` block."""

    def __init__(self, file: IO[bytes]) -> None:
        arrow: Any = needed("pyarrow")
        self.rows = 0
        self._arrow = arrow
        self._schema = quad_schema()
        self._writer = needed("pyarrow.parquet").ParquetWriter(
            file, self._schema, compression="zstd"
        )
        self._held = b""
        self._group: list[Row] = []
        self._characters = 0
        self._facts = PageFacts()

    def feed(self, part: bytes) -> None:
        """Take some more bytes."""
        whole, newline, self._held = (self._held + part).rpartition(b"\n")
        if newline:
            self._take(ox.parse(whole, ox.RdfFormat.N_QUADS))

    def close(self) -> None:
        """Write what is held back, and the end of the file."""
        self._flush()
        self._writer.close()

    def _take(self, quads: Iterable[ox.Quad]) -> None:
        for quad in quads:
            row = self._facts.row(quad)
            if row is None:
                continue
            self._group.append(row)
            self._characters += len(row[2])  # type: ignore[arg-type]  # the object, which is text
            if len(self._group) >= GROUP_ROWS or self._characters >= GROUP_CHARACTERS:
                self._flush()

    def _flush(self) -> None:
        if self._group:
            columns = zip(*self._group, strict=True)
            arrays = [
                self._arrow.array(column, type=field.type)
                for column, field in zip(columns, self._schema, strict=True)
            ]
            self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))
        self.rows += len(self._group)
        self._group, self._characters = [], 0


class PageFacts:
    """What was last told of a page: its rows have it."""

    def __init__(self) -> None:
        self._page = ""
        self._fetched: datetime | None = None
        self._status: int | None = None
        self._syntaxes: list[str] = []

    def row(self, quad: ox.Quad) -> Row | None:
        """The row of a statement; None of a fact, which is for the rows that follow."""
        graph = quad.graph_name.value if isinstance(quad.graph_name, ox.NamedNode) else None
        if graph == ABOUT_PAGE:
            self._learn(quad)
            return None
        object_, kind, language, datatype = object_columns(quad.object)
        head = (
            node_name(quad.subject),
            quad.predicate.value,
            object_,
            kind,
            language,
            datatype,
            graph,
        )
        if graph is None:
            return (*head, None, None, None, None, None)
        page = graph.partition("#")[0]
        if page != self._page:
            return (*head, page, host_column(page), None, None, None)
        # Of a page with one syntax it is known which of them a statement comes from.
        is_known = len(self._syntaxes) == 1 and not graph.endswith(_FETCH)
        syntax = self._syntaxes[0] if is_known else None
        return (*head, page, host_column(page), syntax, self._fetched, self._status)

    def _learn(self, quad: ox.Quad) -> None:
        page = node_name(quad.subject)
        if page != self._page:
            self._page, self._fetched, self._status, self._syntaxes = page, None, None, []
        value = value_of(quad.object)
        match quad.predicate.value, value:
            case (predicate, datetime()) if predicate == _ENDED:
                self._fetched = value
            case (predicate, int()) if predicate == _STATUS:
                self._status = value
            case (predicate, str()) if predicate == _SYNTAX:
                self._syntaxes.append(value)


def object_columns(term: Any) -> tuple[str, str, str | None, str | None]:  # noqa: ANN401 (any term)
    """The columns object, kind, language and datatype of a term."""
    match term:
        case ox.NamedNode():
            return term.value, "iri", None, None
        case ox.BlankNode():
            return f"_:{term.value}", "blank", None, None
        case ox.Literal():
            language = term.language
            return term.value, "literal", language, None if language else term.datatype.value
    return str(term), "triple", None, None


def node_name(term: Any) -> str:  # noqa: ANN401 (any term that can be a subject)
    """The column of a term that is an IRI, a blank node or a triple."""
    return f"_:{term.value}" if isinstance(term, ox.BlankNode) else str(term.value)


@lru_cache(maxsize=1_024)
def host_column(page: str) -> str | None:
    """The host of a page; None of one that is no page of the web."""
    return host_of(Url(page)) if page.startswith(("http://", "https://")) else None
