"""`gossamer pause`: have the crawl that is running ask for nothing until it is resumed."""

import asyncio

import click

from gossamer.cli.options import data_option
from gossamer.cli.text import example
from gossamer.data import DataFolder
from gossamer.errors import DataFolderError
from gossamer.owner.client import NoOwnerError, Owner
from gossamer.owner.messages import Question, Record, Steer, UnableError, record_of


@click.command(
    short_help="Have the crawl that is running ask for nothing for now.",
    epilog=example("gossamer pause", "gossamer pause --data my-crawl"),
)
@data_option
def pause(data: DataFolder) -> None:
    """Have the crawl in the data folder ask for nothing until `gossamer resume`.

    What is in flight is brought to an end and kept, and hosts are given back. The process stays.
    """
    told = steered(data, "pause")
    click.echo(f"Process {told['process']} has paused; `gossamer resume` goes on.", err=True)


def steered(data: DataFolder, how: Steer) -> Record:
    """What a crawl that is running says to being told something."""
    question = Question(what="steer", steer=how)
    try:
        return asyncio.run(record_of(Owner(data.socket_file).answer(question)))
    except (NoOwnerError, UnableError):
        raise DataFolderError(f"No crawl is running in {data.path}.") from None
