"""What `gossamer report` does: pages are read and checked by workers, and their findings written."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO

import click

from gossamer.cli.errors import DONE, FAILED
from gossamer.cli.options import effective_settings
from gossamer.cli.output_file import unpacked_name, whole_file
from gossamer.cli.page_inputs import check_base, named_inputs, read_pages
from gossamer.cli.terminal import ProgressLine, ReaderGoneError
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.model import Problem
from gossamer.reading.inputs import Input
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.report.finding import Finding, Severity
from gossamer.report.summary import ReportSummary
from gossamer.report.syntax import problem_finding
from gossamer.report.writers import SUFFIXES, WRITERS, headline

UNREADABLE = "unreadable"
USUAL = "markdown"


def run_report(
    names: tuple[str, ...],
    *,
    url: str | None,
    to: str | None,
    file: Path | None,
    limit: str | None,
    workers: int | None,
    data: DataFolder,
) -> int:
    """Write what is wrong with these inputs; the exit status."""
    format_ = _format(to, file)
    config = effective_settings(data).config
    check_base(url, names)
    pages = (page for name in names for page in named_inputs("report", name, data, config, url=url))
    wanted = PageJob("", b"", find_links=False, finds_faults=True)
    results = read_pages(pages, wanted, config.transform, workers)
    summary, is_whole = ReportSummary(), True
    with _output(file) as output:
        writer = WRITERS[format_](output)
        try:
            for page, extracted in _shown(results, summary):
                findings = findings_of(page, extracted)
                is_whole = is_whole and page.problem is None
                summary.take(findings)
                writer.page(findings)
            writer.close(summary)
            output.flush()
        except BrokenPipeError:
            raise ReaderGoneError from None
    click.echo(f"{headline(summary)}{'' if file is None else f': {file}'}", err=True)
    return (
        FAILED
        if summary.fails(None if limit is None else Severity(limit)) or not is_whole
        else DONE
    )


def findings_of(page: Input, extracted: Extracted | None) -> Sequence[Finding]:
    """What is wrong with a page; also that it could not be read, or not to its end."""
    found = () if extracted is None else extracted.findings
    whys = [Problem(page.problem)] if page.problem else []
    if extracted is not None and extracted.cause is not None and not found:
        whys += extracted.problems  # its worker is gone, and all rules with it
    unread = (problem_finding(why, Severity.ERROR) for why in whys)
    return (*(replace(each, rule=UNREADABLE, page=page.url) for each in unread), *found)


def _format(to: str | None, file: Path | None) -> str:
    named = None if file is None else SUFFIXES.get(Path(unpacked_name(file)).suffix)
    if file is not None and named is None and to is None:
        raise ConfigError(
            f"{file} does not end in one of {', '.join(SUFFIXES)}; or name it with --to."
        )
    return to or named or USUAL


def _output(file: Path | None) -> AbstractContextManager[IO[bytes]]:
    return nullcontext(sys.stdout.buffer) if file is None else whole_file(file)


def _shown(
    results: Iterator[tuple[Input, Extracted | None]], summary: ReportSummary
) -> Iterator[tuple[Input, Extracted | None]]:
    """The results, with progress while they are awaited."""
    progress = ProgressLine()
    try:
        for page, extracted in results:
            yield page, extracted
            through = "" if page.through is None else f"{page.through:4.0%}  "
            progress.show(f"{through}{summary.pages:,} pages checked")
    finally:
        progress.clear()
