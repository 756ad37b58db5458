"""`gossamer nodes`: the machines that crawl together."""

import click

from gossamer.cli.errors import Commands
from gossamer.cli.node_commands import invite
from gossamer.cli.node_steering import drain
from gossamer.cli.text import example


@click.group(
    cls=Commands,
    epilog=example("gossamer nodes invite --address db.example > invitation.txt"),
)
def nodes() -> None:
    """Manage the nodes of a crawl that share a database."""


nodes.add_command(invite)
nodes.add_command(drain)
