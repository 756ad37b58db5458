"""`gossamer crawl`: seeds in, a graph out. `cli.run_crawl` does it."""

import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from gossamer.cli.errors import SERVICE
from gossamer.cli.options import (
    GIVEN,
    USUAL,
    complete_file,
    complete_type,
    fetch_options,
    only_option,
    proxy_option,
    read_option,
    setting_option,
    strict_option,
)
from gossamer.cli.text import example
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.settings import sources as settings

OPTIONS: Final = (
    "crawl.depth",
    "crawl.strategy",
    "crawl.hidden_links",
    "crawl.forms",
    "focus.words",
    "focus.keep",
    "focus.until_yield",
    "crawl.max_pages",
    "crawl.max_time",
    "freshness.keep",
    "freshness.revisits",
    "scope.kind",
    "scope.include",
    "scope.exclude",
    "politeness.delay",
    "politeness.per_host",
    "crawl.concurrency",
    "crawl.workers",
    "politeness.patience",
    "archive.keep",
    "report.keep",
    "report.profiles",
    "frontier.address",
    "frontier.local_graph",
    "service.token",
)
INDEX: Final = "index.url"
FOLLOW_QUERY: Final = "crawl.follow_query"
WANT: Final = "focus.want"
NONE: Final = "none"  # takes the query away again, as with every option


def _index(word: str) -> Mapping[str, object]:
    """The address, which is kept with the crawl; a password in it is for this run alone."""
    from gossamer.index.server.address import login

    url, user, password = login(word)
    settings.read_value(INDEX, url, "--index")
    given = {INDEX: url, "index.user": user, "index.password": password}
    return {name: value for name, value in given.items() if value is not None}


def _follow_query(file: str) -> Mapping[str, object]:
    """The text of the query, which is kept with the crawl."""
    text = NONE if file == NONE else _query_text(file)
    settings.read_value(FOLLOW_QUERY, text, f"--follow-query {file}")
    return {FOLLOW_QUERY: text}


def _query_text(file: str) -> str:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise click.UsageError(f"--follow-query: {file} cannot be read: {why}.") from None
    if not text.strip():
        raise click.UsageError(f"--follow-query: {file} is empty; it is to hold a SPARQL query.")
    return text


def _wanted(text: str) -> str:
    """One thing that is wanted; the text of a query where a file is named, kept on one line."""
    if not text.startswith("@"):
        return text
    file, equals, weight = text[1:].rpartition("=")
    if not equals or not weight.replace(".", "").isdigit():
        file, weight = text[1:], ""
    try:
        query = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise click.UsageError(f"--want: {file} cannot be read: {why}.") from None
    lines = (line.strip() for line in query.splitlines())
    joined = " ".join(line for line in lines if line and not line.startswith("#"))
    if not joined:
        raise click.UsageError(f"--want: {file} is empty; it is to hold a SPARQL query.")
    return f"{joined}={weight}" if weight else joined


def _remember_wanted(ctx: click.Context, _: click.Parameter, texts: tuple[str, ...]) -> None:
    if not texts:
        return
    wanted = [] if texts == (NONE,) else [_wanted(text) for text in texts]
    try:
        settings.read_value(WANT, wanted, "--want")
    except ConfigError as error:
        raise click.UsageError(str(error), ctx) from None
    ctx.meta.setdefault(GIVEN, {})[WANT] = wanted


want_option = click.option(
    "--want",
    metavar="TYPE|@FILE",
    multiple=True,
    expose_value=False,
    callback=_remember_wanted,
    help=settings.keys()[WANT].doc.replace("SPARQL query on", "SPARQL query in a file on"),
    shell_complete=complete_type,
)
index_option = read_option("--index", "URL", settings.keys()[INDEX].doc, _index)
follow_query_option = read_option(
    "--follow-query", "FILE", settings.keys()[FOLLOW_QUERY].doc, _follow_query, complete_file
)


@click.command(
    epilog=example(
        "gossamer crawl example.org",
        "gossamer crawl example.org --depth 2 --max-pages 500 --data my-crawl",
        "gossamer crawl example.org -o pages.jsonl",
        "gossamer crawl @seeds.txt --scope site --exclude '/calendar/' --max-time 2h",
        "gossamer crawl --data my-crawl                     # go on where it stopped",
        "gossamer crawl --data my-crawl --again --older-than 7d",
        "gossamer crawl example.org --want Product --until-yield 0.01",
        "gossamer crawl example.org --keep-fresh --revisits 500/day   # go on for ever",
        "gossamer crawl example.org --serve                 # and look at it meanwhile",
    ),
)
@click.argument("seeds", metavar="SEED...", nargs=-1)
@click.option("--again", is_flag=True, help="Fetch known pages again, with conditional requests.")
@click.option(
    "--older-than",
    metavar="AGE",
    help="With --again: only pages fetched longer ago than this (7d, 12h).",
)
@click.option(
    "--serve",
    metavar="[ADDR:PORT]",
    is_flag=False,
    flag_value=USUAL,
    help="Also serve the folder over HTTP, like `gossamer serve`.",
)
@proxy_option
@click.option(
    SERVICE,
    "as_service",
    is_flag=True,
    help="Run under a service manager: exit status 0 after TERM or `gossamer stop`.",
)
@click.option(
    "-o",
    "--output",
    "outputs",
    metavar="FILE",
    multiple=True,
    help="Also write each page as it is settled, one JSON object a line: appended to this file, as Parquet to DIR.parquet, `-` for stdout, or NAME:… for a sink of another package.",
)
@click.option("--json", "as_json", is_flag=True, help="End with one line of JSON.")
@want_option
@only_option
@strict_option
@follow_query_option
@index_option
@fetch_options
def crawl(
    seeds: tuple[str, ...],
    again: bool,
    older_than: str | None,
    serve: str | None,
    proxy: str | None,
    as_service: bool,
    outputs: tuple[str, ...],
    as_json: bool,
    data: DataFolder,
) -> int:
    """Crawl politely until nothing is left, and store every statement with its source.

    A seed may omit its scheme, or be @FILE with one seed per line. Without seeds, the crawl
    in the data folder is resumed.
    """
    if as_service:  # while the crawl is loaded and opened; then it listens itself
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    from gossamer.cli.run_crawl import run_crawl

    return run_crawl(
        seeds,
        again=again,
        older_than=older_than,
        serve=serve,
        proxy=proxy,
        as_service=as_service,
        outputs=outputs,
        as_json=as_json,
        data=data,
    )


for name in reversed(OPTIONS):
    crawl = setting_option(name)(crawl)
