"""Questions to a data folder: its owner answers them, and where there is none, we become it."""

import asyncio
import os
import shlex
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import timedelta
from typing import Final, TypeVar

import click

from gossamer import settings, tokens
from gossamer.cli.exposed_secrets import exposed_secrets
from gossamer.cli.options import GIVEN, KEPT, settled
from gossamer.config import Config
from gossamer.crawling.changes import unlike
from gossamer.crawling.options import stored_order
from gossamer.data import DataFolder
from gossamer.errors import DataFolderError, FolderInUseError, GossamerError
from gossamer.node import has_frontier, known_node, opened
from gossamer.owner.client import NoOwnerError, Owner
from gossamer.owner.messages import Answering, UnableError
from gossamer.owner.opening import answering
from gossamer.settings import Key, Settings

Result = TypeVar("Result")
Asking = Callable[[Answering], Awaitable[Result]]

PATIENCE: Final = 10.0  # seconds for an owner that does not answer questions to be done
POLL: Final = 0.1


def ask_folder(
    command: str,
    data: DataFolder,
    asking: Asking[Result],
    own: Callable[[], Result] | None = None,
) -> Result:
    """Ask the folder's owner; where there is none, own the folder and answer ourselves.

    `own` is what to do as the owner, where that is more than to read what is there.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return asyncio.run(_asked(data, asking))
        except (NoOwnerError, UnableError):
            pass
        try:
            with data.owned(timedelta(0)):
                return own() if own else asyncio.run(_answered(command, data, asking))
        except FolderInUseError:
            if time.monotonic() >= deadline:
                raise
        time.sleep(POLL)


def there_is_a_crawl(data: DataFolder) -> None:
    """Raise a sentence unless there is one; what asks only must not make an empty folder."""
    if not has_frontier(data):
        raise DataFolderError(
            f"There is no crawl in {data.path}. Begin one with `gossamer crawl example.org`, "
            "or choose another folder with --data."
        )


def crawl_config(data: DataFolder) -> Config:
    """The configuration in force, with the options that the folder's crawl was given."""
    if has_frontier(data):
        take_up_kept(data)
    return settled(data).config


def in_force(data: DataFolder, runtime: Mapping[str, object] | None = None) -> Settings:
    """The configuration in force, for those who only want to know it: no server is asked.

    What all nodes of a crawl share is in it where this command has asked for that before. `runtime`
    is that of `settled`.
    """
    node = known_node(data)
    if node.address is not None:
        meta = click.get_current_context().meta
        meta[KEPT] = {**meta.get(KEPT, {}), **node.options}
    elif data.frontier_file.exists():
        take_up_kept(data)
    return settled(data, runtime)


def shared_in_force(data: DataFolder) -> Settings:
    """The same with what all nodes share; where their database is away, people are told."""
    if known_node(data).address is not None:
        try:
            take_up_kept(data)
        except GossamerError as error:
            click.echo(f"{error} What all nodes share is left out here.", err=True)
    return in_force(data)


def take_up_kept(data: DataFolder) -> None:
    """Have the options that the folder's crawl was given count, as they are by now."""
    with opened(data, settled(data).config.frontier) as place:
        click.get_current_context().meta[KEPT] = stored_order(place).options


def cautions(data: DataFolder) -> Iterator[str]:
    """What a command that stays has to say before it begins, a sentence each."""
    if data.others_can_read():
        yield (
            f"warning: Other users of this machine can read {data.path}: logs, pages and keys. "
            f"`chmod 700 {shlex.quote(str(data.path))}` keeps it yours alone, as folders that are "
            "made now are."
        )
    if tokens.is_short(settled(data).config.service.token):
        yield (
            f"warning: {tokens.KEY} has fewer than {tokens.LEAST_CHARACTERS} characters and can be "
            "guessed; the next release refuses such tokens. "
            f"`gossamer config set {tokens.KEY}={tokens.NEW}` makes another."
        )
    yield from overruled(data)
    yield from exposed_secrets(click.get_current_context().meta.get(GIVEN, {}))


def overruled(data: DataFolder) -> Iterator[str]:
    """A sentence for each option of this command line for which a stronger change counts.

    Secrets of the environment are told of as well: whoever set one of them, and sends it, is not
    let in.
    """
    given = click.get_current_context().meta.get(GIVEN, {})
    config, keys = settled(data).config, settings.keys()
    for name, value in unlike(config, given).items():
        yield _overruled(keys[name], keys[name].flag or name, value)
    secrets = (key for key in keys.values() if key.secret and key.name not in given)
    set_there = {key.name: text for key in secrets if (text := os.environ.get(key.variable))}
    for name, value in unlike(config, set_there).items():
        yield _overruled(keys[name], keys[name].variable, value)


def _overruled(key: Key, where: str, value: str) -> str:
    by = f"{key.name} is {value} by `gossamer config set`"
    if key.secret:
        by = f"another {key.name} was set with `gossamer config set` or over HTTP"
    return f"{where} does not count: {by}. Take that back with `gossamer config unset {key.name}`."


async def _asked(data: DataFolder, asking: Asking[Result]) -> Result:
    return await asking(Owner(data.socket_file))


async def _answered(command: str, data: DataFolder, asking: Asking[Result]) -> Result:
    async with answering(command, data, crawl_config(data)) as answers:
        await answers.clerk.do(answers.take_over)
        return await asking(answers)
