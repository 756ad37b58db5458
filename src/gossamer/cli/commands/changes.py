"""`gossamer changes`: what pages say otherwise than before, by entity."""

import click

from gossamer.cli.options import complete_host, complete_type, data_options
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder

FORMATS = ("table", "jsonl", "csv")


@click.command(
    epilog=example(
        "gossamer changes",
        "gossamer changes --since 7d --type Product --property price",
        "gossamer changes --since 2026-11-01 --host shop.example.org --to csv > changes.csv",
        "gossamer changes --kind new --type JobPosting --to jsonl",
    ),
)
@click.option("--since", metavar="AGE", help="Only changes since then: an age (7d, 12h) or a date.")
@click.option("--until", metavar="AGE", help="Only changes before then: an age or a date.")
@click.option(
    "--host",
    "hosts",
    metavar="HOST",
    multiple=True,
    shell_complete=complete_host,
    help="Only pages of this host. May be repeated.",
)
@click.option(
    "--type",
    "types",
    metavar="TYPE",
    multiple=True,
    shell_complete=complete_type,
    help="Only entities of this type and its subclasses: Product, schema:Product, or an IRI. May be repeated.",
)
@click.option(
    "--property",
    "properties",
    metavar="NAME",
    multiple=True,
    help="Only statements with this property: price, offers.price, or an IRI. May be repeated.",
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(("new", "changed", "gone")),
    multiple=True,
    help="Only this kind; may be given more than once.",
)
@click.option("--page", metavar="URL", help="Only changes of this page.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help="At most this many changes, the latest ones [default: 50 in a table on a terminal, else all].",
)
@click.option(
    "--to", type=click.Choice(FORMATS), default="table", show_default=True, help="The format."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@data_options
def changes(
    since: str | None,
    until: str | None,
    hosts: tuple[str, ...],
    types: tuple[str, ...],
    properties: tuple[str, ...],
    kinds: tuple[str, ...],
    page: str | None,
    limit: int | None,
    to: str,
    as_json: bool,
    data: DataFolder,
) -> None:
    """Show what pages say otherwise than before, by entity, the latest first.

    An entity is new on a page, changed, or gone from it, with the statements that came and
    went. What a host's first crawl found is no change. See docs/changes.md.
    """
    from gossamer.cli.run_changes import run_changes
    from gossamer.history.asking import ChangeFilter

    if as_json and to != "table":
        raise click.UsageError("--json is a format of its own; leave out --to.")
    asked = ChangeFilter(
        since=since,
        until=until,
        hosts=hosts,
        types=types,
        properties=properties,
        kinds=kinds,
        page=page,
    )
    run_changes(asked, limit, "json" if as_json else to, data)
