"""`gossamer log`: what happened, on all nodes of the crawl."""

import click

from gossamer.cli.options import complete_host, shared_options
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder


@click.command(
    epilog=example(
        "gossamer log",
        "gossamer log --follow",
        "gossamer log --node 1a2b3c4d --level warning --since 1h",
        "gossamer log --host www.example.org --event requested --json",
    ),
)
@click.option("--node", metavar="NODE", help="Only of this node: its name, or how that begins.")
@click.option("--host", metavar="HOST", shell_complete=complete_host, help="Only about this host.")
@click.option(
    "--event",
    "events",
    metavar="EVENT",
    multiple=True,
    help="Only this kind of event; may be given more than once.",
)
@click.option(
    "--level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="Only this level and those above it.",
)
@click.option("--since", metavar="AGE", help="Only lines that are younger, such as 1h or 30min.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help="Print at most this many, the newest [default: 100; with --since: all].",
)
@click.option("-f", "--follow", is_flag=True, help="Then print what comes in, until Ctrl-C.")
@click.option("--here", is_flag=True, help="Only this folder's own log, from its files.")
@click.option("--json", "as_json", is_flag=True, help="Print each line as JSON.")
@shared_options
def log(
    node: str | None,
    host: str | None,
    events: tuple[str, ...],
    level: str | None,
    since: str | None,
    limit: int | None,
    follow: bool,
    here: bool,
    as_json: bool,
    data: DataFolder,
) -> None:
    """Print the log of the crawl, the newest lines last, while it runs or afterwards.

    Nodes that share a database send their logs there every few seconds, without the queries of URLs unless
    log.share_queries is set, and this prints those of all nodes in the order of the database's clock. A crawl of
    one node has its log in its folder. What each event means is on the events page.
    """
    from gossamer.cli.run_log import show_log

    show_log(
        data,
        node=node,
        host=host,
        events=events,
        level=level,
        since=since,
        limit=limit,
        follow=follow,
        here=here,
        as_json=as_json,
    )
