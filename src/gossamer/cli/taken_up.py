"""What a crawl that is running makes of changes, and what people are told about it."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing

import click

from gossamer.config import Config
from gossamer.data import DataFolder
from gossamer.events import ConfigChanged
from gossamer.log import JsonLog
from gossamer.owner.client import NoOwnerError, Owner
from gossamer.owner.messages import AnswerError, Question, Record, record_of


def taken_up(data: DataFolder, names: Sequence[str]) -> Record | None:
    """What a crawl makes of changes of these keys; None where none is running."""
    question = Question(what="configure", texts=tuple(names))
    try:
        return asyncio.run(record_of(Owner(data.socket_file).answer(question)))
    except (NoOwnerError, AnswerError):
        return None  # it is there for whoever comes next


def tell(
    data: DataFolder, config: Config, changes: Mapping[str, str], crawl: Record | None
) -> None:
    """Tell people, and where no crawl does so, the log."""
    if crawl is None:
        with closing(JsonLog(data.log_folder, config.log)) as log:
            for name, value in changes.items():
                log(ConfigChanged(key=name, value=value))
    else:
        click.echo(sentence(crawl), err=True)


def sentence(crawl: Record) -> str:
    """What a crawl made of it, for people."""
    command = crawl.get("command", "crawl")
    what = "The crawl that is running" if command == "crawl" else f"`gossamer {command}`"
    who = f"{what} (process {crawl['process']})"
    if crawl["refused"]:
        return f"{who} refuses it: {crawl['refused']}"
    if crawl["waits"]:
        return f"{who} takes this up with its next run: {', '.join(crawl['waits'])}."
    return f"{who} has taken it up."
