"""`gossamer query`: ask the graph, in SPARQL."""

import sys
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from gossamer.cli.folder import ask_folder, there_is_a_crawl
from gossamer.cli.options import data_options
from gossamer.cli.rows import RowsTable
from gossamer.cli.text import counted, emit, emit_bytes, example, terminal_width
from gossamer.data import DataFolder
from gossamer.errors import InputError
from gossamer.example_queries import EXAMPLES
from gossamer.index.asking import RDF
from gossamer.index.results import ROWS
from gossamer.owner.messages import Answering, Question, Record

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
    to: str,
    limit: int | None,
    timeout: float,
    data: DataFolder,
) -> None:
    """Ask what was crawled, while the crawl runs or afterwards.

    All graphs together are the default graph; GRAPH ?page { … } tells which page said it. The
    usual prefixes (schema, foaf, dcterms, rdfs…) need no declaration. Nothing can be changed.
    """
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
    )
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
    what = "statement" if end["format"] in RDF else "row"
    return f"{counted(end['rows'], what)} in {end['seconds']:.3f} s{more}"
