"""Help is the same on every command: examples, a word on each option, groups, `-h`."""

from collections.abc import Iterator

import click
import pytest

from gossamer.cli import COMMANDS, program
from gossamer.cli.option_groups import GROUPS, OTHERS, in_groups

from .conftest import Gossamer


def every_command() -> Iterator[tuple[str, click.Context]]:
    root = click.Context(program, info_name="gossamer", **program.context_settings)
    for name in COMMANDS:
        command = program.get_command(root, name)
        assert command is not None
        context = command.context_class(command, root, info_name=name, **command.context_settings)
        yield name, context
        for sub in command.commands.values() if isinstance(command, click.Group) else ():
            yield f"{name} {sub.name}", sub.context_class(sub, context, info_name=sub.name)


@pytest.mark.parametrize(
    ("name", "context"), [pytest.param(*each, id=each[0]) for each in every_command()]
)
def test_every_command_has_examples_and_says_what_each_option_does(
    name: str, context: click.Context
) -> None:
    text = context.command.get_help(context)
    assert f"  gossamer {name}" in text.partition("Examples:")[2].replace("<(", "  ")
    assert "General:" in text
    assert "INTEGER" not in text
    for param in context.command.params:
        if isinstance(param, click.Option) and not param.hidden:
            assert param.help, param.name


def test_crawl_shows_its_options_in_groups_with_defaults_and_choices() -> None:
    (context,) = [context for name, context in every_command() if name == "crawl"]
    text = context.command.get_help(context)
    heads = [line.rstrip(":") for line in text.splitlines() if line and line[0] != " "][1:]
    assert heads == [name for name in GROUPS if name != OTHERS]
    assert "--scope [page|host|site|any]" in text
    assert "[default: host]" in text
    assert text.index("--scope") < text.index("--depth") < text.index("--delay")


def test_few_options_need_no_groups() -> None:
    rows = [("--to FORMAT", ""), ("--data DIR", ""), ("--fast", "")]
    assert {name: [row[0] for row in group] for name, group in in_groups(rows)} == {
        OTHERS: ["--fast", "--to FORMAT"],
        "General": ["--data DIR"],
    }


@pytest.mark.parametrize("words", [["search"], ["search", "ada"], ["config", "set"], ["query"]])
def test_h_is_help(here: Gossamer, words: list[str]) -> None:
    done = here(*words, "-h")
    assert (done.returncode, done.stdout.split()[0]) == (0, "Usage:")
