"""`gossamer check`: may these URLs be fetched now?"""

import json

import click

from gossamer.check import check_all
from gossamer.cli.asking import ask
from gossamer.cli.options import fetch_options, setting_option, settled
from gossamer.cli.text import example, plain, table
from gossamer.data import DataFolder
from gossamer.politeness.verdict import Verdict


@click.command(
    epilog=example(
        "gossamer check https://example.org/ https://example.org/private",
        "gossamer check example.org --json",
        "gossamer check http://www.site0.test/ --connect-to '*.test=127.0.0.1:8099'",
    )
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
        records = [dict(verdict.record()) for verdict in verdicts]
        click.echo(json.dumps(records, indent=2, ensure_ascii=False))
    else:
        click.echo(table([_row(verdict) for verdict in verdicts]))


def _row(verdict: Verdict) -> tuple[str, str, str]:
    return answer(verdict), plain(verdict.url), verdict.error or ""


def answer(verdict: Verdict) -> str:
    """One word for the verdict, and the wait if there is one."""
    if verdict.allowed:
        return "allowed"
    if verdict.wait is None:
        return "forbidden"
    return f"wait {verdict.wait.total_seconds():.1f} s"
