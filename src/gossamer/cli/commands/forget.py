"""`gossamer forget`: remove hosts and pages from all that is kept. `cli.run_forget` does it."""

import click

from gossamer.cli.options import complete_host, data_options
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder


@click.command(
    epilog=example(
        "gossamer forget www.example.org",
        "gossamer forget https://example.org/people/7 --data my-crawl",
    ),
)
@click.argument(
    "targets", metavar="HOST|URL...", nargs=-1, required=True, shell_complete=complete_host
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_options
def forget(targets: tuple[str, ...], as_json: bool, data: DataFolder) -> None:
    """Remove hosts (www.example.org) or pages (with scheme or path) and everything stored about them.

    This covers frontier, graph, search index, archive, log and the cache of the proxy,
    which must not be running. Graphs that `gossamer rebuild` set aside are named, so that
    you can delete them.

    Links on other pages may lead a later crawl there again; `gossamer config set
    scope.exclude=…` prevents that. A host's pending pause is not forgotten.
    """
    from gossamer.cli.run_forget import run_forget

    run_forget(targets, data, as_json=as_json)
