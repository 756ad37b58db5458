"""The command line: each command builds its parts and calls one function."""

import click

from gossamer import __version__
from gossamer.cli.check import check
from gossamer.cli.completion import completion
from gossamer.cli.config import config
from gossamer.cli.demo import demo
from gossamer.cli.explain import explain
from gossamer.cli.extract import extract
from gossamer.cli.manners import Commands, debug_option


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Results go to stdout, talk to stderr. Every command has its own --help with examples.",
)
@click.version_option(__version__, message="gossamer %(version)s")
def commands() -> None:
    """A polite spider for the structured web."""


for _command in (extract, check, explain, demo, config, completion):
    commands.add_command(_command)

commands.params.append(debug_option())
