"""`gossamer report --check-links N`: addresses in data that nobody has asked for are, politely, so many at most."""

from typing import Final

import click

from gossamer.cli.build_client import PATIENCE, ask
from gossamer.cli.terminal import ProgressLine
from gossamer.cli.text import counted
from gossamer.config import Config
from gossamer.fetch.response import redirect_of
from gossamer.folder.data import DataFolder
from gossamer.model import Failed, Fetched, Refusal
from gossamer.politeness.ledger import Wait
from gossamer.sending.check import check
from gossamer.sending.client import PoliteClient
from gossamer.site_report.store import ReportStore
from gossamer.urls import origin_of

FIRST_BYTES: Final = 1  # of an answer: its status is what counts
MOST_HOPS: Final = 5


def check_links(store: ReportStore, data: DataFolder, config: Config, most: int) -> None:
    """Ask for pictures, breadcrumbs and `sameAs` that were not asked for yet, and keep how they were answered."""
    waiting = store.unanswered(most)
    if not waiting:
        return

    async def work(client: PoliteClient) -> None:
        progress = ProgressLine()
        for nth, url in enumerate(waiting, 1):
            progress.show(f"{nth:,} of {len(waiting):,} links")
            status = await _status(client, store, url)
            if status is not None:
                store.answered([(url, status)])
        progress.clear()

    ask("report", data, config, work)
    left = len(store.unanswered(most + 1))
    if left:
        click.echo(f"{counted(left, 'link')} could not be had, or there are more.", err=True)


async def _status(client: PoliteClient, store: ReportStore, text: str) -> int | None:
    """The status at the end of all redirects; None where nobody may ask, or nobody answers."""
    for _ in range(MOST_HOPS):
        checked = await check(client, text)
        wait = checked.verdict.wait
        rules = None if checked.url is None else client.known_rules(checked.url)
        if checked.url is not None and rules is not None and rules.record.body is not None:
            store.keep_robots(origin_of(checked.url), rules.record.body)
        allowed = checked.decision is not None and checked.decision.allowed
        if checked.url is None or not allowed or wait is None or wait > PATIENCE:
            return None
        answer = await client.get(checked.url, "page", PATIENCE, first_bytes=FIRST_BYTES)
        if isinstance(answer, Wait | Failed):
            return None
        assert isinstance(answer, Fetched)
        target = redirect_of(answer, hops=0)
        if target is None:
            return answer.status
        if isinstance(target, Refusal):
            return None
        text = target
    return None
