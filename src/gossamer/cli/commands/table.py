"""`gossamer table`: the things of one type, one a row, in the terminal or as a file for data frames."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from gossamer.cli.options import complete_file, complete_host, complete_type, data_options
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder

TABLE: Final = "table"
FORMATS: Final = (TABLE, "csv", "jsonl")  # of standard output; files have two more


@click.command(
    epilog=example(
        "gossamer table Product",
        "gossamer table Product -o products.parquet",
        "gossamer table Product --columns name,offers.price,offers.priceCurrency,brand.name -o prices.csv",
        "gossamer table Event --host example.org --limit 20",
        "gossamer table Recipe --from recipes.html --to jsonl",
        "gossamer table Product --from 'columns/quads/*.parquet'",
    ),
)
@click.argument("type_", metavar="TYPE", shell_complete=complete_type)
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file: .csv, .jsonl, .parquet or .xlsx; .gz and .zst are compressed.",
)
@click.option(
    "--to",
    type=click.Choice(FORMATS),
    help="The format of standard output [default: a table that fits the terminal].",
)
@click.option(
    "--columns",
    metavar="A,B.c",
    help="Only these columns, in this order; B.c is property c of what property B leads to "
    "[default: what enough of the entities have].",
)
@click.option(
    "--host",
    "hosts",
    metavar="HOST",
    multiple=True,
    shell_complete=complete_host,
    help="Only entities described by this host. May be repeated.",
)
@click.option("--limit", type=click.IntRange(min=1), help="At most this many entities.")
@click.option(
    "--lists",
    is_flag=True,
    help="Keep all values of a cell, as a list [default: the first, and their number beside it].",
)
@click.option(
    "--from",
    "files",
    metavar="FILE",
    multiple=True,
    shell_complete=complete_file,
    help="Read these pages, RDF files, folders, WARC files or columns (Parquet) instead of a crawl. May be repeated.",
)
@data_options
def table(
    type_: str,
    file: Path | None,
    to: str | None,
    columns: str | None,
    hosts: tuple[str, ...],
    limit: int | None,
    lists: bool,
    files: tuple[str, ...],
    data: DataFolder,
) -> None:
    """Make a table of the entities of TYPE and its subclasses: one row each.

    TYPE is a name (Product), a prefixed name (schema:Product) or an IRI. What an entity leads to is
    part of its row: offers.price, brand.name. Numbers are numbers and dates are dates. Without
    --columns, those that enough of the entities have are chosen; the share that has a value is
    shown. See docs/python.md.
    """
    from gossamer.cli.run_table import TableOrder, run_table

    if file is not None and to is not None:
        raise click.UsageError("-o FILE names its format; leave out --to.")
    asked = [name.strip() for name in (columns or "").split(",") if name.strip()]
    run_table(
        TableOrder(
            type=type_,
            file=file,
            to=to or TABLE,
            columns=tuple(asked),
            hosts=hosts,
            limit=limit,
            lists=lists,
            files=files,
        ),
        data,
    )
