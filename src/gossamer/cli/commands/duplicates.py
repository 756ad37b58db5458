"""`gossamer duplicates`: pages that are the same thing, and parameters that change nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from gossamer.cli.options import complete_host, data_options
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, example, plain, table
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.owner.messages import Answering, Record

SHOWN: Final = 50  # groups, unless more are asked for
OTHERS: Final = 3  # addresses of a group in the table
HEAD: Final = ("PAGES", "KIND", "REPRESENTATIVE", "WHY")


@click.command(
    epilog=example(
        "gossamer duplicates",
        "gossamer duplicates --host www.example.org --limit 500",
        "gossamer duplicates --json",
    ),
)
@click.option(
    "--host", metavar="HOST", shell_complete=complete_host, help="Only pages of this host."
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=SHOWN,
    show_default=True,
    help="Show at most this many groups.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_options
def duplicates(host: str | None, limit: int, as_json: bool, data: DataFolder) -> None:
    """List pages that are the same thing, and which of them stands for the others.

    Soft 404s and parked sites are told apart: one answer at many addresses, or at many
    sites. Below are the parameters of URLs that were seen to change nothing. See docs/duplicates.md.
    """
    from gossamer.cli.folder import ask_folder, require_crawl
    from gossamer.owner.messages import ask
    from gossamer.owner.questions import ListDuplicates

    require_crawl(data)
    question = ListDuplicates(host=host, limit=limit)

    async def asking(owner: Answering) -> Record:
        return await ask(owner, question)

    found = ask_folder("duplicates", data, asking)
    if as_json:
        emit(json.dumps(found, indent=2))
        return
    of = "" if host is None else f" of {plain(host)}"
    if found["groups"]:
        rows = (row for group in found["groups"] for row in _rows(group))
        emit(table([HEAD, *rows], wraps=True))
    else:
        click.echo(f"No pages{of} in {data.path} were seen to be the same thing.", err=True)
    for each in found["parameters"]:
        click.echo(
            f"{each['host']}: the parameter {plain(each['parameter'])} changes nothing.", err=True
        )
    if found["next"]:
        click.echo(f"These are the first {counted(limit, 'group')}; --limit N.", err=True)


def _rows(group: Record) -> Iterator[tuple[str, str, str, str]]:
    yield (
        f"{group['members']:,}",
        group["kind"],
        plain(group["representative"]),
        group["why"],
    )
    for other in group["others"][:OTHERS]:
        yield "", "", f"  {plain(other)}", ""
    more = group["members"] - 1 - len(group["others"][:OTHERS])
    if more > 0:
        yield "", "", f"  and {more:,} more", ""
