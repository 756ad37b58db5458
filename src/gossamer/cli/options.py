"""Options that many commands share, made from the fields of the configuration.

A flag such as `--delay` is declared where its key is (`config.py`); here it becomes
an option whose value is read, and refused, in the same words as in `gossamer.toml`.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_origin

import click

from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.model import Syntax
from gossamer.settings import sources as settings
from gossamer.settings.sources import Key, Settings

if TYPE_CHECKING:
    from gossamer.settings.in_force import SettingsFile

Command = TypeVar("Command", bound=Callable[..., Any])
GIVEN = "gossamer.given"  # where the command line's own values wait in the click context
KEPT = "gossamer.kept"  # and those of earlier command lines, which a folder has kept
SHARED = "gossamer.shared"  # and those that all nodes of its crawl go by
FILE = "gossamer.file"  # and `gossamer.toml`, as this command goes by it
FOLDER = "gossamer.folder"
DEFAULT_FOLDER = "gossamer-data"
USUAL = ""  # of an address to listen at: the one that the configuration names
METAVARS = {"--agent": "NAME", "--agent-contact": "WHO", "--ca": "FILE", "--allow-net": "CIDR"}
METAVARS |= {"--connect-to": "PATTERN=ADDR:PORT", "--frontier": "DSN", "--token": "TOKEN"}
FETCHING = (
    "politeness.agent",
    "politeness.contact",
    "fetch.connect_to",
    "fetch.allow_net",
    "fetch.ca",
)


class _Value(click.ParamType[str]):
    """A value of one key: checked here, so that a refusal names the flag; kept as text."""

    name = "value"

    def __init__(self, key: Key) -> None:
        self.key = key

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        # One item of a list at a time: a comma may be part of an expression.
        raw = [value] if get_origin(self.key.kind) is tuple else value
        try:
            settings.read_value(self.key.name, raw, self.key.flag or self.key.name)
        except ConfigError as error:
            raise click.UsageError(str(error), ctx) from None
        return _with_token(self.key.name, value, ctx)


def _with_token(name: str, given: str, ctx: click.Context | None) -> str:
    """The value of a key; where that is a token and a new one is wanted, it is made and told."""
    from gossamer.settings import tokens

    if name != tokens.KEY:
        return given
    if given == tokens.NEW:
        made = tokens.make_token()
        click.echo(f"The token, which is not shown again: {made}", err=True)
        return made
    try:
        tokens.check_new(tokens.KEY, given, "--token")
    except ConfigError as error:
        raise click.UsageError(str(error), ctx) from None
    return given


def _remember(ctx: click.Context, name: str, raw: object) -> None:
    ctx.meta.setdefault(GIVEN, {})[name] = raw


def setting_option(name: str) -> Callable[[Command], Command]:
    """The flag of one key, as an option."""
    key = settings.keys()[name]
    flag = key.flag or f"--{name}"

    def remember(ctx: click.Context, _: click.Parameter, value: object) -> None:
        if value not in (None, ()):
            _remember(ctx, name, value)

    if key.is_switch:  # what `--no-…` names is on unless this is said
        return click.option(
            flag,
            flag_value="false" if flag.startswith("--no-") else "true",
            default=None,
            expose_value=False,
            callback=remember,
            help=key.doc,
        )
    return click.option(
        flag,
        type=_Value(key),
        metavar=METAVARS.get(flag),
        multiple=get_origin(key.kind) is tuple,
        expose_value=False,
        callback=remember,
        help=key.doc,
    )


def assignments(given: Iterable[str], where: str) -> dict[str, str]:
    """`KEY=VALUE` texts as a table, each checked."""
    pairs = {}
    for text in given:
        name, equals, raw = text.partition("=")
        if not equals:
            raise ConfigError(f"{where}: {text!r} has no value; write KEY=VALUE.")
        settings.read_value(name, raw, where)
        pairs[name] = _with_token(name, raw, None)
    return pairs


def _remember_assigned(ctx: click.Context, _: click.Parameter, given: tuple[str, ...]) -> None:
    for name, raw in assignments(given, "--config").items():
        _remember(ctx, name, raw)


def read_option(
    flag: str, metavar: str, doc: str, read: Callable[[str], Mapping[str, object]]
) -> Callable[[Command], Command]:
    """An option whose word is read into values of keys; a wrong one is refused at once."""

    def remember(ctx: click.Context, _: click.Parameter, word: str | None) -> None:
        if word is None:
            return
        try:
            given = read(word)
        except ConfigError as error:
            raise click.UsageError(str(error), ctx) from None
        for name, raw in given.items():
            _remember(ctx, name, raw)

    return click.option(flag, metavar=metavar, expose_value=False, callback=remember, help=doc)


def _syntaxes(word: str) -> Mapping[str, object]:
    names = [name.strip() for name in word.split(",")]
    settings.read_value("transform.only", names, "--only")
    return {"transform.only": names}


only_option = read_option(
    "--only",
    "SYNTAXES",  # several in one word, as people write them
    "Only these syntaxes: " + ", ".join(Syntax) + "; `none` for links alone.",
    _syntaxes,
)


strict_option = setting_option("transform.strict")


proxy_option = click.option(
    "--proxy",
    metavar="[ADDR:PORT]",
    is_flag=False,
    flag_value=USUAL,
    help="Also run a polite proxy, like `gossamer proxy`.",
)


def data_option(command: Command) -> Command:
    """`--data DIR`; a subcommand that is not given one uses its parent's."""
    return click.option(
        "--data",
        metavar="DIR",
        callback=_data_folder,
        help=f"The data folder [default: $GOSSAMER_DATA or {DEFAULT_FOLDER}].",
    )(command)


def _data_folder(ctx: click.Context, _: click.Parameter, value: str | None) -> DataFolder:
    if value is None and ctx.parent and FOLDER in ctx.parent.meta:
        folder: DataFolder = ctx.parent.meta[FOLDER]
        return folder
    data = usual_folder() if value is None else DataFolder(Path(value))
    ctx.meta[FOLDER] = data
    return data


def usual_folder() -> DataFolder:
    """The data folder of whoever names none."""
    return DataFolder(Path(os.environ.get("GOSSAMER_DATA") or DEFAULT_FOLDER))


def data_options(command: Command) -> Command:
    """`--data DIR` and `--config KEY=VALUE`: on every command that has a data folder."""
    command = click.option(
        "--config",
        metavar="KEY=VALUE",
        multiple=True,
        expose_value=False,
        callback=_remember_assigned,
        help="Set any key for this run; `gossamer config` lists them.",
    )(command)
    return data_option(command)


def fetch_options(command: Command) -> Command:
    """What every command that may fetch takes."""
    for name in reversed(FETCHING):
        command = setting_option(name)(command)
    return data_options(command)


def effective_settings(data: DataFolder, runtime: Mapping[str, object] | None = None) -> Settings:
    """The configuration in force for this command, from all its sources.

    `runtime` stands in for the changes in the data folder, to see what they would come to.
    """
    file = _file_in_force(data)
    file.look(partial(_settle, data, runtime))
    return _settle(data, runtime, file.values)


def written_settings(data: DataFolder) -> Settings:
    """The configuration that all sources make as they are now; edits of the file may wait."""
    return _settle(data, None, settings.read_file(data.settings_file))


def _settle(
    data: DataFolder, runtime: Mapping[str, object] | None, file: Mapping[str, object]
) -> Settings:
    meta = click.get_current_context().meta
    return settings.settle(
        runtime=settings.read_runtime(data.runtime_file) if runtime is None else runtime,
        command_line=meta.get(GIVEN, {}),
        shared=meta.get(SHARED, {}),
        kept=meta.get(KEPT, {}),
        environment=os.environ,
        file=file,
    )


def _file_in_force(data: DataFolder) -> "SettingsFile":
    """The file of this folder as the command has read it; it is read once, and when that is asked for."""
    from gossamer.settings.in_force import SettingsFile

    files: dict[DataFolder, SettingsFile] = click.get_current_context().meta.setdefault(FILE, {})
    if data not in files:
        files[data] = SettingsFile(data)
    return files[data]
