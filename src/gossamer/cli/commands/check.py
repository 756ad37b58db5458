"""`gossamer check`: may these URLs be fetched now?"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from gossamer.cli.options import fetch_options, setting_option
from gossamer.cli.terminal import emit
from gossamer.cli.text import duration, example, plain
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.owner.messages import Answering, Record
    from gossamer.sending.client import PoliteClient


@click.command(
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

    Fetches robots.txt politely if it is not known, and keeps it in the data folder. If a
    crawl is running there, it answers, with its own options.
    """
    from gossamer.cli.build_client import politely
    from gossamer.cli.folder import ask_folder, crawl_config
    from gossamer.owner.messages import ask
    from gossamer.owner.questions import Check
    from gossamer.sending.check import check_all

    async def asking(owner: Answering) -> Record:
        return await ask(owner, Check(urls))

    def own() -> Record:
        return politely("check", data, crawl_config(data), checked)

    async def checked(client: PoliteClient, _: object) -> Record:
        return {"verdicts": [verdict.record() for verdict in await check_all(client, urls)]}

    verdicts = ask_folder("check", data, asking, own)["verdicts"]
    if as_json:
        emit(json.dumps(verdicts, indent=2))
    else:
        emit("\n".join(map(_lines, verdicts)))


def _lines(verdict: Record) -> str:
    line = f"{answer(verdict):<11} {plain(verdict['url'])}"
    return f"{line}\n{'':<11} {verdict['error']}" if verdict["error"] else line


def answer(verdict: Record) -> str:
    """One word for the verdict, and the wait if there is one."""
    if verdict["allowed"]:
        return "allowed"
    wait = verdict["retryAfter"]
    return "forbidden" if wait < 0 else f"wait {duration(timedelta(milliseconds=wait))}"
