"""What `gossamer log` prints: the newest lines of all nodes or of this one, and then what comes in."""

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

import click

from gossamer import values
from gossamer.cli.folder import require_crawl
from gossamer.cli.shared_crawl import crawl_store, find_node
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, plain
from gossamer.errors import ConfigError, GossamerError
from gossamer.events import EVENTS
from gossamer.folder.data import DataFolder
from gossamer.frontier.store import Store
from gossamer.moments import now_utc, to_microseconds
from gossamer.nodes.log_reading import (
    FolderLog,
    LogSource,
    SharedLog,
    by_database_clock,
    sentence_of,
)
from gossamer.nodes.log_store import LogFilter, NodeLogStore
from gossamer.nodes.store import NodeStore
from gossamer.settings.node import known_node
from gossamer.wording import quoted

USUAL: Final = 100  # lines, unless more are asked for
FOLLOW_SECONDS: Final = 1.0
AWAY_SECONDS: Final = 5.0


def show_log(
    data: DataFolder,
    *,
    node: str | None,
    host: str | None,
    events: Sequence[str],
    level: str | None,
    since: str | None,
    limit: int | None,
    follow: bool,
    here: bool,
    as_json: bool,
) -> None:
    """Print lines of the log, the oldest of them first."""
    _check_events(events)
    moment = None if since is None else to_microseconds(now_utc() - _age(since))
    with open_log(data, here=here) as (source, names):
        if node is not None:
            node = find_node(node, names)
        wanted = LogFilter(node=node, host=host, events=tuple(events), level=level, since=moment)
        more = source.follow(wanted) if follow else None
        most = limit or (USUAL if since is None else None)
        found = [*source.all(wanted)] if most is None else source.newest(wanted, most)
        for told in reversed(found):
            emit(_written(told, as_json=as_json))
        if more is not None:
            _follow(more, as_json=as_json)
        elif not found:
            click.echo("No line of the log is like that.", err=True)
        elif most is not None and len(found) == most and limit is None:
            click.echo(
                f"These are the last {counted(most, 'line')}; --limit N or --since 1h.", err=True
            )


@contextmanager
def open_log(data: DataFolder, *, here: bool = False) -> Iterator[tuple[LogSource, Sequence[str]]]:
    """The log of the crawl, and the names of its nodes."""
    node = known_node(data)
    own = FolderLog(data.log_folder, node.name or "this")
    if here or (node.address is None and data.path.exists()):
        if not data.log_folder.exists():
            require_crawl(data)
        yield own, [own.node]
        return
    with crawl_store(data) as store:
        yield SharedLog(NodeLogStore(store)), _names(store)


def _names(store: Store) -> Sequence[str]:
    return sorted({row.node for row in NodeStore(store).all()[1]} | {*NodeLogStore(store).span()})


def _follow(more: Any, *, as_json: bool) -> None:  # noqa: ANN401 (a closure of the source)
    """Print what comes in until Ctrl-C; while the database is away, say so once and go on."""
    is_away = False
    while True:
        try:
            lines = more()
        except GossamerError as error:
            if not is_away:
                click.echo(str(error), err=True)
            is_away = True
            time.sleep(AWAY_SECONDS)
            continue
        is_away = False
        for told in lines:
            emit(_written(told, as_json=as_json))
        sys.stdout.flush()
        time.sleep(FOLLOW_SECONDS)


def _written(told: Mapping[str, Any], *, as_json: bool) -> str:
    if as_json:
        return json.dumps({name: value for name, value in told.items() if name != "id"})
    at = datetime.fromisoformat(str(by_database_clock(told)["at"]))
    level = {"warning": "warning: ", "error": "error: "}.get(str(told.get("level")), "")
    node = plain(str(told["node"]))
    return f"{at:%m-%d %H:%M:%S}  {node:<12}  {level}{plain(sentence_of(told))}"


def _age(text: str) -> timedelta:
    try:
        age = values.read(timedelta, text, at_least=0)
    except ValueError as error:
        raise ConfigError(f"--since: {error}.") from None
    assert isinstance(age, timedelta)
    return age


def _check_events(events: Sequence[str]) -> None:
    from gossamer.cli.shared_crawl import nearest

    for each in events:
        if each not in EVENTS:
            raise click.UsageError(f"There is no event {quoted(each)}.{nearest(each, [*EVENTS])}")
