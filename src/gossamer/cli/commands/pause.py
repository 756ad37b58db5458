"""`gossamer pause`: have the crawl that is running ask for nothing until it is resumed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from gossamer.cli.node_steering import all_nodes_option, refuse_frontier_alone, steer_all
from gossamer.cli.options import shared_options
from gossamer.cli.text import example
from gossamer.errors import DataFolderError
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.owner.messages import Record
    from gossamer.owner.questions import Steering


@click.command(
    epilog=example(
        "gossamer pause", "gossamer pause --data my-crawl", "gossamer pause --all-nodes"
    ),
)
@all_nodes_option
@shared_options
@click.pass_context
def pause(ctx: click.Context, *, all_nodes: bool, data: DataFolder) -> None:
    """Pause the crawl in the data folder until `gossamer resume`.

    Requests in flight are finished and kept. The process keeps running.
    """
    if all_nodes:
        ctx.exit(steer_all(data, "pause"))
    refuse_frontier_alone()
    told = steer_crawl(data, "pause")
    click.echo(f"Process {told['process']} has paused; `gossamer resume` goes on.", err=True)


def steer_crawl(data: DataFolder, how: Steering) -> Record:
    """Tell a crawl that is running to pause or to go on; its answer."""
    from gossamer.owner.messages import UnableError, ask
    from gossamer.owner.questions import SteerCrawl
    from gossamer.owner.unix_socket import NoOwnerError, Owner

    try:
        return asyncio.run(ask(Owner(data.socket_file), SteerCrawl(how)))
    except (NoOwnerError, UnableError):
        raise DataFolderError(f"No crawl is running in {data.path}.") from None
