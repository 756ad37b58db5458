"""`gossamer archive`: what the archive has of which page, and ways to hand it on."""

from __future__ import annotations

from pathlib import Path

import click

from gossamer.cli.errors import Commands
from gossamer.cli.options import complete_host, data_option, data_options
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder


@click.group(
    cls=Commands,
    epilog=example(
        "gossamer archive list --host shop.example.org",
        "gossamer archive get https://shop.example.org/tea",
        "gossamer archive wacz -o shop.wacz --host shop.example.org",
    ),
)
@data_options
def archive(data: DataFolder) -> None:
    """List what was fetched, print it, and package it for other programs."""


@archive.command(
    "list",
    epilog=example(
        "gossamer archive list",
        "gossamer archive list https://shop.example.org/tea",
        "gossamer archive list --host shop.example.org --json > answers.jsonl",
    ),
)
@click.argument("url", metavar="[URL]", required=False)
@click.option(
    "--host", metavar="HOST", shell_complete=complete_host, help="Only answers of this host."
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help="At most this many [default: 50 on a terminal, else all].",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@data_option
def list_(
    url: str | None, host: str | None, limit: int | None, as_json: bool, data: DataFolder
) -> None:
    """List answers in the archive: of a page, of a host, or all."""
    from gossamer.cli.run_archive import list_answers

    list_answers(data, url, host, limit, as_json=as_json)


@archive.command(
    epilog=example(
        "gossamer archive get https://shop.example.org/tea > tea.html",
        "gossamer archive get https://shop.example.org/tea --at 30d --headers",
    ),
)
@click.argument("url", metavar="URL")
@click.option(
    "--at",
    "moment",
    metavar="WHEN",
    help="As it was then: an age (30d) or a date [default: the last answer].",
)
@click.option(
    "--headers", is_flag=True, help="Print the status line and the headers instead of the body."
)
@click.option("--raw", is_flag=True, help="Print the body as it was received, still compressed.")
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file.",
)
@data_option
def get(
    url: str, moment: str | None, headers: bool, raw: bool, file: Path | None, data: DataFolder
) -> None:
    """Print the body of a page as the archive has it."""
    from gossamer.cli.run_archive import get_answer

    get_answer(data, url, moment, file, headers=headers, raw=raw)


@archive.command(epilog=example("gossamer archive index", "gossamer archive index -o all.cdxj"))
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write one index of all files (CDXJ), for pywb and other programs.",
)
@data_option
def index(file: Path | None, data: DataFolder) -> None:
    """Make the indexes that are missing beside files of the archive.

    Commands that need an index make it; this makes all of them now.
    """
    from gossamer.cli.run_archive import make_indexes

    make_indexes(data, file)


@archive.command(
    epilog=example(
        "gossamer archive wacz -o crawl.wacz",
        "gossamer archive wacz -o shop.wacz --host shop.example.org --host img.example.org",
    ),
)
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The package to write.",
)
@click.option(
    "--host",
    "hosts",
    metavar="HOST",
    multiple=True,
    shell_complete=complete_host,
    help="Only what was fetched from this host. May be repeated.",
)
@data_option
def wacz(file: Path, hosts: tuple[str, ...], data: DataFolder) -> None:
    """Package the archive as WACZ, which ReplayWeb.page and pywb open."""
    from gossamer.cli.run_archive import package

    package(data, file, hosts)
