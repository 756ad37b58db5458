"""`gossamer resume`: have a crawl that was paused go on."""

import click

from gossamer.cli.commands.pause import steer_crawl
from gossamer.cli.node_steering import all_nodes_option, refuse_frontier_alone, steer_all
from gossamer.cli.options import shared_options
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder


@click.command(
    epilog=example(
        "gossamer resume", "gossamer resume --data my-crawl", "gossamer resume --all-nodes"
    ),
)
@all_nodes_option
@shared_options
@click.pass_context
def resume(ctx: click.Context, *, all_nodes: bool, data: DataFolder) -> None:
    """Resume the crawl in the data folder after `gossamer pause`.

    To resume a crawl that has ended or was stopped, use `gossamer crawl`.
    """
    if all_nodes:
        ctx.exit(steer_all(data, "resume"))
    refuse_frontier_alone()
    told = steer_crawl(data, "resume")
    click.echo(f"Process {told['process']} goes on.", err=True)
