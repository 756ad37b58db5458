"""`gossamer report`: the structured data of pages, checked. `cli.run_report` does it."""

from pathlib import Path
from typing import Final

import click

from gossamer.cli.options import complete_file, fetch_options
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder

FORMATS: Final = ("markdown", "json", "html")
LIMITS: Final = ("error", "warning")


@click.command(
    epilog=example(
        "gossamer report page.html",
        "gossamer report public/ --url https://example.org/ --fail-on error",
        "gossamer report https://example.org/ --agent-contact you@example.org",
        "gossamer report crawl.warc.gz -o report.html",
        "gossamer report pages/ --to json | jq '.findings[] | select(.severity == \"error\")'",
    ),
)
@click.argument(
    "names",
    metavar="FILE|FOLDER|URL|WARC|-...",
    nargs=-1,
    required=True,
    shell_complete=complete_file,
)
@click.option(
    "--url", metavar="BASE", help="The URL of the page, or of the folder that its files lie in."
)
@click.option("--to", type=click.Choice(FORMATS), help="The format [default: markdown].")
@click.option(
    "-o",
    "--output",
    "file",
    metavar="OUT",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file: .json, .md or .html.",
)
@click.option(
    "--fail-on",
    "limit",
    type=click.Choice(LIMITS),
    help="Exit with status 1 if there is a finding as bad as this, or worse.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), help="Number of processes [default: one per core]."
)
@fetch_options
def report(
    names: tuple[str, ...],
    url: str | None,
    to: str | None,
    file: Path | None,
    limit: str | None,
    workers: int | None,
    data: DataFolder,
) -> int:
    """Check the structured data of pages: what is misspelled, cannot be read, or was mended.

    Every finding names its page, and its line and entity where they are known, and says how to mend
    it. A URL is fetched, politely. See docs/report.md for the rules.
    """
    from gossamer.cli.run_report import run_report

    return run_report(names, url=url, to=to, file=file, limit=limit, workers=workers, data=data)
