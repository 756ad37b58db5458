"""`gossamer check`: may these URLs be fetched now?"""

import json

import click

from gossamer.check import check_all
from gossamer.cli.asking import ask
from gossamer.cli.options import fetch_options, setting_option, settled
from gossamer.cli.text import duration, emit, example, plain
from gossamer.data import DataFolder
from gossamer.politeness.verdict import Verdict


@click.command(
    short_help="May these URLs be fetched now?",
    epilog=example(
        "gossamer check https://example.org/ https://example.org/private",
        "gossamer check example.org --json",
        "gossamer check http://www.site0.test/ --connect-to '*.test=127.0.0.1:8099'",
    ),
)
@click.argument("urls", metavar="URL...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@setting_option("politeness.delay")
@fetch_options
def check(urls: tuple[str, ...], as_json: bool, data: DataFolder) -> None:
    """Say whether each URL may be fetched now, must wait, or is forbidden, and why.

    Fetches robots.txt where it is not known, politely, and keeps it in the data folder.
    """
    config = settled(data).config
    verdicts = ask("check", data, config, lambda client: check_all(client, urls))
    if as_json:
        emit(json.dumps([dict(verdict.record()) for verdict in verdicts], indent=2))
    else:
        emit("\n".join(_lines(verdict) for verdict in verdicts))


def _lines(verdict: Verdict) -> str:
    line = f"{answer(verdict):<11} {plain(verdict.url)}"
    return f"{line}\n{'':<11} {verdict.error}" if verdict.error else line


def answer(verdict: Verdict) -> str:
    """One word for the verdict, and the wait if there is one."""
    if verdict.allowed:
        return "allowed"
    return "forbidden" if verdict.wait is None else f"wait {duration(verdict.wait)}"
