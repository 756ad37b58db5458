"""Options of a crawl as keywords: those of `gossamer crawl`, with underscores, checked in the words of the command."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, TypedDict

from gossamer.errors import ConfigError

if TYPE_CHECKING:
    import click

Seconds = float | int | timedelta
Path = str | os.PathLike[str]
Words = str | Iterable[str]
# Of the command line alone: what its output looks like, and how it is run.
_NOT_KEYWORDS: Final = frozenset({"debug", "json", "service", "output", "data", "help"})


class CrawlKeywords(TypedDict, total=False):
    """Keyword arguments of `gossamer.crawl` and `gossamer.Crawl`; docs/crawling-from-python.md explains them."""

    data: Path | None
    depth: int | str | None
    strategy: str | None
    max_pages: int | str | None
    max_time: Seconds | str | None
    scope: str | None
    include: Words | None
    exclude: Words | None
    delay: Seconds | str | None
    per_host: int | None
    concurrency: int | None
    workers: int | None
    patience: Seconds | str | None
    agent: str | None
    agent_contact: str | None
    connect_to: Words | None
    allow_net: Words | None
    ca: Path | None
    only: Words | None
    strict: bool | None
    report: bool | None
    profile: Words | None
    follow_query: Path | None
    hidden_links: bool | None
    forms: int | None
    want: Words | None
    want_words: Words | None
    keep: str | None
    until_yield: float | str | None
    no_archive: bool | None
    again: bool | None
    older_than: Seconds | str | None
    keep_fresh: bool | None
    revisits: str | None
    index: str | None
    frontier: str | None
    local_graph: bool | None
    token: str | None
    serve: bool | str | None
    proxy: bool | str | None
    config: Mapping[str, object] | Words | None


def keywords() -> dict[str, click.Option]:
    """The options of the command that are keywords, by these."""
    from gossamer.cli.commands.crawl import crawl as command

    found: dict[str, click.Option] = {}
    for option in command.params:
        if option.param_type_name == "option":
            name = max(option.opts, key=len).removeprefix("--").replace("-", "_")
            if name not in _NOT_KEYWORDS:
                found[name] = option  # type: ignore[assignment]  # click types all as parameters
    return found


def arguments_of(seeds: Sequence[str], given: Mapping[str, Any]) -> list[str]:
    """The command line that says this, without its folder.

    Raises `TypeError` for a keyword that there is not, and `ValueError` for a value that the command refuses.
    """
    options = keywords()
    words: list[str] = []
    for name, value in given.items():
        if name not in options:
            raise TypeError(_unknown(name, options))
        if value is not None:
            words += _words(name, options[name], value)
    _check(seeds, words)
    return words


def _unknown(name: str, options: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(name, options, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else " `gossamer crawl --help` lists them all."
    return f"A crawl has no option {name!r}.{hint}"


def _words(name: str, option: click.Option, value: Any) -> list[str]:  # noqa: ANN401 (whatever was given)
    flag = max(option.opts, key=len)
    if option.is_flag or (value is True and name in ("serve", "proxy")):
        if not isinstance(value, bool):
            raise TypeError(f"{name} is True or False, not {value!r}.")
        return [flag] if value else []
    if name in ("serve", "proxy") and value is False:
        return []
    if isinstance(value, bool):
        raise TypeError(f"{name} takes a value, not {value!r}.")
    if name == "config" and isinstance(value, Mapping):
        value = [f"{key}={_text(each)}" for key, each in value.items()]
    if name in ("only", "profile") and not isinstance(value, str):
        value = ",".join(map(_text, value))
    several = [value] if isinstance(value, str | os.PathLike | int | float | timedelta) else value
    if not isinstance(several, Iterable):
        raise TypeError(f"{name} cannot be {value!r}.")
    texts = [_text(each) for each in several]
    if len(texts) > 1 and not option.multiple:
        raise TypeError(f"{name} takes one value, not {len(texts)}.")
    return [f"{flag}={text}" for text in texts]


def _text(value: object) -> str:
    if isinstance(value, timedelta):
        return f"{value.total_seconds():g}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, list | tuple):
        return ",".join(map(_text, value))
    return str(value)


def _check(seeds: Sequence[str], words: Sequence[str]) -> None:
    """Read all of it as the command would; what that says is the error."""
    import click

    from gossamer.cli.commands.crawl import crawl as command
    from gossamer.cli.seeds import minimum_age, read_seed

    try:
        with command.make_context("crawl", [*words, "--", *seeds]) as context:
            minimum_age(bool(context.params["again"]), context.params["older_than"])
        for seed in seeds:
            if not seed.startswith("@"):
                read_seed(seed)
    except click.UsageError as error:
        raise ValueError(error.format_message()) from None
    except ConfigError as error:
        raise ValueError(str(error)) from None
