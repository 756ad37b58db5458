"""`gossamer export`: everything that was crawled, as a file or a stream."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing, closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gossamer.cli.options import complete_file, complete_host, complete_type, data_options
from gossamer.cli.output_file import unpacked_name, whole_file
from gossamer.cli.terminal import ProgressLine, emit_bytes
from gossamer.cli.text import counted, example, plain, size
from gossamer.errors import ConfigError, InputError
from gossamer.folder.data import DataFolder
from gossamer.index.graph.query import BY_PAGE, ENTITIES, RDF
from gossamer.model import Refusal

if TYPE_CHECKING:
    from gossamer.owner.messages import Answering, Record
    from gossamer.owner.questions import ExportGraph

PARQUET: Final = "parquet"
ENDINGS: Final = {
    ".nq": "nquads",
    ".nquads": "nquads",
    ".trig": "trig",
    ".nt": "ntriples",
    ".ttl": "turtle",
    ".rdf": "rdfxml",
    ".jsonld": "jsonld",
    ".n3": "n3",
    ".jsonl": ENTITIES,
    ".parquet": PARQUET,
}
Write = Callable[[bytes], object]


@click.command(
    epilog=example(
        "gossamer export > crawl.nq",
        "gossamer export -o crawl.trig.gz",
        "gossamer export -o crawl.nq.zst",
        "gossamer export --graph https://example.org/ --to turtle",
        "gossamer export --to entities -o entities.jsonl.gz",
        "gossamer export --to entities --from columns -o entities.jsonl.gz",
        "gossamer export --no-fetches --host example.org -o quads.parquet",
        "gossamer export --type Product --to turtle",
        "gossamer export --as-of 2026-11-01 -o then.nq.gz",
    ),
)
@click.option(
    "--to",
    type=click.Choice([*RDF, ENTITIES, PARQUET]),
    help="The syntax, `entities` or `parquet` [default: by the name of the file, else nquads].",
)
@click.option("--graph", metavar="URL", help="Only what this page says.")
@click.option(
    "--host",
    "hosts",
    metavar="HOST",
    multiple=True,
    shell_complete=complete_host,
    help="Only what pages of this host say.",
)
@click.option(
    "--type",
    "types",
    metavar="TYPE",
    multiple=True,
    shell_complete=complete_type,
    help="Only what is said of entities of this type, and of nameless nodes that they lead to.",
)
@click.option("--no-fetches", is_flag=True, help="Leave out statements about fetches.")
@click.option(
    "--as-of",
    metavar="DATE",
    help="What pages said by then (a date, or an age such as 30d), as N-Quads, read again from the archive.",
)
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file; .gz and .zst are compressed.",
)
@click.option(
    "--from",
    "columns",
    metavar="DIR|FILE",
    multiple=True,
    shell_complete=complete_file,
    help="With --to entities: gather them from these columns (docs/columns.md) instead of a crawl.",
)
@data_options
def export(
    to: str | None,
    graph: str | None,
    hosts: tuple[str, ...],
    types: tuple[str, ...],
    no_fetches: bool,
    as_of: str | None,
    file: Path | None,
    columns: tuple[str, ...],
    data: DataFolder,
) -> None:
    """Write all statements with their sources, while the crawl runs or afterwards.

    The output is a consistent snapshot of the graph: what pages say, and statements about
    each fetch, which `gossamer status` does not count among the quads. N-Quads and TriG name the page of each
    statement; the other syntaxes have only the statements. `--to entities` writes one JSON
    object per entity, gathered from all pages that describe it: see docs/entities.md. A `.parquet`
    file has one row per statement, with page, host, status and time of the fetch: see docs/python.md.
    """
    from gossamer.cli.folder import ask_folder, require_crawl
    from gossamer.owner.questions import ExportGraph
    from gossamer.tables.needs import needed
    from gossamer.tables.quads import QuadTable

    format_ = _format(to, file)
    if columns:
        if format_ != ENTITIES or graph or hosts or types or as_of:
            raise ConfigError("--from goes with --to entities, and with no other choice.")
        _export_things(columns, file)
        return
    require_crawl(data)
    if as_of is not None:
        from gossamer.cli.run_as_of import run_as_of

        if format_ != "nquads" or graph or hosts or types:
            raise ConfigError(
                "--as-of writes N-Quads of all pages: leave out --graph, --host and --type, and give a file "
                "that ends in .nq, .nq.gz or .nq.zst."
            )
        run_as_of(as_of, file, data)
        return
    if format_ == ENTITIES and graph is not None:
        raise ConfigError(
            "--graph is one page, and entities are of all pages: leave out one of them."
        )
    if (graph or format_ == ENTITIES) and (hosts or types or no_fetches):
        raise ConfigError(
            "--host, --type and --no-fetches choose statements of all pages: leave out --graph, and "
            "choose entities with `gossamer table`."
        )
    if format_ == PARQUET:
        if file is None:
            raise ConfigError("Parquet goes into a file: -o FILE.parquet.")
        needed("pyarrow.parquet")
    question = ExportGraph(
        BY_PAGE if format_ == PARQUET else format_,
        _graph(graph),
        types=types,
        hosts=tuple(host.strip().lower() for host in hosts),
        fetches=not no_fetches,
    )

    def export_to(write: Write) -> Record:
        end = ask_folder("export", data, lambda owner: _write_export(owner, question, write))
        if graph is not None and not end["rows"]:
            raise InputError(f"No page of the crawl is {plain(graph)}, or it says nothing.")
        if (types or hosts) and not end["rows"]:
            what = [*(f"of type {each}" for each in types), *(f"of host {each}" for each in hosts)]
            raise InputError(f"Pages say nothing {plain(' or '.join(what))}.")
        return end

    if file is None:
        end = export_to(emit_bytes)
    elif format_ == PARQUET:
        with whole_file(file) as output, closing(QuadTable(output)) as rows:
            end = export_to(rows.feed)
        end = {**end, "rows": rows.rows}
    else:
        with whole_file(file) as output:
            end = export_to(output.write)
    told = counted(end["rows"], "thing" if format_ == ENTITIES else "statement")
    if (fetches := end.get("about_fetches")) and graph is None:
        pages = counted(end["rows"] - fetches, "quad")
        told += f" ({pages} that pages say, as `gossamer status` counts them, {fetches:,} about fetches)"
    if left_out := end.get("left_out"):
        told += f"; left out {counted(left_out, 'statement')} about statements (RDF 1.2), which JSON-LD cannot write"
    click.echo(f"{told}." if file is None else f"{told}: {file}", err=True)
    for each in end["covered"]:
        click.echo(each, err=True)


def _export_things(columns: tuple[str, ...], file: Path | None) -> None:
    """Write the entities of columns."""
    from gossamer.columnar.duck import find_columns
    from gossamer.columnar.things import gather_in_duck
    from gossamer.index.entities.all_entities import entity_line

    progress, count = ProgressLine(), 0

    def write(output: Write) -> None:
        nonlocal count
        for entity in gather_in_duck(find_columns(columns)):
            output(entity_line(entity).encode())
            count += 1
            progress.show(f"{count:,} entities")

    try:
        if file is None:
            write(emit_bytes)
        else:
            with whole_file(file) as output:
                write(output.write)
    finally:
        progress.clear()
    told = f"{count:,} {'entity' if count == 1 else 'entities'}"
    click.echo(f"{told}." if file is None else f"{told}: {file}", err=True)


def _format(to: str | None, file: Path | None) -> str:
    if to is not None or file is None:
        return to or "nquads"
    ending = Path(unpacked_name(file)).suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise ConfigError(f"{file} does not end in one of {known}; say the syntax with --to.")
    return ENDINGS[ending]


def _graph(text: str | None) -> str | None:
    """The graph that somebody means: a page by its URL, or any graph by its name."""
    from gossamer.index.graph.names import page_name
    from gossamer.urls import seed

    if text is None or "#" in text:
        return text
    url = seed(text)
    if isinstance(url, Refusal):
        raise ConfigError(f"--graph {text}: {url.why}")
    return page_name(url)


async def _write_export(owner: Answering, question: ExportGraph, write: Write) -> Record:
    answer, progress, count = owner.answer(question), ProgressLine(), 0
    async with aclosing(answer.__aiter__()) as parts:
        await anext(parts)  # the name of the format
        async for part in parts:
            write(part)
            count += len(part)
            progress.show(f"{size(count)} written")
    progress.clear()
    from gossamer.owner.node_answers import coverage

    return {**answer.end, "covered": await coverage(owner)}
