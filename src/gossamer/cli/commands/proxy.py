"""`gossamer proxy`: manners for programs that have none, over HTTP."""

import asyncio
import signal
import socket
import sys
from collections.abc import Mapping
from datetime import timedelta

import click

from gossamer.cli.options import GIVEN, USUAL, effective_settings, fetch_options, setting_option
from gossamer.cli.terminal import emit
from gossamer.cli.text import example
from gossamer.errors import FolderInUseError
from gossamer.folder.data import DataFolder
from gossamer.settings import sources as settings


@click.command(
    epilog=example(
        "gossamer proxy",
        "gossamer proxy 127.0.0.1:3128 --data my-crawl",
        "http_proxy=http://127.0.0.1:8718 curl http://example.org/",
    ),
)
@click.argument("address", metavar="[ADDR:PORT]", required=False)
@click.option("--hash", "hashed", metavar="NAME", help="Print a line for proxy.users and exit.")
@setting_option("proxy.intercept")
@setting_option("politeness.delay")
@fetch_options
def proxy(address: str | None, hashed: str | None, data: DataFolder) -> None:
    """Run a polite forward proxy until Ctrl-C.

    Programs that use it share one rate limit per host, one robots.txt and one cache, with
    each other and with a crawl in the same data folder. The proxy listens on loopback
    unless you name another address, which needs users or networks.
    """
    from gossamer.cli.folder import startup_warnings
    from gossamer.cli.listeners import bind_proxy

    if hashed is not None:
        from gossamer.proxy.access import User

        emit(str(User.new(hashed, _password())))
        return
    with bind_proxy(address or USUAL, effective_settings(data).config.proxy) as ours:
        assert ours is not None
        given = click.get_current_context().meta.get(GIVEN, {})
        if (told := told_of_owner(data, given)) is not None:
            _say(told)
        for each in startup_warnings(data):
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
    from gossamer.cli.listeners import serve_proxy
    from gossamer.cli.own_folder import keep_folder
    from gossamer.cli.reloading import heed_hangups

    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    async with (
        keep_folder("proxy", data, stopped, is_proxy=True) as folder,
        serve_proxy(ours, data, effective_settings(data).config, folder.permits, _say),
    ):
        heed_hangups(data, folder.keeper, stopped.set, _say)
        await folder.until(stopped)


def _say(text: str) -> None:
    click.echo(text, err=True)
