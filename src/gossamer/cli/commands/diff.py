"""`gossamer diff`: what a page says otherwise than at another moment, from its archived copies."""

import click

from gossamer.cli.options import data_options
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder


@click.command(
    epilog=example(
        "gossamer diff https://shop.example.org/tea",
        "gossamer diff https://shop.example.org/tea --from 30d",
        "gossamer diff https://shop.example.org/tea --from 2026-11-01 --to 2026-11-15 --json",
    ),
)
@click.argument("url", metavar="URL")
@click.option(
    "--from",
    "since",
    metavar="WHEN",
    help="The page as it was then: an age (30d) or a date [default: the state before the last one].",
)
@click.option("--to", "until", metavar="WHEN", help="And as it was then [default: the last state].")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_options
def diff(url: str, since: str | None, until: str | None, as_json: bool, data: DataFolder) -> None:
    """Show what a page says otherwise than before, by entity, from two archived copies.

    Both copies are read again with today's readers, so only the page can make a difference.
    The first time, files of the archive get an index, which takes a while if there are many. See docs/changes.md.
    """
    from gossamer.cli.run_diff import run_diff

    run_diff(url, since, until, data, as_json=as_json)
