"""Commands that tell nodes through the database what to do: `nodes drain`, and `pause`, `resume`, `stop --all-nodes`."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import click

from gossamer.cli.errors import DONE, FAILED
from gossamer.cli.options import GIVEN, shared_options
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, duration, example
from gossamer.errors import DataFolderError
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gossamer.frontier.store import Store
    from gossamer.nodes.steering import NodeStanding
    from gossamer.owner.questions import Steering

LOOK_SECONDS: Final = 0.5  # between two looks at how far nodes are
HEARD_BY: Final = timedelta(seconds=20)  # nodes that are well have heard it by then
STOPPED_BY: Final = timedelta(minutes=1)
_REACHED: Final = {"pause": "Paused", "resume": "Going on", "stop": "Stopped"}

all_nodes_option = click.option(
    "--all-nodes", is_flag=True, help="All nodes of the crawl that share its database."
)


@click.command(
    epilog=example(
        "gossamer nodes drain 1a2b3c4d-db7",
        "gossamer nodes drain 1a2b --wait    # until it has left; the beginning of a name will do",
    ),
)
@click.argument("name", metavar="NAME")
@click.option("--wait", is_flag=True, help="Wait until it has left, and say how far it is.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: how the node stands.")
@shared_options
@click.pass_context
def drain(ctx: click.Context, name: str, *, wait: bool, as_json: bool, data: DataFolder) -> None:
    """Take a node out of the crawl in good order.

    It takes no more hosts, keeps what it has asked for, gives its hosts back to the other nodes and ends with
    exit status 0. Started again, it takes part again. Draining a node twice changes nothing.
    """
    from gossamer.cli.shared_crawl import find_node, shared_store
    from gossamer.nodes.steering import standings, tell_nodes
    from gossamer.nodes.store import NodeWish

    with shared_store(data) as store:
        node = find_node(name, [each.node for each in standings(store)])
        tell_nodes(store, NodeWish.DRAIN, [node])
        now = _standing(store, node)
        click.echo(
            _told(now) + ("" if wait or now.is_gone else " `--wait` waits for it."), err=True
        )
        if wait:
            now = _wait_for(store, now)
    if as_json:
        emit(json.dumps(now.record()))
    ctx.exit(DONE)


def refuse_frontier_alone() -> None:
    """Refuse `--frontier` where one crawl is meant, which `--data` names."""
    from gossamer.cli.folder import FRONTIER

    meta = click.get_current_context().meta
    if FRONTIER in meta.get(GIVEN, {}):
        raise click.UsageError(
            "--frontier is for all nodes: add --all-nodes, or name one with --data."
        )


def steer_all(data: DataFolder, how: Steering) -> int:
    """Tell all nodes to pause, to go on or to stop, and wait until they do; the exit status."""
    from gossamer.cli.shared_crawl import shared_store
    from gossamer.nodes.steering import names_of, standings, tell_nodes
    from gossamer.nodes.store import NodeWish

    wish = {"pause": NodeWish.PAUSE, "resume": NodeWish.RUN, "stop": NodeWish.STOP}[how]
    with shared_store(data) as store:
        told = tell_nodes(store, wish)
        if not told:
            raise DataFolderError("No node of this crawl is running.")
        patience = STOPPED_BY if how == "stop" else HEARD_BY

        def late() -> list[NodeStanding]:
            return [
                each for each in standings(store) if each.node in told and not each.follows(wish)
            ]

        left = _until_none(late, patience)
    done = [node for node in told if node not in {each.node for each in left}]
    if done:
        click.echo(f"{_REACHED[how]}: {', '.join(done)}.", err=True)
    silent = [each for each in left if each.silent_for is not None]
    if silent:
        click.echo(f"Silent, and told when they are heard of again: {names_of(silent)}.", err=True)
    if behind := [each for each in left if each.silent_for is None]:
        click.echo(
            f"Told, but not there yet after {duration(patience)}: {names_of(behind)}.", err=True
        )
    return FAILED if behind else DONE


def _until_none(
    late: Callable[[], Sequence[NodeStanding]], patience: timedelta
) -> Sequence[NodeStanding]:
    """Wait for nodes, but not for silent ones; those who are late at the end."""
    until = time.monotonic() + patience.total_seconds()
    left = late()
    while any(each.silent_for is None for each in left) and time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
        left = late()
    return left


def _standing(store: Store, node: str) -> NodeStanding:
    from gossamer.nodes.steering import standings

    for each in standings(store):
        if each.node == node:
            return each
    raise DataFolderError(f"The node {node} is not listed any more.")


def _wait_for(store: Store, now: NodeStanding) -> NodeStanding:
    said = _told(now)
    while not now.is_gone:
        time.sleep(LOOK_SECONDS)
        now = _standing(store, now.node)
        if (words := _told(now)) != said:
            said = words
            click.echo(said, err=True)
    return now


def _told(now: NodeStanding) -> str:
    """How far a node is that was told to drain."""
    if now.has_left:
        return f"{now.node} has left."
    if now.silent_for is not None:
        lease = now.leases_end_in
        others = "Other nodes may have its hosts now." if lease is None else _lapsing(now, lease)
        return (
            f"{now.node} was last heard of {duration(now.silent_for)} ago; it is told when it is heard of "
            f"again. {others}"
        )
    work = (
        f"{counted(now.hosts_held, 'host')} held, {counted(now.in_flight, 'request')} under way, "
        f"{counted(now.waiting, 'page')} to keep"
    )
    if now.state == "draining":
        return f"{now.node} drains: {work}."
    return f"{now.node} is told to drain within a few seconds: {work}."


def _lapsing(now: NodeStanding, lease: timedelta) -> str:
    minutes, seconds = divmod(
        round(lease.total_seconds() / 10) * 10, 60
    )  # few lines while it is waited for
    return f"Others get its {counted(now.hosts_held, 'host')} in about {minutes}:{seconds:02}."
