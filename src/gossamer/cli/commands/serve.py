"""`gossamer serve`: the folder over HTTP, whether it is being crawled or not."""

import asyncio
import signal
import socket
import sys

import click

from gossamer.cli.options import (
    GIVEN,
    USUAL,
    effective_settings,
    fetch_options,
    proxy_option,
    setting_option,
)
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder


@click.command(
    epilog=example(
        "gossamer serve",
        "gossamer serve 127.0.0.1:8080 --data my-crawl",
        "GOSSAMER_SERVICE_TOKEN=… gossamer serve 0.0.0.0:8717",
        "gossamer serve --data replica --frontier postgresql://me@db.example/crawl",
    ),
)
@click.argument("address", metavar="[ADDR:PORT]", required=False)
@proxy_option
@setting_option("service.token")
@setting_option("frontier.address")
@fetch_options
def serve(address: str | None, proxy: str | None, data: DataFolder) -> None:
    """Serve a data folder over HTTP until Ctrl-C.

    If a crawl owns the folder, it answers; a crawl that starts later takes over. The
    service listens on loopback unless you name another address, which needs a token.

    With --frontier, an empty folder serves the crawl that many nodes share in a database. If their graph
    is on a SPARQL server (--index), its search index follows the pages of all nodes.
    """
    from gossamer.cli.folder import startup_warnings
    from gossamer.cli.listeners import bind_proxy, bind_service
    from gossamer.cli.shared_crawl import attach
    from gossamer.settings.node import has_frontier

    config = effective_settings(data).config
    for each in startup_warnings(data):
        _say(each)
    with (
        bind_service(address or USUAL, config.service) as ours,
        bind_proxy(proxy, config.proxy) as through,
    ):
        assert ours is not None
        attach(data)
        if not has_frontier(data):
            _say(
                f"{_emptiness(data)} Begin a crawl with `gossamer crawl example.org`, or choose another "
                "folder with --data."
            )
        asyncio.run(_run(data, ours, through))
        _say("Stopped.")


async def _run(data: DataFolder, ours: socket.socket, through: socket.socket | None) -> None:
    from gossamer.cli.folder import in_force
    from gossamer.cli.listeners import serve_http, serve_proxy
    from gossamer.cli.node_errands import service_errands
    from gossamer.cli.own_folder import keep_folder
    from gossamer.cli.reloading import heed_hangups
    from gossamer.log import HumanLog
    from gossamer.service.child_crawl import ChildCrawl

    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    child = ChildCrawl(data, click.get_current_context().meta.get(GIVEN, {}))
    config, tell = in_force(data).config, HumanLog(sys.stderr)
    async with keep_folder("serve", data, stopped, is_proxy=through is not None) as folder:
        try:
            async with (
                serve_proxy(through, data, config, folder.permits, _say) as proxy,
                serve_http(
                    *(ours, data, folder.keeper, config.service, tell, _say, child, proxy),
                    caches=folder.permits.caches,
                ),
                service_errands(data, config, tell),
            ):
                heed_hangups(data, folder.keeper, stopped.set, _say)
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
