"""`gossamer config add`, `remove`, `added`: scope expressions that are kept with the crawl.

Every node that shares the crawl's frontier takes them up, whatever its own configuration says.
"""

import json
from collections.abc import Sequence
from typing import Literal

import click

from gossamer import settings
from gossamer.cli.options import data_option, settled
from gossamer.cli.taken_up import tell
from gossamer.cli.text import emit
from gossamer.data import DataFolder
from gossamer.errors import ConfigError
from gossamer.owner.messages import Answering, Question, Record, record_of


@click.command
@click.argument("assigned", metavar="KEY=EXPRESSION...", nargs=-1, required=True)
@data_option
def add(data: DataFolder, assigned: tuple[str, ...]) -> None:
    """Add expressions to scope.include or scope.exclude, beside those that are there.

    The crawl that is running takes them up, and so does every node that shares its frontier.
    """
    _change(data, "add", assigned)


@click.command
@click.argument("assigned", metavar="KEY=EXPRESSION...", nargs=-1, required=True)
@data_option
def remove(data: DataFolder, assigned: tuple[str, ...]) -> None:
    """Remove expressions that were added; what they kept out is taken up again."""
    _change(data, "remove", assigned)


@click.command
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@data_option
def added(data: DataFolder, as_json: bool) -> None:
    """List the expressions that were added."""
    found = _asked(data, Question(what="expressions"))["expressions"]
    if as_json:
        emit(json.dumps(found, indent=2))
    else:
        for each in found:
            emit(f"scope.{each['kind']}  {each['expression']}")


def _change(data: DataFolder, change: Literal["add", "remove"], assigned: Sequence[str]) -> None:
    pairs = [_expression(text, f"config {change}") for text in assigned]
    word = "added" if change == "add" else "removed"
    for name, text in pairs:
        kinds = (name.removeprefix("scope."),)
        question = Question(what="expressions", change=change, kinds=kinds, texts=(text,))
        record = _asked(data, question)
        emit(f"{name}: {text} is {word}")
        tell(data, settled(data).config, {name: f"{text} {word}"}, record["crawl"])


def _expression(assigned: str, where: str) -> tuple[str, str]:
    """The key and the expression, checked."""
    name, equals, text = assigned.partition("=")
    if name not in ("scope.include", "scope.exclude"):
        raise ConfigError(
            f"{where}: {name} is no list of expressions; scope.include and scope.exclude are. "
            "`gossamer config set` changes other keys."
        )
    if not equals:
        raise ConfigError(f"{where}: {assigned!r} has no expression; write KEY=EXPRESSION.")
    settings.read_value(name, [text], where)
    return name, text


def _asked(data: DataFolder, question: Question) -> Record:
    # Imported when there is something to ask: it brings all of a crawl with it.
    from gossamer.cli.folder import ask_folder, there_is_a_crawl

    async def asking(owner: Answering) -> Record:
        return await record_of(owner.answer(question))

    there_is_a_crawl(data)
    return ask_folder("config", data, asking)
