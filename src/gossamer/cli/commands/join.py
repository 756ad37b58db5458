"""`gossamer join`: one more machine for the crawl in a database. `cli.run_join` does it."""

import signal
from typing import Final

import click

from gossamer.cli.commands.crawl import index_option
from gossamer.cli.errors import SERVICE
from gossamer.cli.options import USUAL, fetch_options, proxy_option, setting_option
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder

OPTIONS: Final = (
    "crawl.concurrency",
    "crawl.workers",
    "archive.keep",
    "frontier.local_graph",
    "service.token",
)


@click.command(
    epilog=example(
        "gossamer join @invitation.txt --data node",
        "GOSSAMER_FRONTIER_ADDRESS=postgresql://me@db.example/crawl gossamer join",
        "ssh db.example gossamer nodes invite --address db.example | gossamer join -",
        "gossamer join --data node                          # go on where it stopped",
    ),
)
@click.argument("address", metavar="[ADDRESS]", required=False)
@click.option(
    "--serve",
    metavar="[ADDR:PORT]",
    is_flag=False,
    flag_value=USUAL,
    help="Also serve the folder over HTTP, like `gossamer serve`.",
)
@proxy_option
@click.option(
    SERVICE,
    "as_service",
    is_flag=True,
    help="Run under a service manager: exit status 0 after TERM or `gossamer stop`.",
)
@click.option("--json", "as_json", is_flag=True, help="End with one line of JSON.")
@index_option
@fetch_options
def join(
    address: str | None,
    serve: str | None,
    proxy: str | None,
    as_service: bool,
    as_json: bool,
    data: DataFolder,
) -> int:
    """Join the crawl in a PostgreSQL database as one more node, with a data folder of its own.

    ADDRESS is that of the database or an invitation (`gossamer nodes invite`): @FILE reads it from a
    file, - from standard input. Without it, GOSSAMER_FRONTIER_ADDRESS counts, or the address that the
    folder remembers. Seeds, options and the place of the graph come from the database.
    """
    if as_service:  # while the crawl is loaded and opened; then it listens itself
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    from gossamer.cli.run_join import run_join

    return run_join(
        address, serve=serve, proxy=proxy, as_service=as_service, as_json=as_json, data=data
    )


for name in reversed(OPTIONS):
    join = setting_option(name)(join)
