"""`gossamer stop`: end the crawl that is running, in good order."""

import asyncio
from datetime import timedelta

import click

from gossamer.cli.node_steering import all_nodes_option, refuse_frontier_alone, steer_all
from gossamer.cli.options import shared_options
from gossamer.cli.text import example
from gossamer.errors import DataFolderError
from gossamer.folder.data import DataFolder

PATIENCE = timedelta(minutes=1)


@click.command(
    epilog=example("gossamer stop", "gossamer stop --data my-crawl", "gossamer stop --all-nodes"),
)
@all_nodes_option
@shared_options
@click.pass_context
def stop(ctx: click.Context, *, all_nodes: bool, data: DataFolder) -> None:
    """Stop the crawl in the data folder, as Ctrl-C does, and wait for its end.

    Requests in flight are finished and kept. `gossamer crawl` resumes from there.
    """
    if all_nodes:
        ctx.exit(steer_all(data, "stop"))
    refuse_frontier_alone()
    from gossamer.owner.messages import ask
    from gossamer.owner.questions import StopOwner
    from gossamer.owner.unix_socket import NoOwnerError, Owner

    try:
        owner = asyncio.run(ask(Owner(data.socket_file), StopOwner()))
    except NoOwnerError:
        raise DataFolderError(f"No crawl is running in {data.path}.") from None
    with data.owned(PATIENCE):  # which is ours when it has ended
        click.echo(f"Process {owner['process']} has stopped.", err=True)
