"""`gossamer demo`: a small web of our own on loopback. `cli.run_demo` shows, crawls and serves it."""

import click

from gossamer.cli.text import example
from gossamer.demo.world import MAX_HOSTS, MAX_PAGES, MAX_SEED, World


@click.command(
    epilog=example(
        "gossamer demo",
        "gossamer demo --once --json",
        "gossamer demo --no-crawl --pages 100000 --hosts 1000 --malice --port 8099",
    ),
)
@click.option("--once", is_flag=True, help="Stop after the crawl instead of serving.")
@click.option("--no-crawl", is_flag=True, help="Only serve the demo web, for others to crawl.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--pages",
    type=click.IntRange(10, MAX_PAGES),
    default=120,
    show_default=True,
    help="How many pages it has.",
)
@click.option(
    "--hosts",
    type=click.IntRange(1, MAX_HOSTS),
    default=12,
    show_default=True,
    help="On how many hosts.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    default=1,
    show_default=True,
    help="The seed of the demo web: the same seed gives the same bytes.",
)
@click.option("--malice", is_flag=True, help="Add hosts that misbehave: loops, traps, bombs…")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Serve the web on this port [default: any].",
)
def demo(
    once: bool,
    no_crawl: bool,
    as_json: bool,
    pages: int,
    hosts: int,
    seed: int,
    malice: bool,
    port: int,
) -> None:
    """Crawl a small demo web on loopback, and serve what was found.

    The web pages are available while the crawl runs. The contents of the demo web are known
    to the last quad, so any crawler can be tested on it. Hosts end in .test and are reached
    with --connect-to: no name is resolved, nothing leaves this machine.
    """
    if hosts > pages:
        raise click.UsageError(
            f"--hosts {hosts} is more than --pages {pages}: each host has a page."
        )
    world = World(seed=seed, pages=pages, hosts=hosts, malice=malice)
    from gossamer.cli.run_demo import run_demo

    run_demo(world, port, once=once, as_json=as_json, crawls=not no_crawl)
