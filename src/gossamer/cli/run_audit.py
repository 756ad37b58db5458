"""Which requests `gossamer audit` looks at: those of all nodes, or of this folder's own log."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

import click

from gossamer.cli.shared_crawl import shared_store
from gossamer.errors import StorageAwayError
from gossamer.folder.data import DataFolder
from gossamer.frontier.store import Store
from gossamer.log import read_events
from gossamer.moments import from_microseconds, told_moment
from gossamer.nodes.log_reading import SharedLog, by_database_clock
from gossamer.nodes.log_store import LogFilter, NodeLogStore
from gossamer.politeness.audit import REQUESTS
from gossamer.settings.node import known_node

Events = Iterable[Mapping[str, object]]


@contextmanager
def logged_requests(data: DataFolder, *, here: bool) -> Iterator[Events]:
    """The requests in the log; where the database of all nodes is away, those of this one."""
    if here or known_node(data).address is None:
        yield read_events(data.log_folder)
        return
    with ExitStack() as life:
        try:
            found = _of_all_nodes(life.enter_context(shared_store(data)))
        except StorageAwayError as error:
            click.echo(f"{error} This is by the log of this node alone (--here).", err=True)
            found = read_events(data.log_folder)
        yield found


def _of_all_nodes(store: Store) -> Events:
    log = NodeLogStore(store)
    if span := log.span():
        since = told_moment(from_microseconds(min(first for first, _ in span.values())))
        names = ", ".join(span)
        click.echo(f"By the log of {names} in the database, which begins at {since}.", err=True)
    return map(by_database_clock, SharedLog(log).all(LogFilter(events=sorted(REQUESTS))))
