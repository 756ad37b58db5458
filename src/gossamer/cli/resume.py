"""`gossamer resume`: have a crawl that was paused go on."""

import click

from gossamer.cli.options import data_option
from gossamer.cli.pause import steered
from gossamer.cli.text import example
from gossamer.data import DataFolder


@click.command(
    short_help="Have a crawl that was paused go on.",
    epilog=example("gossamer resume", "gossamer resume --data my-crawl"),
)
@data_option
def resume(data: DataFolder) -> None:
    """Have the crawl in the data folder go on after `gossamer pause`.

    A crawl that has ended, or was stopped, goes on with `gossamer crawl`.
    """
    told = steered(data, "resume")
    click.echo(f"Process {told['process']} goes on.", err=True)
