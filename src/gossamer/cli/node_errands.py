"""Errands that a crawl and a service run at the crawl's database: alarms, whom to tell of them, and the shared log."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from gossamer.config import Config
from gossamer.fetch.webhook import Webhook
from gossamer.folder.data import DataFolder
from gossamer.frontier.store import Store
from gossamer.log import Sink
from gossamer.nodes.alarm_posts import AlarmPosts
from gossamer.nodes.errands import (
    ALONE_SECONDS,
    SHARED_SECONDS,
    AlarmWatch,
    DatabaseErrand,
    DatabaseOutage,
    Errands,
    running_errands,
)
from gossamer.nodes.log_sharing import LogSharing
from gossamer.nodes.log_tail import LogTail
from gossamer.settings.node import OpenFolder, has_frontier, known_node, open_store

LAST_POST_SECONDS = 2.0  # for a post that is under way when we end


@dataclass(frozen=True, slots=True)
class NodeErrands:
    """The errands that are running."""

    sharing: LogSharing | None = None

    def log_dropped(self) -> int:
        """How many lines of the log the database does not have."""
        return 0 if self.sharing is None else self.sharing.dropped


@asynccontextmanager
async def crawl_errands(
    place: OpenFolder, config: Config, tell: Sink
) -> AsyncIterator[NodeErrands]:
    """Run the errands of a node that crawls."""

    def connect() -> Store:
        return _connect(place.data, place.address)

    sharing = None
    if place.is_shared and config.log.share:
        sharing = LogSharing(place.node.name, LogTail(place.data.log_folder), config.log)
    async with AsyncExitStack() as life:
        errands = Errands(
            open=connect,
            errands=[AlarmWatch(), *([] if sharing is None else [sharing])],
            outage=DatabaseOutage(place.node.name),
            tell=tell,
            every=SHARED_SECONDS if place.is_shared else ALONE_SECONDS,
        )
        await _run(life, errands, place.node.name, config)
        yield NodeErrands(sharing)


@asynccontextmanager
async def service_errands(data: DataFolder, config: Config, tell: Sink) -> AsyncIterator[None]:
    """Run the errands of a service, which watches the nodes also while no crawl runs here."""

    def connect() -> Store | None:
        if not has_frontier(data):
            return None
        known = known_node(data)
        address = known.address_for(config.frontier.address) or known.address
        return _connect(data, address if known.address else None)

    name = known_node(data).name or "service"
    async with AsyncExitStack() as life:
        is_shared = known_node(data).address is not None
        errands = Errands(
            open=connect,
            errands=[AlarmWatch()],
            outage=DatabaseOutage(name),
            tell=tell,
            every=SHARED_SECONDS if is_shared else ALONE_SECONDS,
            keeps_open=is_shared,
        )
        await _run(life, errands, name, config)
        yield


async def _run(life: AsyncExitStack, errands: Errands, name: str, config: Config) -> None:
    alerts = config.alerts
    if (webhook := Webhook.of(alerts.webhook, alerts.secret, config.fetch)) is not None:
        posts = AlarmPosts(f"{name} {os.getpid()}", webhook)
        life.callback(posts.wait, LAST_POST_SECONDS)
        life.callback(posts.close)
        posting: DatabaseErrand = posts
        errands.errands = [*errands.errands, posting]
        errands.heard.append(posts.hear)
    await life.enter_async_context(running_errands(errands))


def _connect(data: DataFolder, address: str | None) -> Store:
    """The database, on a connection that waits for nothing: an errand that fails is left out."""
    store, _ = open_store(data.frontier_file, address, patience=timedelta(0))
    return store
