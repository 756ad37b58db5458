"""`gossamer config`: the configuration in force, and changes to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import click

from gossamer import values
from gossamer.cli.errors import Commands
from gossamer.cli.options import (
    GIVEN,
    assignments,
    complete_key,
    data_option,
    data_options,
    effective_settings,
)
from gossamer.cli.terminal import emit
from gossamer.cli.text import example, table, who
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.settings import sources as settings

if TYPE_CHECKING:
    from gossamer.config import Config
    from gossamer.owner.messages import Answering, Record
    from gossamer.owner.questions import ExpressionKind, RecordQuestion
    from gossamer.settings.runtime import Changes

Told = TypeVar("Told")

KINDS: Final[Mapping[str, ExpressionKind]] = {
    "scope.include": "include",
    "scope.exclude": "exclude",
}


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog=example(
        "gossamer config",
        "gossamer config --json",
        "gossamer config set politeness.delay=2 scope.kind=site",
        "gossamer config unset politeness.delay",
        "gossamer config add scope.exclude=/calendar/",
        "gossamer config reload",
    ),
)
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def config(ctx: click.Context, data: DataFolder, as_json: bool) -> None:
    """Show every setting in force and where its value comes from.

    Strongest first: runtime changes (`config set`), the command line, GOSSAMER_*
    environment variables, gossamer.toml in the data folder, defaults. While a crawl, a
    service or a proxy runs in the folder, its values are shown, and beside them those that
    wait: edits of gossamer.toml until `config reload`, others until it starts again.
    """
    if ctx.invoked_subcommand is None:
        told = None if GIVEN in ctx.meta else _of_owner(data)
        if told is None:
            from gossamer.cli.folder import shared_in_force

            record = shared_in_force(data).record()
        else:
            record = told["settings"]
            click.echo(f"In force in {who(told)}.", err=True)
            if told["refused"]:
                click.echo(told["refused"], err=True)
        emit(json.dumps(record, indent=2) if as_json else _as_table(record))


@config.command(epilog=example("gossamer config reload", "gossamer config reload --data my-crawl"))
@data_option
def reload(data: DataFolder) -> None:
    """Take up edits of gossamer.toml now; so does SIGHUP.

    A file that is wrong changes nothing. What can only be taken up by a new start is named.
    """
    from gossamer.cli.reloading import ask_owner_to_reload, what_was_reloaded

    emit(what_was_reloaded(asyncio.run(ask_owner_to_reload(data))))


@config.command(
    "set",
    epilog=example(
        "gossamer config set politeness.delay=2",
        "gossamer config set scope.kind=site crawl.max_pages=5000 --data my-crawl",
    ),
)
@click.argument(
    "assigned", metavar="KEY=VALUE...", nargs=-1, required=True, shell_complete=complete_key
)
@data_option
def set_values(data: DataFolder, assigned: tuple[str, ...]) -> None:
    """Change values of this data folder, for the run in progress and those to come."""
    _change(data, assignments(assigned, "config set"))


@config.command("unset", epilog=example("gossamer config unset politeness.delay"))
@click.argument("names", metavar="KEY...", nargs=-1, required=True, shell_complete=complete_key)
@data_option
def unset_values(data: DataFolder, names: tuple[str, ...]) -> None:
    """Revert such changes."""
    kept = settings.read_runtime(data.runtime_file)
    for name in names:
        if name not in kept:  # a change that means nothing any more can still be taken back
            settings.key_named(name, "config unset")
    _change(data, dict.fromkeys(names))


@config.command(epilog=example("gossamer config add scope.exclude=/calendar/"))
@click.argument("assigned", metavar="KEY=EXPRESSION...", nargs=-1, required=True)
@data_option
def add(data: DataFolder, assigned: tuple[str, ...]) -> None:
    """Add expressions to scope.include or scope.exclude, beside those that are there.

    The crawl that is running takes them up, and so does every node that shares its frontier.
    """
    _change_expressions(data, "add", assigned)


@config.command(epilog=example("gossamer config remove scope.exclude=/calendar/"))
@click.argument("assigned", metavar="KEY=EXPRESSION...", nargs=-1, required=True)
@data_option
def remove(data: DataFolder, assigned: tuple[str, ...]) -> None:
    """Remove expressions that were added; what they kept out is taken up again."""
    _change_expressions(data, "remove", assigned)


@config.command(epilog=example("gossamer config added", "gossamer config added --json"))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@data_option
def added(data: DataFolder, as_json: bool) -> None:
    """List the expressions that were added."""
    from gossamer.owner.questions import Expressions

    found = _ask(data, Expressions())["expressions"]
    if as_json:
        emit(json.dumps(found, indent=2))
    else:
        for each in found:
            emit(f"scope.{each['kind']}  {each['expression']}")


def _change(data: DataFolder, changes: Changes) -> None:
    from gossamer.cli.folder import in_force
    from gossamer.settings.runtime import change

    changed = change(data, changes, lambda runtime: in_force(data, runtime))
    crawl = taken_up(data, list(changes))
    # Whoever runs goes by its own command line, and by the file as it was read last.
    in_force_there = {} if crawl is None else crawl.get("values", {})
    shown = {}
    for name in changes:
        if told := in_force_there.get(name) or changed.shown(name):
            shown[name], source = told
            emit(f"{name} = {shown[name]}  ({source})")
    tell(data, changed.settings.config, shown, crawl)


def _of_owner(data: DataFolder) -> Record | None:
    """What the folder's owner goes by; None where there is none, or one that ends by itself."""
    from gossamer.owner.messages import AnswerError, ask
    from gossamer.owner.questions import SettingsInForce
    from gossamer.owner.unix_socket import NoOwnerError, Owner

    try:
        return asyncio.run(ask(Owner(data.socket_file), SettingsInForce()))
    except (NoOwnerError, AnswerError):
        return None


def _as_table(record: Mapping[str, Mapping[str, Any]]) -> str:
    waits = any(each.get("waiting") for each in record.values())
    rows = [("KEY", "VALUE", "SOURCE", *(("WAITING",) if waits else ()))]
    for name, each in record.items():
        row = (name, _shown(name, each["value"]), each["source"])
        rows.append((*row, _waiting(name, each["waiting"])) if waits else row)
    return table(rows)


def _shown(name: str, value: object) -> str:
    """A value that JSON has, for people; secrets are masked already."""
    if value in (None, settings.MASK):
        return values.written(value)
    key = settings.keys()[name]
    return values.written(value) if key.holds_keys else key.shown(key.read(value))


def _waiting(name: str, waiting: Mapping[str, Any] | None) -> str:
    if waiting is None:
        return ""
    return f"{_shown(name, waiting['value'])} ({waiting['source']}), until {waiting['until']}"


def _change_expressions(
    data: DataFolder, change: Literal["add", "remove"], assigned: Sequence[str]
) -> None:
    from gossamer.owner.questions import ChangeExpression

    pairs = [_expression(text, f"config {change}") for text in assigned]
    word = "added" if change == "add" else "removed"
    for kind, text in pairs:
        name = f"scope.{kind}"
        record = _ask(data, ChangeExpression(change, kind, text))
        emit(f"{name}: {text} is {word}")
        tell(data, effective_settings(data).config, {name: f"{text} {word}"}, record["crawl"])


def _expression(assigned: str, where: str) -> tuple[ExpressionKind, str]:
    """The kind of an expression, and the expression, checked."""
    name, equals, text = assigned.partition("=")
    if name not in KINDS:
        raise ConfigError(
            f"{where}: {name} is no list of expressions; scope.include and scope.exclude are. "
            "`gossamer config set` changes other keys."
        )
    if not equals:
        raise ConfigError(f"{where}: {assigned!r} has no expression; write KEY=EXPRESSION.")
    settings.read_value(name, [text], where)
    return KINDS[name], text


def _ask(data: DataFolder, question: RecordQuestion[Told]) -> Told:
    from gossamer.cli.folder import ask_folder, require_crawl
    from gossamer.owner.messages import ask

    async def asking(owner: Answering) -> Told:
        return await ask(owner, question)

    require_crawl(data)
    return ask_folder("config", data, asking)


def taken_up(data: DataFolder, names: Sequence[str]) -> Record | None:
    """What a crawl makes of changes of these keys; None where none is running."""
    from gossamer.owner.messages import AnswerError, ask
    from gossamer.owner.questions import Configure
    from gossamer.owner.unix_socket import NoOwnerError, Owner

    try:
        return asyncio.run(ask(Owner(data.socket_file), Configure(tuple(names))))
    except (NoOwnerError, AnswerError):
        return None  # it is there for whoever comes next


def tell(
    data: DataFolder, config: Config, changes: Mapping[str, str], crawl: Record | None
) -> None:
    """Tell people, and where no crawl does so, the log."""
    if crawl is None:
        from gossamer.events import ConfigChanged
        from gossamer.log import JsonLog

        with closing(JsonLog(data.log_folder, config.log)) as log:
            for name, value in changes.items():
                log(ConfigChanged(key=name, value=value))
    else:
        click.echo(sentence(crawl), err=True)


def sentence(crawl: Record) -> str:
    """What a crawl made of it, for people."""
    told = who(crawl)
    told = told[0].upper() + told[1:]
    if crawl["refused"]:
        return f"{told} refuses it: {crawl['refused']}"
    if crawl["waits"]:
        return f"{told} takes this up with its next run: {', '.join(crawl['waits'])}."
    return f"{told} has taken it up."
