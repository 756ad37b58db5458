"""`gossamer vocab`: the classes and properties that a crawl has met, so that one sees what to ask."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from gossamer.cli.errors import Commands
from gossamer.cli.options import data_option, data_options, fetch_options
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, example, plain, table, terminal_width
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.owner.vocabulary import Met, Vocabulary

SECONDS: Final = 300.0  # to count everything that there is takes longer than an ordinary query
SHOWN: Final = 30  # of each, unless more are asked for


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog=example(
        "gossamer vocab",
        "gossamer vocab --limit 100",
        "gossamer vocab --json",
        "gossamer vocab add https://example.org/terms.ttl",
    ),
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"Show at most this many of each [default: {SHOWN}; with --json: all].",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Stop counting after this time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_options
@click.pass_context
def vocab(
    ctx: click.Context, limit: int | None, timeout: float, as_json: bool, data: DataFolder
) -> None:
    """List the classes and properties found, while the crawl runs or afterwards.

    Classes have the number of entities, properties the number of statements; labels are
    those that pages of the crawl give them.
    """
    if ctx.invoked_subcommand is not None:
        return
    from gossamer.cli.folder import ask_folder, require_crawl
    from gossamer.owner.vocabulary import vocabulary

    require_crawl(data)
    most = limit or (None if as_json else SHOWN)
    found = ask_folder("vocab", data, lambda owner: vocabulary(owner, most, timeout))
    if as_json:
        emit(json.dumps(asdict(found), indent=2, ensure_ascii=False))
    elif not found.properties:
        click.echo("The graph is empty: no page has said anything yet.", err=True)
    else:
        emit("\n".join(_shown(found)))


@vocab.command(
    epilog=example(
        "gossamer vocab add https://example.org/terms.ttl --agent-contact you@example.org"
    )
)
@click.argument("url", metavar="URL")
@fetch_options
def add(url: str, data: DataFolder) -> None:
    """Have reports know a vocabulary: fetch it politely, once, and keep the names of its terms.

    Redirects are not followed. Add it again to have its terms as they are then.
    """
    from gossamer.cli.run_vocab_add import add_vocabulary

    add_vocabulary(data, url)


@vocab.command("list", epilog=example("gossamer vocab list"))
@data_option
def list_(data: DataFolder) -> None:
    """List the vocabularies that were added for reports: namespace, terms, address and day."""
    from gossamer.cli.run_vocab_add import told_vocabularies

    told = told_vocabularies(data)
    emit(told) if told else click.echo("No vocabulary was added.", err=True)


@vocab.command(epilog=example("gossamer vocab remove https://example.org/terms#"))
@click.argument("name", metavar="NAMESPACE|URL")
@data_option
def remove(name: str, data: DataFolder) -> None:
    """Have reports check the terms of a vocabulary no more."""
    from gossamer.cli.run_vocab_add import remove_vocabulary

    remove_vocabulary(data, name)


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
