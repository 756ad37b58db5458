"""`gossamer audit`: were we polite? By the log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gossamer.cli.options import data_option
from gossamer.cli.terminal import emit
from gossamer.cli.text import example, table
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.politeness.audit import HostAudit

POLITE, IMPOLITE = 0, 1


@click.command(
    epilog=example("gossamer audit", "gossamer audit --data crawl --json"),
)
@click.option("--here", is_flag=True, help="Only this folder's own log, from its files.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@data_option
def audit(here: bool, as_json: bool, data: DataFolder) -> int:
    """Report how each host was treated, according to the log.

    Where nodes share a database, that is the log of all nodes, as long as the database keeps it
    (log.share_age, log.share_bytes); the log in a node's folder may be older.

    Shows the number of requests, the smallest gap from the end of a response to the next
    request, the delay in force, and how many requests came too early. Exit status 1 if any
    did. If politeness.per_host allows several requests at once, that many are fine, and the
    gap also counts from the last start; the whole log is judged by the present value.
    """
    from gossamer.cli.folder import shared_in_force
    from gossamer.cli.run_audit import logged_requests
    from gossamer.politeness.audit import audited, sent_requests

    per_host = shared_in_force(data).config.politeness.per_host
    with logged_requests(data, here=here) as requests:
        audits = audited(sent_requests(requests), per_host)
    if as_json:
        emit(json.dumps([dict(each.record()) for each in audits], indent=2))
    elif audits:
        emit(
            table([("HOST", "REQUESTS", "SMALLEST GAP", "DELAY", "VIOLATIONS"), *map(_row, audits)])
        )
    else:
        click.echo(f"The log in {data.path} holds no requests.", err=True)
    return IMPOLITE if any(each.violations for each in audits) else POLITE


def _row(audit: HostAudit) -> tuple[str, str, str, str, str]:
    gap = audit.smallest_gap
    return (
        audit.host,
        f"{audit.requests:,}",
        "" if gap is None else f"{gap.total_seconds():.3f} s",
        f"{audit.delay.total_seconds():g} s",
        f"{audit.violations:,}",
    )
