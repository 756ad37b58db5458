"""The command line: each command builds its parts and calls one function."""

from importlib import import_module

import click

from gossamer import __version__
from gossamer.cli.manners import Commands, debug_option

NAMES = (
    "crawl",
    "serve",
    "proxy",
    "ca",
    "search",
    "query",
    "vocab",
    "export",
    "extract",
    "status",
    "hosts",
    "problems",
    "pause",
    "resume",
    "stop",
    "check",
    "explain",
    "audit",
    "forget",
    "rebuild",
    "reindex",
    "demo",
    "config",
    "completion",
)


class AllCommands(Commands):
    """The commands, each loaded when it is asked for: completion must answer at once.

    The command `check` is the function of that name in `gossamer.cli.check`.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which people meet them."""
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        if cmd_name in NAMES and cmd_name not in self.commands:
            self.add_command(getattr(import_module(f"gossamer.cli.{cmd_name}"), cmd_name))
        return self.commands.get(cmd_name)


@click.group(
    cls=AllCommands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Results go to stdout, talk to stderr. Every command has its own --help with examples.",
)
@click.version_option(__version__, message="gossamer %(version)s")
def commands() -> None:
    """A polite spider for the structured web."""


commands.params.append(debug_option())
