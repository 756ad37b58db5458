"""`gossamer query`: ask the graph, in SPARQL."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from gossamer.cli.folder import ask_folder, there_is_a_crawl
from gossamer.cli.options import data_options
from gossamer.cli.rows import RowsTable
from gossamer.cli.text import counted, emit, emit_bytes, example, table, terminal_width
from gossamer.data import DataFolder
from gossamer.errors import InputError
from gossamer.example_queries import EXAMPLES
from gossamer.index.asking import RDF
from gossamer.index.results import ROWS
from gossamer.owner.messages import Answering, Question, Record, record_of

TABLE: Final = "table"
FORMATS: Final = (TABLE, *ROWS, *RDF)
FOR_PEOPLE: Final = ("tsv", "turtle")  # what a table is made of, and what triples come as
SECONDS: Final = 60.0
LISTED: Final = "\n".join(f"  {name:<14} {each.tells}" for name, each in EXAMPLES.items())


@click.command(
    short_help="Ask the graph, in SPARQL; a table for people, or any format.",
    epilog="\n".join(
        [
            example(
                "gossamer query --example types",
                "gossamer query 'SELECT ?page ?name { GRAPH ?page { ?p foaf:name ?name } }'",
                "gossamer query @people.rq --to csv > people.csv",
                "gossamer query --example hosts --show",
                "gossamer query --example hosts --explain",
            ),
            "",
            "\b",
            "Example queries:",
            LISTED,
        ]
    ),
)
@click.argument("text", metavar="[SPARQL|@FILE]", required=False)
@click.option("--example", "named", type=click.Choice(list(EXAMPLES)), help="Ask one of ours.")
@click.option("--show", is_flag=True, help="Print the query instead of asking it.")
@click.option(
    "--explain", is_flag=True, help="Ask, and print what that cost instead of the answer."
)
@click.option("--json", "as_json", is_flag=True, help="With --explain: print one JSON object.")
@click.option(
    "--to",
    type=click.Choice(FORMATS),
    default=TABLE,
    show_default=True,
    help="The format: rows come as the first few, triples (CONSTRUCT, DESCRIBE) as the others.",
    metavar="FORMAT",
)
@click.option("--limit", type=click.IntRange(min=1), help="Stop after so many rows.")
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
    named: str | None,
    show: bool,
    explain: bool,
    as_json: bool,
    to: str,
    limit: int | None,
    timeout: float,
    data: DataFolder,
) -> None:
    """Ask what was crawled, while the crawl runs or afterwards.

    All graphs together are the default graph; GRAPH ?page { … } tells which page said it. The
    usual prefixes (schema, foaf, dcterms, rdfs…) need no declaration. Nothing can be changed.
    """
    if as_json and not explain:
        raise click.UsageError(
            "--json goes with --explain; an answer comes as JSON with --to json."
        )
    asked = _text(text, named)
    if show:
        emit(asked)
        return
    there_is_a_crawl(data)
    question = Question(
        what="query",
        texts=(asked,),
        formats=FOR_PEOPLE if to == TABLE else (to,),
        limit=limit,
        seconds=timeout,
        timed=explain,
    )
    if explain:
        cost = ask_folder("query", data, lambda owner: _cost(owner, question))
        emit(json.dumps(cost) if as_json else table([*_cost_rows(cost)]))
        return
    end = ask_folder("query", data, lambda owner: written(owner, question, _Output(to)))
    click.echo(_how_it_went(end), err=True)


async def written(owner: Answering, question: Question, output: "_Output") -> Record:
    """Write an answer as it comes; how it went."""
    answer = owner.answer(question)
    async with aclosing(answer.__aiter__()) as parts:
        async for part in parts:
            output.feed(part)
    output.finish()
    return answer.end


async def _cost(owner: Answering, question: Question) -> Record:
    """What an answer costs that nobody reads."""
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


def _text(text: str | None, named: str | None) -> str:
    if (text is None) == (named is None):
        raise click.UsageError(
            f"Give a query, a file with one (@FILE), or --example with one of {', '.join(EXAMPLES)}."
        )
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
