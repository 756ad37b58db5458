"""`gossamer config`: the configuration in force, and changes to it."""

import json

import click

from gossamer import settings
from gossamer.changing import Changes, change
from gossamer.cli.expressions import add, added, remove
from gossamer.cli.folder import in_force, shared_in_force
from gossamer.cli.manners import Commands
from gossamer.cli.options import assignments, data_option, data_options
from gossamer.cli.taken_up import taken_up, tell
from gossamer.cli.text import emit, example, table
from gossamer.data import DataFolder
from gossamer.settings import Settings


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
        now = shared_in_force(data)
        emit(json.dumps(now.record(), indent=2) if as_json else _as_table(now))


@config.command("set")
@click.argument("assigned", metavar="KEY=VALUE...", nargs=-1, required=True)
@data_option
def set_values(data: DataFolder, assigned: tuple[str, ...]) -> None:
    """Change values of this data folder, for the run in progress and those to come."""
    _change(data, assignments(assigned, "config set"))


@config.command("unset")
@click.argument("names", metavar="KEY...", nargs=-1, required=True)
@data_option
def unset_values(data: DataFolder, names: tuple[str, ...]) -> None:
    """Take such changes back."""
    kept = settings.read_runtime(data.runtime_file)
    for name in names:
        if name not in kept:  # a change that means nothing any more can still be taken back
            settings.key_named(name, "config unset")
    _change(data, dict.fromkeys(names))


for command in (add, remove, added):
    config.add_command(command)


def _change(data: DataFolder, changes: Changes) -> None:
    changed = change(data, changes, lambda runtime: in_force(data, runtime))
    shown = {}
    for name in changes:
        if told := changed.shown(name):
            shown[name], source = told
            emit(f"{name} = {shown[name]}  ({source})")
    tell(data, changed.settings.config, shown, taken_up(data, list(changes)))


def _as_table(now: Settings) -> str:
    rows = [("KEY", "VALUE", "SOURCE")]
    for name, setting in now.each.items():
        rows.append((name, settings.keys()[name].shown(setting.value), setting.source))
    return table(rows)
