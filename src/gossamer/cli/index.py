"""`--index URL`: the address is kept with the crawl, a password in it is for this run alone."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from gossamer import settings
from gossamer.cli.options import GIVEN
from gossamer.errors import ConfigError
from gossamer.index.server.address import login

Command = TypeVar("Command", bound=Callable[..., Any])
KEY = "index.url"
FLAG = "--index"


def index_option(command: Command) -> Command:
    """The option; what is no address is refused before anything else happens."""
    return click.option(
        FLAG,
        metavar="URL",
        expose_value=False,
        callback=_remember,
        help=settings.keys()[KEY].doc,
    )(command)


def _remember(ctx: click.Context, _: click.Parameter, text: str | None) -> None:
    if text is None:
        return
    url, user, password = login(text)
    try:
        settings.read_value(KEY, url, FLAG)
    except ConfigError as error:
        raise click.UsageError(str(error), ctx) from None
    given = {KEY: url, "index.user": user, "index.password": password}
    ctx.meta.setdefault(GIVEN, {}).update(
        {name: value for name, value in given.items() if value is not None}
    )
