"""`gossamer load`: columns into a graph store in bulk."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import click

from gossamer.cli.options import complete_file
from gossamer.cli.text import counted, example

TARGETS: Final = ("oxigraph", "virtuoso", "qlever")


@click.command(
    epilog=example(
        "gossamer load columns --to oxigraph -o store",
        "gossamer load columns --to virtuoso -o /var/lib/virtuoso/load",
        "gossamer load 'columns/quads/*.parquet' --to qlever -o qlever",
    ),
)
@click.argument(
    "names", metavar="DIR|FILE...", nargs=-1, required=True, shell_complete=complete_file
)
@click.option(
    "--to",
    "target",
    type=click.Choice(TARGETS),
    required=True,
    help="The store: Oxigraph is loaded at once, for the others files are written that their loaders take.",
)
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder of the store, or for the files.",
)
def load(names: tuple[str, ...], target: str, folder: Path) -> None:
    """Load columns (`gossamer extract --to parquet`) into a graph store.

    Each statement is in the graph of its page; of a page that was archived more than once, the last
    capture counts. See docs/columns.md.
    """
    from gossamer.cli.terminal import ProgressLine
    from gossamer.columnar.bulk_load import bulk_load
    from gossamer.columnar.duck import find_columns

    progress = ProgressLine()
    started = time.monotonic()
    try:
        loaded = bulk_load(
            find_columns(names), target, folder, lambda count: progress.show(f"{count:,} quads")
        )
    finally:
        progress.clear()
    took = max(time.monotonic() - started, 0.001)
    rate = f"{loaded.quads / took:,.0f} a second"
    click.echo(f"{counted(loaded.quads, 'quad')} in {took:.1f} s ({rate}): {folder}", err=True)
    if loaded.next_line is not None:
        click.echo(f"Next: {loaded.next_line}", err=True)
