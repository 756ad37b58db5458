"""`gossamer audit`: were we polite? By the log."""

import json

import click

from gossamer.cli.folder import shared_in_force
from gossamer.cli.options import data_option
from gossamer.cli.text import emit, example, table
from gossamer.data import DataFolder
from gossamer.log import read_events
from gossamer.politeness.audit import HostAudit, audited, sent_requests

POLITE, IMPOLITE = 0, 1


@click.command(
    short_help="Were we polite? Smallest gap and violations of each host.",
    epilog=example("gossamer audit", "gossamer audit --data crawl --json"),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@data_option
def audit(as_json: bool, data: DataFolder) -> int:
    """Say for each host how it was treated, by the log of the data folder.

    Requests, the smallest gap from the end of a response to the next request, the delay in
    force, and how many requests came sooner than it. Exit status 1 if any did. Where the
    configuration allows several requests at once (politeness.per_host), so many are in order, and
    the gap begins at the last start too; all of the log is judged by the value in force now.
    """
    per_host = shared_in_force(data).config.politeness.per_host
    audits = audited(sent_requests(read_events(data.log_folder)), per_host)
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
