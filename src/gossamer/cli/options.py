"""Options that many commands share, made from the fields of the configuration.

A flag such as `--delay` is declared where its key is (`config.py`); here it becomes
an option whose value is read, and refused, in the same words as in `gossamer.toml`.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin

import click
from click.shell_completion import CompletionItem

from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.model import Syntax
from gossamer.settings import sources as settings
from gossamer.settings.sources import Key, Settings
from gossamer.values import PerDay

if TYPE_CHECKING:
    from gossamer.settings.in_force import SettingsFile

Completing = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
FOLDER = "gossamer.folder"
Command = TypeVar("Command", bound=Callable[..., Any])
GIVEN = "gossamer.given"  # where the command line's own values wait in the click context
UNTYPED = "gossamer.untyped"  # and which of them came from a file instead, that nobody sees
KEPT = "gossamer.kept"  # and those of earlier command lines, which a folder has kept
SHARED = "gossamer.shared"  # and those that all nodes of its crawl go by
FILE = "gossamer.file"  # and `gossamer.toml`, as this command goes by it
DEFAULT_FOLDER = "gossamer-data"
USUAL = ""  # of an address to listen at: the one that the configuration names
METAVARS = {"--agent": "NAME", "--agent-contact": "WHO", "--ca": "FILE", "--allow-net": "CIDR"}
METAVARS |= {"--connect-to": "PATTERN=ADDR:PORT", "--frontier": "DSN", "--token": "TOKEN"}
METAVARS |= {"--include": "EXPRESSION", "--exclude": "EXPRESSION"}
KINDS = {timedelta: "TIME", int: "N", float: "N", PerDay: "N/day"}
SWITCHES = {"--no-archive": "Keep no archive of requests and responses (archive.keep=none)."}
FILES = ("fetch.ca",)
FETCHING = (
    "politeness.agent",
    "politeness.contact",
    "fetch.connect_to",
    "fetch.allow_net",
    "fetch.ca",
)


def _completing(name: str) -> Completing:
    """A function of `cli.completing`, which is loaded when somebody completes."""

    def offered(
        ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from gossamer.cli import completing

        found: list[CompletionItem] = getattr(completing, name)(ctx, param, incomplete)
        return found

    return offered


complete_file = _completing("files")
complete_folder = _completing("folders")
complete_host = _completing("hosts")
complete_key = _completing("keys")
complete_type = _completing("types")


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

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The choices of the key; files where it names one."""
        if self.key.name in FILES:
            return complete_file(ctx, param, incomplete)
        named = [each for each in choices(self.key) if each.startswith(incomplete)]
        return [CompletionItem(each) for each in named]


def choices(key: Key) -> list[str]:
    """The words of which a value of this key is one; none where it is something else."""
    kinds = [key.kind, *get_args(key.kind)]
    return [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]


def _metavar(key: Key, flag: str) -> str:
    """What stands for the value in `--help`."""
    if flag in METAVARS:
        return METAVARS[flag]
    if words := choices(key):
        return f"[{'|'.join(words)}]"
    kinds = [key.kind, *get_args(key.kind)]
    return next((KINDS[kind] for kind in kinds if kind in KINDS), "VALUE")


def _with_default(key: Key) -> str:
    """What a key does, with the value that it has of itself."""
    if key.default in (None, (), True, False) or "default:" in key.doc:
        return key.doc
    return f"{key.doc.removesuffix('.')} [default: {key.shown(key.default)}]."


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
            help=SWITCHES.get(flag, key.doc),
        )
    return click.option(
        flag,
        type=_Value(key),
        metavar=_metavar(key, flag),
        multiple=get_origin(key.kind) is tuple,
        expose_value=False,
        callback=remember,
        help=_with_default(key),
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
    flag: str,
    metavar: str,
    doc: str,
    read: Callable[[str], Mapping[str, object]],
    complete: Completing | None = None,
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

    return click.option(
        flag,
        metavar=metavar,
        expose_value=False,
        callback=remember,
        help=doc,
        shell_complete=complete,
    )


def _syntaxes(word: str) -> Mapping[str, object]:
    names = [name.strip() for name in word.split(",")]
    settings.read_value("transform.only", names, "--only")
    return {"transform.only": names}


def _complete_syntaxes(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The last of several names, which commas part."""
    before, comma, begun = incomplete.rpartition(",")
    named = [str(each) for each in Syntax if each.startswith(begun)]
    return [CompletionItem(f"{before}{comma}{each}") for each in named]


only_option = read_option(
    "--only",
    "SYNTAXES",  # several in one word, as people write them
    "Only these syntaxes: " + ", ".join(Syntax) + "; `none` for links alone.",
    _syntaxes,
    _complete_syntaxes,
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
        is_eager=True,
        shell_complete=complete_folder,
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
        shell_complete=complete_key,
        help="Set any key for this run; `gossamer config` lists them.",
    )(command)
    return data_option(command)


def shared_options(command: Command) -> Command:
    """`--data DIR` and `--frontier DSN`: on every command for all nodes of a crawl."""
    return data_option(setting_option("frontier.address")(command))


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
