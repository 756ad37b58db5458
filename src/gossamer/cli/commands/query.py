"""`gossamer query`: ask the graph in SPARQL; rows are shown as a table, with prefixes shortened.

The first rows decide how wide the columns are; those that follow are written as they come.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gossamer.cli.options import complete_file, data_options
from gossamer.cli.terminal import emit, emit_bytes
from gossamer.cli.text import counted, example, fitted, in_columns, plain, table, terminal_width
from gossamer.errors import InputError
from gossamer.folder.data import DataFolder
from gossamer.index.graph.query import RDF, ROW_FORMATS
from gossamer.sparql.example_queries import EXAMPLES
from gossamer.sparql.prefixes import PREFIXES, shortened

if TYPE_CHECKING:
    from gossamer.owner.messages import Answering, Record
    from gossamer.owner.questions import Query

TABLE: Final = "table"
FORMATS: Final = (TABLE, *ROW_FORMATS, *RDF)
FOR_PEOPLE: Final = ("tsv", "turtle")  # what a table is made of, and what triples come as
SECONDS: Final = 60.0
# Those of columns, in SQL: their texts are loaded when they are asked for.
SQL_NAMES: Final = ("types-by-host", "properties-by-type", "prices-over-time", "syntaxes")
LISTED: Final = "\n".join(f"  {name:<14} {each.tells}" for name, each in EXAMPLES.items())
SAMPLE: Final = 200  # rows that decide how wide the columns are
XSD: Final = PREFIXES["xsd"]
# What these are is plain to see.
_OBVIOUS_NAMES: Final = (
    *("string", "integer", "decimal", "double", "float", "boolean"),
    *("date", "dateTime", "gYear", "anyURI"),
)
OBVIOUS: Final = frozenset(f"{XSD}{name}" for name in _OBVIOUS_NAMES)


@click.command(
    epilog="\n".join(
        [
            example(
                "gossamer query --example types",
                "gossamer query 'SELECT ?page ?name { GRAPH ?page { ?p foaf:name ?name } }'",
                "gossamer query @people.rq --to csv > people.csv",
                "gossamer query --example hosts --show",
                "gossamer query --example hosts --explain",
                "gossamer query --sql 'SELECT host, count(*) FROM quads GROUP BY 1' --from columns",
                "gossamer query --sql --example types-by-host --from columns",
            ),
            "",
            "\b",
            "Example queries:",
            LISTED,
        ]
    ),
)
@click.argument("text", metavar="[SPARQL|SQL|@FILE]", required=False)
@click.option(
    "--sql",
    is_flag=True,
    help="The query is SQL, about columns (--from): the tables quads, pages and latest.",
)
@click.option(
    "--from",
    "columns",
    metavar="DIR|FILE",
    multiple=True,
    shell_complete=complete_file,
    help="With --sql: a folder of columns, or Parquet files. May be repeated. See docs/columns.md.",
)
@click.option(
    "--example",
    "named",
    type=click.Choice([*EXAMPLES, *SQL_NAMES]),
    metavar="NAME",
    help=f"Run a saved query; with --sql, one of {', '.join(SQL_NAMES)}.",
)
@click.option("--show", is_flag=True, help="Print the query instead of running it.")
@click.option(
    "--explain", is_flag=True, help="Run the query and print its cost instead of the result."
)
@click.option("--json", "as_json", is_flag=True, help="With --explain: print one JSON object.")
@click.option(
    "--to",
    type=click.Choice(FORMATS),
    default=TABLE,
    show_default=True,
    help="The output format: the first few are for rows, the others for triples (CONSTRUCT, DESCRIBE).",
    metavar="FORMAT",
)
@click.option("--limit", type=click.IntRange(min=1), help="Stop after this many rows.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Stop a query that takes longer.",
)
@data_options
def query(
    text: str | None,
    sql: bool,
    columns: tuple[str, ...],
    named: str | None,
    show: bool,
    explain: bool,
    as_json: bool,
    to: str,
    limit: int | None,
    timeout: float,
    data: DataFolder,
) -> None:
    """Query the graph with SPARQL, while the crawl runs or afterwards.

    The default graph is the union of all pages; GRAPH ?page { … } tells which page said it.
    The usual prefixes (schema, foaf, dcterms, rdfs…) need no declaration. Queries cannot
    change anything. With --sql, ask the columns that `gossamer extract --to parquet` makes of archives.
    """
    if as_json and not explain:
        raise click.UsageError(
            "--json goes with --explain; an answer comes as JSON with --to json."
        )
    if sql is not bool(columns) and not (sql and show):
        raise click.UsageError("--sql and --from go together: SQL is asked of columns.")
    if named is not None and (named in SQL_NAMES) is not sql:
        raise click.UsageError(f"--example {named} is {'SPARQL' if sql else 'SQL (--sql)'}.")
    asked = _text(text, named)
    if show:
        emit(asked)
        return
    if sql:
        if explain:
            raise click.UsageError("--explain is for SPARQL.")
        from gossamer.cli.run_sql import run_sql

        run_sql(asked, columns, to, limit, timeout)
        return
    from gossamer.cli.folder import ask_folder, require_crawl
    from gossamer.index.graph.query import QueryLimits
    from gossamer.owner.questions import Query

    require_crawl(data)
    limits = QueryLimits(time=timedelta(seconds=timeout), rows=limit, timed=explain)
    question = Query(asked, FOR_PEOPLE if to == TABLE else (to,), limits)
    if explain:
        cost = ask_folder("query", data, lambda owner: _cost(owner, question))
        emit(json.dumps(cost) if as_json else table([*_cost_rows(cost)]))
        return
    end, covered = ask_folder("query", data, lambda owner: _answered(owner, question, to))
    click.echo("\n".join([_how_it_went(end), *map(plain, end["hints"]), *covered]), err=True)


async def _answered(owner: Answering, question: Query, to: str) -> tuple[Record, list[str]]:
    """Write the answer; how it went, and whose pages it covers."""
    from gossamer.owner.node_answers import coverage

    return await write_answer(owner, question, _Output(to)), await coverage(owner)


async def write_answer(owner: Answering, question: Query, output: _Output) -> Record:
    """Write an answer as it comes; how it went."""
    answer = owner.answer(question)
    async with aclosing(answer.__aiter__()) as parts:
        async for part in parts:
            output.feed(part)
    output.finish()
    return answer.end


@dataclass(slots=True)
class _Output:
    """Where an answer goes: its first line names its format, and so how it is written."""

    to: str
    _held: bytes = b""
    _table: RowsTable | None = None
    _feed: Callable[[bytes], None] | None = None

    def feed(self, part: bytes) -> None:
        if self._feed is not None:
            self._feed(part)
            return
        format_, newline, rest = (self._held + part).partition(b"\n")
        if not newline:
            self._held = format_
            return
        if self.to == TABLE and format_ == b"tsv":
            self._table = RowsTable(emit, terminal_width())
        self._feed = emit_bytes if self._table is None else self._table.feed
        self._feed(rest)

    def finish(self) -> None:
        if self._table is not None:
            self._table.finish()


@dataclass(slots=True)
class RowsTable:
    """Takes rows as SPARQL's TSV, in any pieces, and writes lines of a table."""

    write: Callable[[str], None]
    width: int | None = None  # of the terminal; without one, nothing is cut
    _held: bytes = b""
    _sample: list[Sequence[str]] = field(default_factory=list)
    _widths: Sequence[int] | None = None

    def feed(self, part: bytes) -> None:
        """Take some more bytes."""
        *lines, self._held = (self._held + part).split(b"\n")
        for line in lines:
            self._row([shown_term(term) for term in line.decode().split("\t")])

    def finish(self) -> None:
        """End the output: no more rows come."""
        if self._widths is None:
            self._begin()

    def _row(self, row: Sequence[str]) -> None:
        if self._widths is not None:
            self.write(in_columns(row, self._widths))
            return
        self._sample.append(row)
        if len(self._sample) > SAMPLE:
            self._begin()

    def _begin(self) -> None:
        self._widths = fitted(self._sample, width=self.width, glance=self.width is not None)
        for row in self._sample:
            self.write(in_columns(row, self._widths))
        self._sample = []


def shown_term(term: str) -> str:
    """A term of TSV as people read it; a variable without its question mark."""
    from gossamer.tables.terms import read_literal

    if term.startswith("?"):
        return term[1:]
    if term.startswith("<") and term.endswith(">") and not term.startswith("<<"):
        return plain(shortened(term[1:-1]))
    literal = read_literal(term)
    return plain(term) if literal is None else _shown_literal(*literal)


def _shown_literal(text: str, language: str | None, datatype: str | None) -> str:
    value = plain(" ".join(text.split()))
    if language is not None:
        return f"{value}@{language}"
    if datatype is None or datatype in OBVIOUS:
        return value
    return f"{value}^^{plain(shortened(datatype))}"


async def _cost(owner: Answering, question: Query) -> Record:
    """What an answer costs that nobody reads."""
    from gossamer.owner.messages import record_of

    return await record_of(owner.answer(question))


def _cost_rows(end: Record) -> Iterator[tuple[str, str]]:
    cost = end["cost"]
    yield "parsed", f"in {cost['parsed']:.6f} s"
    if cost["first_row"] is not None:
        yield "first row", f"after {cost['first_row']:.6f} s"
    yield "last row", f"after {cost['last_row']:.6f} s, all written as {end['format']}"
    yield "in all", f"{end['seconds']:.6f} s, with the way here"
    yield "answer", _rows_told(end)
    graph = cost["graph"]
    yield "graph", f"{counted(graph['quads'], 'statement')} of {counted(graph['pages'], 'page')}"
    yield "plan", "the engine does not tell"


def _text(text: str | None, named: str | None) -> str:
    if (text is None) == (named is None):
        raise click.UsageError(
            f"Give a query, a file with one (@FILE), or --example with one of {', '.join(EXAMPLES)}."
        )
    if named in SQL_NAMES:
        from gossamer.columnar.duck import SQL_EXAMPLES

        return SQL_EXAMPLES[named].text
    if named is not None:
        return EXAMPLES[named].text
    assert text is not None
    if not text.startswith("@"):
        return text
    name = text[1:]
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"The query {name} cannot be read: {why}.") from None


def _how_it_went(end: Record) -> str:
    more = "; there are more (--limit)" if end["cut"] else ""
    return f"{_rows_told(end)} in {end['seconds']:.3f} s{more}"


def _rows_told(end: Record) -> str:
    return counted(end["rows"], "statement" if end["format"] in RDF else "row")
