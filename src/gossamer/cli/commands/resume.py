"""`gossamer resume`: have a crawl that was paused go on."""

import click

from gossamer.cli.commands.pause import steer_crawl
from gossamer.cli.options import data_option
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder


@click.command(
    epilog=example("gossamer resume", "gossamer resume --data my-crawl"),
)
@data_option
def resume(data: DataFolder) -> None:
    """Resume the crawl in the data folder after `gossamer pause`.

    To resume a crawl that has ended or was stopped, use `gossamer crawl`.
    """
    told = steer_crawl(data, "resume")
    click.echo(f"Process {told['process']} goes on.", err=True)
