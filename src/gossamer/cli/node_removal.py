"""`gossamer nodes remove`: a node whose machine is gone is listed no more, and its alarms end."""

from __future__ import annotations

import click

from gossamer.cli.options import shared_options
from gossamer.cli.text import duration, example
from gossamer.folder.data import DataFolder


@click.command(epilog=example("gossamer nodes remove 1a2b3c4d-db7"))
@click.argument("name", metavar="NAME")
@shared_options
def remove(name: str, data: DataFolder) -> None:
    """Note that a silent node is gone for good: its alarms end, and it is no longer in trouble.

    Other nodes take its hosts when its leases end, whether it is removed or not. A node that is heard of again
    is a node again. To take one out that is at work, use `gossamer nodes drain`.
    """
    from gossamer.cli.shared_crawl import crawl_store, find_node
    from gossamer.nodes.rules import is_silent, silent_for
    from gossamer.nodes.store import NodeStore

    with crawl_store(data) as store:
        nodes = NodeStore(store)
        now, rows = nodes.all()
        name = find_node(name, [row.node for row in rows])
        (row,) = (row for row in rows if row.node == name)
        if row.has_left:
            click.echo(f"{name} has left already.", err=True)
            return
        if not is_silent(row, now):
            raise click.UsageError(
                f"{name} was heard of {duration(silent_for(row, now))} ago, so it is not gone. "
                f"`gossamer nodes drain {name}` takes it out in good order."
            )
        nodes.leave(name)
    click.echo(f"{name} is removed. If it is heard of again, it is a node again.", err=True)
