"""`gossamer config`: the configuration in force, and changes to it."""

import json
from collections.abc import Callable, Collection, Mapping

import click

from gossamer import settings, values
from gossamer.cli.expressions import add, added, remove
from gossamer.cli.manners import Commands
from gossamer.cli.options import assignments, data_option, data_options, settled
from gossamer.cli.taken_up import taken_up, tell, told_to_all
from gossamer.cli.text import emit, example, table
from gossamer.data import DataFolder
from gossamer.settings import Settings

Changes = Mapping[str, object]


@click.group(
    cls=Commands,
    short_help="Every configuration value and where it comes from.",
    invoke_without_command=True,
    epilog=example(
        "gossamer config",
        "gossamer config --json",
        "gossamer config set politeness.delay=2 scope.kind=site",
        "gossamer config unset politeness.delay",
        "gossamer config add scope.exclude=/calendar/",
    ),
)
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def config(ctx: click.Context, data: DataFolder, as_json: bool) -> None:
    """Show every configuration value and where it comes from.

    Strongest first: runtime changes (`config set`), the command line, GOSSAMER_*
    environment variables, gossamer.toml in the data folder, defaults.
    """
    if ctx.invoked_subcommand is None:
        emit(_as_json(settled(data)) if as_json else _as_table(settled(data)))


@config.command("set")
@click.argument("assigned", metavar="KEY=VALUE...", nargs=-1, required=True)
@data_option
def set_values(data: DataFolder, assigned: tuple[str, ...]) -> None:
    """Change values of this data folder, for the run in progress and those to come."""
    changes = assignments(assigned, "config set")
    told = told_to_all(data, changes)
    own = _without(changes, told)
    _change(data, lambda kept: {**_without(kept, told), **own}, list(changes), told)


@config.command("unset")
@click.argument("names", metavar="KEY...", nargs=-1, required=True)
@data_option
def unset_values(data: DataFolder, names: tuple[str, ...]) -> None:
    """Take such changes back."""
    kept = settings.read_runtime(data.runtime_file)
    for name in names:
        if name not in kept:  # a change that means nothing any more can still be taken back
            settings.key_named(name, "config unset")
    told = told_to_all(data, dict.fromkeys(names))
    _change(data, lambda kept: _without(kept, names), list(names), told)


for command in (add, remove, added):
    config.add_command(command)


def _change(
    data: DataFolder, changed: Callable[[Changes], Changes], names: list[str], told: Changes
) -> None:
    with data.changing_runtime():
        runtime = changed(settings.read_runtime(data.runtime_file))
        now = settled(data, runtime)  # refused as a whole before anything is written
        data.keep_runtime_changes(runtime)
    shown = {}
    for name in names:
        if name in now.each:
            value, source = now.each[name].value, now.each[name].source
            if told.get(name) is not None:
                value, source = settings.read_value(name, told[name], ""), "all nodes of the crawl"
            shown[name] = settings.keys()[name].shown(value)
            emit(f"{name} = {shown[name]}  ({source})")
    tell(data, now.config, shown, taken_up(data, names))


def _without(kept: Changes, names: Collection[str]) -> Changes:
    return {name: raw for name, raw in kept.items() if name not in names}


def _as_table(now: Settings) -> str:
    rows = [("KEY", "VALUE", "SOURCE")]
    for name, setting in now.each.items():
        rows.append((name, settings.keys()[name].shown(setting.value), setting.source))
    return table(rows)


def _as_json(now: Settings) -> str:
    shown = {}
    for name, setting in now.each.items():
        masked = settings.keys()[name].secret and setting.value is not None
        value = "***" if masked else values.as_json(setting.value)
        shown[name] = {"value": value, "source": setting.source}
    return json.dumps(shown, indent=2)
