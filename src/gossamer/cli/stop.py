"""`gossamer stop`: end the crawl that is running, in good order."""

import asyncio
from datetime import timedelta

import click

from gossamer.cli.options import data_option
from gossamer.cli.text import example
from gossamer.data import DataFolder
from gossamer.errors import DataFolderError
from gossamer.owner.client import NoOwnerError, Owner
from gossamer.owner.messages import Question, Record, record_of

PATIENCE = timedelta(minutes=1)


@click.command(
    short_help="End the crawl that is running, in good order.",
    epilog=example("gossamer stop", "gossamer stop --data my-crawl"),
)
@data_option
def stop(data: DataFolder) -> None:
    """End the crawl that is running in the data folder, as Ctrl-C does, and wait for its end.

    What is in flight is brought to an end and kept. `gossamer crawl` goes on from there.
    """
    try:
        owner = asyncio.run(_asked(data))
    except NoOwnerError:
        raise DataFolderError(f"No crawl is running in {data.path}.") from None
    with data.owned(PATIENCE):  # which is ours when it has ended
        click.echo(f"Process {owner['process']} has stopped.", err=True)


async def _asked(data: DataFolder) -> Record:
    return await record_of(Owner(data.socket_file).answer(Question(what="stop")))
