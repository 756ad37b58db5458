"""`gossamer completion`: what makes the shell complete our commands and options."""

import click
from click.shell_completion import get_completion_class

from gossamer.cli.text import example


@click.command(
    epilog=example("source <(gossamer completion bash)"),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that makes SHELL complete gossamer's commands and options."""
    kind = get_completion_class(shell)
    assert kind is not None  # click knows the three shells that the argument admits
    group = ctx.find_root().command
    click.echo(kind(group, {}, "gossamer", "_GOSSAMER_COMPLETE").source())
