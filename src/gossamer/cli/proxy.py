"""`gossamer proxy`: manners for programs that have none, over HTTP."""

import asyncio
import signal
import socket

import click

from gossamer.cli.options import fetch_options, setting_option, settled
from gossamer.cli.owning import stewarding
from gossamer.cli.proxying import place_to_proxy, proxying
from gossamer.cli.serving import USUAL
from gossamer.cli.text import emit, example
from gossamer.data import DataFolder
from gossamer.proxy.passwords import User


@click.command(
    short_help="A polite forward proxy for other programs.",
    epilog=example(
        "gossamer proxy",
        "gossamer proxy 127.0.0.1:3128 --data my-crawl",
        "http_proxy=http://127.0.0.1:8718 curl http://example.org/",
    ),
)
@click.argument("address", metavar="[ADDR:PORT]", required=False)
@click.option("--hash", "hashed", metavar="NAME", help="Print a line for proxy.users and end.")
@setting_option("proxy.intercept")
@setting_option("politeness.delay")
@fetch_options
def proxy(address: str | None, hashed: str | None, data: DataFolder) -> None:
    """Be a polite forward proxy until Ctrl-C.

    Programs that use it share one clock a host, one robots.txt and one cache, with each other and with
    a crawl of the same data folder. Only this machine gets to it unless another address is named,
    which needs users or networks.
    """
    if hashed is not None:
        password = click.prompt("Password", hide_input=True, err=True)
        emit(str(User.new(hashed, password)))
        return
    with place_to_proxy(address or USUAL, settled(data).config.proxy) as ours:
        assert ours is not None
        asyncio.run(_run(data, ours))


async def _run(data: DataFolder, ours: socket.socket) -> None:
    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    async with (
        stewarding("proxy", data, stopped, is_proxy=True) as folder,
        proxying(ours, data, settled(data).config, folder.permits, _say),
    ):
        await folder.until(stopped)


def _say(text: str) -> None:
    click.echo(text, err=True)
