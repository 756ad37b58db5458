"""`gossamer proxy`: manners for programs that have none, over HTTP."""

import asyncio
import signal
import socket
import sys
from collections.abc import Mapping
from datetime import timedelta

import click

from gossamer import settings
from gossamer.cli.folder import cautions
from gossamer.cli.options import GIVEN, fetch_options, setting_option, settled
from gossamer.cli.owning import stewarding
from gossamer.cli.proxying import place_to_proxy, proxying
from gossamer.cli.serving import USUAL
from gossamer.cli.text import emit, example
from gossamer.data import DataFolder
from gossamer.errors import FolderInUseError
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
        emit(str(User.new(hashed, _password())))
        return
    with place_to_proxy(address or USUAL, settled(data).config.proxy) as ours:
        assert ours is not None
        given = click.get_current_context().meta.get(GIVEN, {})
        if (told := told_of_owner(data, given)) is not None:
            _say(told)
        for each in cautions(data):
            _say(each)
        asyncio.run(_run(data, ours))
    _say("Stopped.")


def told_of_owner(data: DataFolder, given: Mapping[str, object]) -> str | None:
    """What is to be said where options do not reach whoever keeps the clocks; None where they do."""
    theirs = {name: raw for name, raw in given.items() if not name.startswith("proxy.")}
    if not theirs:
        return None
    try:
        with data.owned(timedelta(0)):
            return None
    except FolderInUseError:
        flags = [settings.keys()[name].flag or name for name in theirs]
        name, raw = next(iter(theirs.items()))
        value = raw if isinstance(raw, str) else "VALUE"
        return (
            f"Another process owns {data.path}, keeps its clocks and asks for robots.txt: "
            f"{' and '.join(flags)} will count there only while this proxy owns the folder. "
            f"`gossamer config set {name}={value}` changes it for all."
        )


def _password() -> str:
    """From a person, who does not see it, or from a pipe."""
    if sys.stdin.isatty():
        asked = click.prompt("Password", "", hide_input=True, show_default=False, err=True)
        password = str(asked)
    else:
        password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        raise click.UsageError("A password is wanted; an empty one is none.")
    return password


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
