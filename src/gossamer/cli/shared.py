"""A crawl whose frontier is in a database: opened, joined, and spoken about when it is away."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

import click

from gossamer.cli.options import GIVEN, KEPT, settled
from gossamer.config import Config
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.options import CrawlOrder, is_shared, stored_order
from gossamer.data import DataFolder
from gossamer.errors import StorageAwayError
from gossamer.events import FrontierAway
from gossamer.log import Sink
from gossamer.node import Place, opened


@dataclass(slots=True)
class Notices:
    """Passes on that the frontier's server is away, from whatever thread finds out."""

    pass_on: Callable[[str], object]

    def __call__(self, text: str) -> None:
        """Pass a sentence on."""
        self.pass_on(text)

    def as_events(self, tell: Sink) -> None:
        """From now on these are events, told in the thread of the event loop."""
        loop = asyncio.get_running_loop()
        self.pass_on = lambda text: loop.call_soon_threadsafe(tell, FrontierAway(message=text))


def joined(data: DataFolder, notices: Notices) -> AbstractContextManager[Place]:
    """The place of a crawl that begins or goes on here."""
    given = settled(data).config.frontier
    return opened(data, given, joining=True, patience=given.patience, tell=notices)


def ordered(place: Place) -> tuple[CrawlOrder, Config]:
    """What the crawl is asked to do, with what this command line adds, and its configuration."""
    meta = click.get_current_context().meta
    order = stored_order(place).with_options(meta.get(GIVEN, {}))
    meta[KEPT] = order.options
    config = settled(place.data).config
    if place.is_shared and not config.frontier.local_graph and config.index.url is None:
        raise click.UsageError(
            "With --frontier, many nodes find quads: name the server that has them all with "
            "--index, or say --local-graph to keep them in each node's own graph."
        )
    if config.frontier.local_graph and config.index.url is not None:
        raise click.UsageError(
            "Quads go to one place: --index is a server's, --local-graph this folder's. "
            "Take one of them back with --index none or --config frontier.local_graph=false."
        )
    return order, config


async def order_of_all(place: Place, clerk: Clerk) -> object:
    """What all nodes are asked to do by now; the configuration is read by it from now on.

    What is said to one node that starts, all hear.
    """
    if not place.is_shared:
        return None
    order = await clerk.do(stored_order, place)
    meta = click.get_current_context().meta
    meta[KEPT] = order.options
    given = meta.get(GIVEN, {}).items()
    meta[GIVEN] = {name: raw for name, raw in given if not is_shared(name)}
    return order


def is_away(error: BaseException) -> bool:
    """Whether nothing else went wrong than that a server is away."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_away, error.exceptions))
    return isinstance(error, StorageAwayError)
