"""A command in its data folder: who answers its questions, which settings count there, what to warn of.

The folder's owner answers; where there is none, the command becomes the owner and answers itself.
"""

import asyncio
import os
import re
import shlex
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Final, TypeVar
from urllib.parse import parse_qs, urlsplit

import click

from gossamer.cli.options import GIVEN, KEPT, SHARED, UNTYPED, effective_settings
from gossamer.cli.text import cut, plain
from gossamer.config import Config
from gossamer.crawl.reconfigure import unlike
from gossamer.errors import DataFolderError, FolderInUseError, GossamerError
from gossamer.folder.data import DataFolder
from gossamer.owner.messages import AnswerError, Answering, UnableError, ask
from gossamer.owner.opening import answer_folder
from gossamer.owner.questions import MakeWay, Who
from gossamer.owner.unix_socket import NoOwnerError, Owner
from gossamer.settings import sources as settings
from gossamer.settings import tokens
from gossamer.settings.crawl_options import (
    CrawlOptions,
    stored_options,
    told_apart,
    without_run_limits,
)
from gossamer.settings.node import OpenFolder, has_frontier, known_node, open_folder
from gossamer.settings.sources import Key, Settings

FRONTIER = "frontier.address"
_ONLY_WITH_PASSWORD = (FRONTIER, "fetch.upstream_proxy")
_HASHED = ("proxy.users",)  # of which a line proves nothing to whoever reads it
Result = TypeVar("Result")
Asking = Callable[[Answering], Awaitable[Result]]
PATIENCE_FOR_FOLDER: Final = timedelta(seconds=10)
MAKING_WAY: Final = timedelta(seconds=30)  # more than it takes to close a graph
PATIENCE: Final = 10.0  # seconds for an owner that does not answer questions to be done
POLL: Final = 0.1
GRACE: Final = 2.0  # seconds that a command which is done waits for others whom it answers
OPTION_WIDTH: Final = 60  # columns of an option that is named: a query may be long


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
            return asyncio.run(_ask(data, asking))
        except NoOwnerError:
            pass
        except UnableError:
            if own is not None:  # a notebook that only reads makes way
                ask_to_make_way(data)
        try:
            with data.owned(timedelta(0)):
                return own() if own else asyncio.run(_answer(command, data, asking))
        except FolderInUseError:
            if time.monotonic() >= deadline:
                raise
        time.sleep(POLL)


async def _ask(data: DataFolder, asking: Asking[Result]) -> Result:
    return await asking(Owner(data.socket_file))


async def _answer(command: str, data: DataFolder, asking: Asking[Result]) -> Result:
    async with answer_folder(command, data, crawl_config(data), grace=GRACE) as answers:
        return await asking(answers)


def require_crawl(data: DataFolder) -> None:
    """Raise unless there is a crawl in the folder: a question must not make an empty one."""
    if not has_frontier(data):
        raise DataFolderError(
            f"There is no crawl in {data.path}. Begin one with `gossamer crawl example.org`, "
            "or choose another folder with --data."
        )


@contextmanager
def own_without_crawl(data: DataFolder) -> Iterator[None]:
    """Own the folder; a crawl that is running there is not waited for, but named at once."""
    try:
        who = asyncio.run(ask(Owner(data.socket_file), Who()))
    except (NoOwnerError, AnswerError):
        who = None
    if who is not None and who["command"] == "crawl":
        raise FolderInUseError(
            f"A crawl is running in {data.path} (process {who['process']}), and this changes what "
            "it works with. `gossamer stop` it first; `gossamer crawl` goes on afterwards."
        )
    with data.owned(ask_to_make_way(data)):
        yield


def ask_to_make_way(data: DataFolder, usual: timedelta = PATIENCE_FOR_FOLDER) -> timedelta:
    """Ask a service that owns the folder to make way; how long to wait for the folder."""
    try:
        asyncio.run(ask(Owner(data.socket_file), MakeWay()))
    except (NoOwnerError, AnswerError):
        return usual
    return MAKING_WAY


def crawl_config(data: DataFolder) -> Config:
    """The configuration in force, with the options that the folder's crawl was given."""
    return crawl_settings(data).config


def crawl_settings(data: DataFolder) -> Settings:
    """The settings in force, with the options that the folder's crawl was given."""
    if has_frontier(data):
        take_up_kept(data)
    return effective_settings(data)


def in_force(data: DataFolder, runtime: Mapping[str, object] | None = None) -> Settings:
    """The configuration in force, for those who only want to know it: no server is asked.

    What all nodes of a crawl share is in it where this command has asked for that before. `runtime`
    is that of `effective_settings`.
    """
    node = known_node(data)
    if node.address is not None:
        meta = click.get_current_context().meta
        meta[KEPT] = {**meta.get(KEPT, {}), **without_run_limits(node.options)}
    elif data.frontier_file.exists():
        take_up_kept(data)
    return effective_settings(data, runtime)


def shared_in_force(data: DataFolder) -> Settings:
    """The settings in force with what all nodes share; where their database is away, people are told."""
    if known_node(data).address is not None:
        try:
            take_up_kept(data)
        except GossamerError as error:
            click.echo(f"{error} What all nodes share is left out here.", err=True)
    return in_force(data)


def take_up_kept(data: DataFolder) -> None:
    """Read the options that the folder's crawl was given, so that they count for this command."""
    with open_folder(data, effective_settings(data).config.frontier) as place:
        count_options(place, stored_options(place))


def count_options(place: OpenFolder, order: CrawlOptions) -> None:
    """Have the options of a crawl count for this command; those that all nodes share are told apart."""
    meta = click.get_current_context().meta
    meta[SHARED], meta[KEPT] = told_apart(place, order)


def startup_warnings(data: DataFolder) -> Iterator[str]:
    """Warnings of a long-running command before it starts, a sentence each."""
    if data.others_can_read():
        yield (
            f"warning: Other users of this machine can read {data.path}: logs, pages and keys. "
            f"`chmod 700 {shlex.quote(str(data.path))}` keeps it yours alone, as folders that are "
            "made now are."
        )
    if tokens.is_short(effective_settings(data).config.service.token):
        yield (
            f"warning: {tokens.KEY} has fewer than {tokens.LEAST_CHARACTERS} characters and can be "
            "guessed; the next release refuses such tokens. "
            f"`gossamer config set {tokens.KEY}={tokens.NEW}` makes another."
        )
    yield from overruled(data)
    meta = click.get_current_context().meta
    typed = meta.get(GIVEN, {}).items()
    yield from exposed_secrets(
        {name: raw for name, raw in typed if name not in meta.get(UNTYPED, ())}
    )


def remembered_options(data: DataFolder) -> str | None:
    """One line with the options that count for this run because the folder remembers them, if any do."""
    given = click.get_current_context().meta.get(GIVEN, {})
    with_memory = effective_settings(data).each
    without = settings.settle(
        command_line=given, environment=os.environ, file=settings.read_file(data.settings_file)
    ).each
    kept: list[str] = []
    changed: list[str] = []
    shared: list[str] = []
    lists = {settings.RUNTIME: changed, settings.ALL_NODES: shared}
    for name, setting in with_memory.items():
        if name in given or setting.value == without[name].value:
            continue
        lists.get(setting.source, kept).append(
            cut(plain(_as_option(settings.keys()[name], setting.value)), OPTION_WIDTH)
        )
    sources = {
        "from earlier command lines": kept,
        "from all nodes of the crawl": shared,
        "from `gossamer config set`": changed,
    }
    parts = [f"{source}: {', '.join(told)}" for source, told in sources.items() if told]
    return f"This folder remembers, {'; '.join(parts)}." if parts else None


def _as_option(key: Key, value: object) -> str:
    """A value as one would type it: with its flag, where it has one that takes a value."""
    if key.flag is None or key.is_switch:
        return f"{key.name}={key.shown(value)}"
    if isinstance(value, tuple) and value and not key.secret:
        return " ".join(f"{key.flag} {shlex.quote(str(each))}" for each in value)
    return f"{key.flag} {key.shown(value)}"


def overruled(data: DataFolder) -> Iterator[str]:
    """A sentence for each option of this command line for which a stronger change counts.

    Secrets of the environment are told of as well: whoever set one of them, and sends it, is not
    let in.
    """
    given = click.get_current_context().meta.get(GIVEN, {})
    config, keys = effective_settings(data).config, settings.keys()
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


def exposed_secrets(given: Mapping[str, object]) -> Iterator[str]:
    """A sentence for each secret among the options of a command line, with a safer way."""
    for name, raw in given.items():
        key = settings.keys()[name]
        if not key.secret or name in _HASHED:
            continue
        if name in _ONLY_WITH_PASSWORD and not has_password(str(raw)):
            continue
        what = f"{key.flag} holds a password" if name == FRONTIER else f"{key.name} is a secret"
        yield (
            f"warning: {what}, which every user of this machine can read while this runs (`ps`). "
            f"{_safer(name, key.variable)}"
        )


def _safer(name: str, variable: str) -> str:
    if name == FRONTIER:
        return (
            "Leave it out of the address and put it into ~/.pgpass (PGPASSFILE) or a service file, or "
            f"give the whole address as {variable} in the environment."
        )
    return f"Give it as {variable} in the environment, or in gossamer.toml."


def has_password(address: str) -> bool:
    """Whether an address, or a DSN of PostgreSQL's, has a password in it."""
    if "://" not in address:
        return re.search(r"(?:^|\s)password\s*=\s*\S", address) is not None
    rest = address.partition("://")[2]
    if re.match(r"[^/?#]*:[^/?#@]+@", rest):  # of several hosts no other parser makes sense
        return True
    try:
        return bool(parse_qs(urlsplit(address).query).get("password"))
    except ValueError:
        return "password=" in address
