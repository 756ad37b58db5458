"""`--follow-query FILE`: the query is read here, and kept as text with the crawl."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gossamer import settings
from gossamer.cli.options import GIVEN
from gossamer.errors import ConfigError

Command = TypeVar("Command", bound=Callable[..., Any])
KEY = "crawl.follow_query"
FLAG = "--follow-query"
NONE = "none"  # takes it away again, as with every option


def follow_query_option(command: Command) -> Command:
    """The option; a wrong query is refused before anything else happens."""
    return click.option(
        FLAG,
        metavar="FILE",
        expose_value=False,
        callback=_remember,
        help=settings.keys()[KEY].doc,
    )(command)


def _remember(ctx: click.Context, _: click.Parameter, file: str | None) -> None:
    if file is None:
        return
    text = NONE if file == NONE else _read(file)
    try:
        settings.read_value(KEY, text, f"{FLAG} {file}")
    except ConfigError as error:
        raise click.UsageError(str(error), ctx) from None
    ctx.meta.setdefault(GIVEN, {})[KEY] = text


def _read(file: str) -> str:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise click.UsageError(f"{FLAG}: {file} cannot be read: {why}.") from None
    if not text.strip():
        raise click.UsageError(f"{FLAG}: {file} is empty; it is to hold a SPARQL query.")
    return text
