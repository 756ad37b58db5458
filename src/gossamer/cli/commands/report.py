"""`gossamer report`: the structured data of pages, checked. `cli.run_report` does it."""

from pathlib import Path
from typing import Final

import click

from gossamer.cli.options import complete_file, fetch_options, setting_option
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder

FORMATS: Final = ("markdown", "html", "json", "sarif", "junit")
LIMITS: Final = ("error", "warning")


@click.command(
    epilog=example(
        "gossamer report page.html",
        "gossamer report public/ --url https://example.org/ --fail-on error",
        "gossamer report example.org --max-pages 200 --agent-contact you@example.org -o report.html",
        "gossamer report --data crawl -o report.html",
        "gossamer report crawl.warc.gz --profile rich-results --to sarif",
        "gossamer report public/ --baseline known.json --fail-on warning",
        "gossamer report pages/ --to json | jq '.findings[] | select(.severity == \"error\")'",
    ),
)
@click.argument(
    "names",
    metavar="[SITE|FILE|FOLDER|WARC|-...]",
    nargs=-1,
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
    help="Write to this file: .html, .md, .json, .sarif or .xml (JUnit).",
)
@click.option(
    "--fail-on",
    "limit",
    type=click.Choice(LIMITS),
    help="Exit with status 1 if there is a finding as bad as this, or worse.",
)
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    shell_complete=complete_file,
    help="An earlier report in JSON: what it has is known, and only the rest fails.",
)
@click.option(
    "--check-links",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    help="Ask for so many pictures, breadcrumbs and sameAs that were not fetched yet [default: 0].",
)
@setting_option("report.profiles")
@setting_option("crawl.max_pages")
@setting_option("crawl.depth")
@setting_option("crawl.max_time")
@setting_option("scope.kind")
@setting_option("politeness.delay")
@setting_option("crawl.workers")
@fetch_options
@click.pass_context
def report(
    ctx: click.Context,
    names: tuple[str, ...],
    url: str | None,
    to: str | None,
    file: Path | None,
    limit: str | None,
    baseline: Path | None,
    check_links: int,
    data: DataFolder,
) -> int:
    """Check the structured data of pages: what is misspelled, cannot be read, or was mended.

    Every finding names its page, and its line and entity where they are known, and says how to mend
    it. A site (example.org, or an address) is crawled for it, politely and up to 1,000 pages unless
    --max-pages says otherwise, into a temporary folder unless --data names one. Without a name,
    the report is on the crawl in the data folder. See docs/report.md for the rules.
    """
    from gossamer.cli.run_report import ReportOrder, run_report

    is_data_named = ctx.get_parameter_source("data") is click.core.ParameterSource.COMMANDLINE
    return run_report(
        ReportOrder(
            names=names,
            url=url,
            to=to,
            file=file,
            limit=limit,
            baseline=baseline,
            check_links=check_links,
            data=data,
            is_data_named=is_data_named,
        )
    )
