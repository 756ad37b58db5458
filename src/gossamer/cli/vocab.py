"""`gossamer vocab`: the classes and properties that a crawl has met, so that one sees what to ask."""

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

import click

from gossamer.cli.folder import ask_folder, there_is_a_crawl
from gossamer.cli.options import data_options
from gossamer.cli.text import counted, emit, example, plain, table, terminal_width
from gossamer.data import DataFolder
from gossamer.vocabulary import SECONDS, Met, Vocabulary, vocabulary

SHOWN: Final = 30  # of each, unless more are asked for


@click.command(
    short_help="The classes and properties that were met, with counts.",
    epilog=example("gossamer vocab", "gossamer vocab --limit 100", "gossamer vocab --json"),
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"Show so many of each at most [default: {SHOWN}; with --json: all].",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Stop counting after so long.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_options
def vocab(limit: int | None, timeout: float, as_json: bool, data: DataFolder) -> None:
    """Show what there is to ask, while the crawl runs or afterwards.

    Classes come with the number of things, properties with the number of statements; labels are
    those that pages of the crawl give them.
    """
    there_is_a_crawl(data)
    most = limit or (None if as_json else SHOWN)
    found = ask_folder("vocab", data, lambda owner: vocabulary(owner, most, timeout))
    if as_json:
        emit(json.dumps(asdict(found), indent=2, ensure_ascii=False))
    elif not found.properties:
        click.echo("The graph is empty: no page has said anything yet.", err=True)
    else:
        emit("\n".join(_shown(found)))


def _shown(found: Vocabulary) -> Iterator[str]:
    yield from _listed("CLASS", "THINGS", found.classes, found.class_count)
    yield ""
    yield from _listed("PROPERTY", "STATEMENTS", found.properties, found.property_count)
    if found.query is not None:
        # An IRI may have quotation marks in it, and whoever copies this line runs it.
        yield f"\nTry:\n  gossamer query {shlex.quote(plain(found.query))}"


def _listed(head: str, what: str, met: Sequence[Met], count: int) -> Iterator[str]:
    if not met:
        yield f"No {head.lower()} was met."
        return
    rows = [(f"{each.count:,}", plain(each.name), plain(each.label or "")) for each in met]
    width = max(len(what), *(len(row[0]) for row in rows))
    aligned = [(number.rjust(width), *rest) for number, *rest in [(what, head, "LABEL"), *rows]]
    yield table(aligned, glance=terminal_width() is not None)
    if count > len(met):
        yield f"… and {counted(count - len(met), 'other')} (--limit)."
