"""`gossamer nodes`: the machines that crawl together."""

import click

from gossamer.cli.errors import Commands
from gossamer.cli.node_commands import invite
from gossamer.cli.node_removal import remove
from gossamer.cli.node_steering import drain
from gossamer.cli.options import shared_options
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog=example(
        "gossamer nodes",
        "gossamer nodes --data node --json",
        "gossamer nodes invite --address db.example > invitation.txt",
    ),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@shared_options
@click.pass_context
def nodes(context: click.Context, as_json: bool, data: DataFolder) -> None:
    """Show the nodes of a crawl, or manage them with a command below.

    Each node tells the crawl's database every few seconds how its machine, its processes and its crawl are. One
    that is not heard of for 30 seconds is silent. The last lines say which node is in trouble, since when, and
    which hosts it holds. This works in the folder of any node, during the crawl and afterwards.
    """
    if context.invoked_subcommand is None:
        from gossamer.cli.run_nodes import show_nodes

        show_nodes(data, as_json=as_json)


nodes.add_command(invite)
nodes.add_command(drain)
nodes.add_command(remove)
