"""`gossamer serve`: the folder over HTTP, whether it is being crawled or not."""

import asyncio
import signal
import socket
import sys

import click

from gossamer.cli.folder import cautions, in_force
from gossamer.cli.options import GIVEN, fetch_options, setting_option, settled
from gossamer.cli.owning import stewarding
from gossamer.cli.proxying import place_to_proxy, proxy_option, proxying
from gossamer.cli.serving import USUAL, place_to_serve, serving
from gossamer.cli.text import example
from gossamer.data import DataFolder
from gossamer.log import HumanLog
from gossamer.node import has_frontier
from gossamer.service.child_crawl import ChildCrawl


@click.command(
    short_help="Pages for a browser, REST and SPARQL, beside a crawl or without.",
    epilog=example(
        "gossamer serve",
        "gossamer serve 127.0.0.1:8080 --data my-crawl",
        "GOSSAMER_SERVICE_TOKEN=… gossamer serve 0.0.0.0:8717",
    ),
)
@click.argument("address", metavar="[ADDR:PORT]", required=False)
@proxy_option
@setting_option("service.token")
@fetch_options
def serve(address: str | None, proxy: str | None, data: DataFolder) -> None:
    """Serve a data folder over HTTP until Ctrl-C.

    While a crawl runs there, it is the one that answers; one that begins later takes over. Only
    this machine gets to it unless another address is named, which needs a token.
    """
    config = settled(data).config
    for each in cautions(data):
        _say(each)
    with (
        place_to_serve(address or USUAL, config.service) as ours,
        place_to_proxy(proxy, config.proxy) as through,
    ):
        assert ours is not None
        if not has_frontier(data):
            _say(
                f"{_emptiness(data)} Begin a crawl with `gossamer crawl example.org`, or choose another "
                "folder with --data."
            )
        asyncio.run(_run(data, ours, through))
        _say("Stopped.")


async def _run(data: DataFolder, ours: socket.socket, through: socket.socket | None) -> None:
    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    child = ChildCrawl(data, click.get_current_context().meta.get(GIVEN, {}))
    config, tell = in_force(data).config, HumanLog(sys.stderr)
    async with stewarding("serve", data, stopped, is_proxy=through is not None) as folder:
        try:
            async with (
                proxying(through, data, config, folder.permits, _say) as proxy,
                serving(ours, data, folder.steward, config.service, tell, _say, child, proxy),
            ):
                await folder.until(stopped)
        finally:
            if child.process is not None:
                _say(
                    f"The crawl that was begun here (process {child.process}) is brought to its end."
                )
            await child.close()


def _emptiness(data: DataFolder) -> str:
    if data.path.exists():
        return f"Nothing was crawled into {data.path} yet."
    return f"There is no data folder {data.path} yet: an empty one is made."


def _say(text: str) -> None:
    click.echo(text, err=True)
