"""What `gossamer report` does: pages are read and checked by workers, compared with each other, and their findings written.

Files and archives are checked as they are. A site is crawled first, by a crawl that checks its pages as it reads them;
then the folder is reported on, as with `--data`.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

import click

from gossamer.cli.errors import DONE, FAILED, INTERRUPTED
from gossamer.cli.folder import in_force, require_crawl
from gossamer.cli.options import GIVEN, effective_settings
from gossamer.cli.output_file import unpacked_name, whole_file
from gossamer.cli.page_inputs import check_base, named_inputs, read_pages
from gossamer.cli.terminal import ProgressLine, ReaderGoneError
from gossamer.config import Config
from gossamer.errors import ConfigError, InputError
from gossamer.fetch.decode import decode
from gossamer.folder.data import DataFolder
from gossamer.moments import now_utc
from gossamer.reading.inputs import Input
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.report.baseline import Baseline
from gossamer.report.finding import FactKind, Finding, PageFact, Severity
from gossamer.report.options import ReportOptions
from gossamer.report.summary import ReportSummary
from gossamer.report.trend import ReportRun, run_in_json, runs_in_html
from gossamer.report.writers import SUFFIXES, WRITERS, ReportContext, ReportWriter, headline
from gossamer.settings.node import open_folder
from gossamer.site_report.archived import pages_to_check
from gossamer.site_report.check import check_site
from gossamer.site_report.folder import keep_robots
from gossamer.site_report.options import check_mark, report_options
from gossamer.site_report.pages import UNREADABLE, page_findings
from gossamer.site_report.store import CheckedPage, ReportStore, temporary_report
from gossamer.vocabulary.tables import SCHEMA_ORG, drawn_from

OLDEST_TABLES: Final = 400  # days
USUAL: Final = "markdown"
USUAL_PAGES: Final = 1_000  # of a site that is crawled for its report
AT_ONCE: Final = 100  # pages that are kept together
MOST_ROBOTS_BYTES: Final = 512 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOrder:
    """What somebody wants to have reported."""

    names: tuple[str, ...]
    url: str | None = None
    to: str | None = None
    file: Path | None = None
    limit: str | None = None
    baseline: Path | None = None
    check_links: int = 0
    data: DataFolder
    is_data_named: bool = False


def run_report(order: ReportOrder) -> int:
    """Write what is wrong with these inputs; the exit status."""
    format_ = _format(order.to, order.file)
    check_base(order.url, order.names)
    sites = [name for name in order.names if is_site(name)]
    if sites and len(sites) < len(order.names):
        raise click.UsageError("Name sites or files, not both in one report.")
    baseline, runs = _known(order)
    report = Report(order, format_, baseline, runs)
    if sites:
        return _report_on_sites(report, sites)
    if not order.names:
        require_crawl(order.data)
        return report.on_folder(order.data)
    return report.on_inputs()


def is_site(name: str) -> bool:
    """Whether a name is that of a site: an address, or a host name that no file has."""
    if name.startswith(("http://", "https://")):
        return True
    host = name.partition("/")[0]
    return "." in host and not host.startswith(".") and not Path(name).exists() and _is_host(name)


def _is_host(name: str) -> bool:
    """Whether a name looks like a host's, with a path or without; a file's would have a suffix of one."""
    host, slash, _ = name.partition("/")
    last = host.rpartition(".")[2].partition(":")[0]
    return last.isalpha() and (bool(slash) or last.lower() not in _FILE_SUFFIXES)


_FILE_SUFFIXES: Final = frozenset(
    [
        "html",
        "htm",
        "xhtml",
        "xml",
        "json",
        "jsonld",
        "md",
        "txt",
        "warc",
        "gz",
        "zst",
        "ttl",
        "nt",
        "nq",
        "trig",
        "rdf",
    ]
)


def _report_on_sites(report: "Report", sites: Sequence[str]) -> int:
    """Crawl sites, into a temporary folder unless one was named; then report on what is there."""
    from gossamer.cli.run_crawl import run_crawl

    order = report.order
    given = click.get_current_context().meta.setdefault(GIVEN, {})
    given["report.keep"] = "true"
    if "crawl.max_pages" not in given:
        given["crawl.max_pages"] = str(USUAL_PAGES)
    with ExitStack() as life:
        data = order.data
        if not order.is_data_named:
            folder = life.enter_context(TemporaryDirectory(prefix="gossamer-report-"))
            data = DataFolder(Path(folder) / "data")
        ended = run_crawl(
            tuple(sites),
            again=False,
            older_than=None,
            serve=None,
            proxy=None,
            as_service=False,
            outputs=(),
            as_json=False,
            data=data,
            is_step=True,
        )
        status = report.on_folder(data)
        return INTERRUPTED if ended == INTERRUPTED else max(status, ended)


class Report:
    """A report that is being made."""

    def __init__(
        self,
        order: ReportOrder,
        format_: str,
        baseline: Baseline | None,
        runs: Sequence[ReportRun],
    ) -> None:
        self.order = order
        self._format = format_
        self._baseline = baseline
        self._at = now_utc()
        self._runs = runs
        self._summary = ReportSummary()
        self._is_whole = True

    def on_inputs(self) -> int:
        """Report on files, folders and WARC files: findings are written as pages are read."""
        order, config = self.order, effective_settings(self.order.data).config
        with temporary_report() as store, self._writer() as writer:
            pages = _without_robots(self._inputs(config, store), store)
            waiting: list[CheckedPage] = []
            for page, extracted in self._read(pages, config, report_options(config, order.data)):
                checked = self._checked(page, extracted)
                self._write_page(writer, checked.findings, checked.facts)
                waiting.append(checked)
                if len(waiting) == AT_ONCE:
                    store.take(waiting)
                    waiting.clear()
            store.take(waiting)
            if order.check_links:
                self._check_links(store, order.data, config)
            self._close(writer, store)
        return self._end()

    def on_folder(self, data: DataFolder) -> int:
        """Report on what a crawl has: what is new in its archive is read; all is kept for the next time and for /report."""
        self._at = now_utc()
        config = in_force(data).config
        store = ReportStore.open(data.report_file)
        try:
            self._read_archive(store, data, config)
            if self.order.check_links:
                self._check_links(store, data, config)
            runs = self._runs or store.runs()
            with self._writer(runs) as writer:
                for _, findings, uses in store.pages():
                    marked = self._marked(findings)
                    self._is_whole = self._is_whole and not _is_unread(findings)
                    self._summary.take(marked, uses)
                    writer.page(marked)
                self._close(writer, store)
            store.keep_run(ReportRun.of(self._summary, self._at))
        finally:
            store.close()
        return self._end()

    # ---- reading

    def _inputs(self, config: Config, store: ReportStore) -> Iterator[Input]:
        heard: list[tuple[str, int]] = []

        def hear(url: str, status: int) -> None:
            heard.append((url, status))
            if len(heard) >= AT_ONCE:
                store.answered(heard)
                heard.clear()

        for name in self.order.names:
            yield from named_inputs(
                "report", name, self.order.data, config, url=self.order.url, heard=hear
            )
        store.answered(heard)

    def _read_archive(self, store: ReportStore, data: DataFolder, config: Config) -> None:
        progress = ProgressLine()
        options = report_options(config, data)
        mark = check_mark(options)
        pages = pages_to_check(
            store,
            data.archive_folder,
            self._at,
            mark,
            tell=lambda read: progress.show(f"{read:,} records read"),
        )
        waiting: list[CheckedPage] = []
        for page, extracted in self._read(pages, config, options):
            checked = self._checked(page, extracted)._replace(place=page.place, mark=mark)
            waiting.append(checked)
            if len(waiting) == AT_ONCE:
                store.take(waiting)
                waiting.clear()
        store.take(waiting)
        with open_folder(data, config.frontier) as place:
            keep_robots(store, place.store)

    def _read(
        self, pages: Iterator[Input], config: Config, options: ReportOptions
    ) -> Iterator[tuple[Input, Extracted | None]]:
        """Pages as workers have read them, with progress while they are awaited."""
        wanted = PageJob("", b"", find_links=False, finds_faults=True, report=options)
        progress, count = ProgressLine(), 0
        try:
            for page, extracted in read_pages(
                pages, wanted, config.transform, config.crawl.workers
            ):
                yield page, extracted
                count += 1
                through = "" if page.through is None else f"{page.through:4.0%}  "
                progress.show(f"{through}{count:,} pages checked")
        finally:
            progress.clear()

    def _checked(self, page: Input, extracted: Extracted | None) -> CheckedPage:
        findings = page_findings(page.url, extracted, page.problem, _file_of(page))
        self._is_whole = self._is_whole and page.problem is None
        return CheckedPage(page.url, findings, () if extracted is None else extracted.facts)

    def _check_links(self, store: ReportStore, data: DataFolder, config: Config) -> None:
        from gossamer.cli.check_links import check_links

        check_links(store, data, config, self.order.check_links)

    # ---- writing

    def _writer(self, runs: Sequence[ReportRun] = ()) -> AbstractContextManager[ReportWriter]:
        order = self.order
        context = ReportContext(
            at=self._at,
            of=", ".join(order.names) or str(order.data.path),
            runs=runs or self._runs,
            limit=None if order.limit is None else Severity(order.limit),
            has_baseline=self._baseline is not None,
        )
        return open_writer(self._format, order.file, context)

    def _write_page(
        self, writer: ReportWriter, findings: Sequence[Finding], facts: Sequence[PageFact]
    ) -> None:
        marked = self._marked(findings)
        uses = {
            each.subject: [] if each.value == "-" else each.value.split()
            for each in facts
            if each.kind is FactKind.USES
        }
        self._summary.take(marked, uses)
        writer.page(marked)

    def _close(self, writer: ReportWriter, store: ReportStore) -> None:
        marked = self._marked(check_site(store))
        self._summary.take_site(marked)
        writer.page(marked)
        writer.close(self._summary)

    def _marked(self, findings: Sequence[Finding]) -> Sequence[Finding]:
        return findings if self._baseline is None else self._baseline.marked(findings)

    def _end(self) -> int:
        order = self.order
        told = headline(self._summary, has_baseline=self._baseline is not None)
        click.echo(f"{told}{'' if order.file is None else f': {order.file}'}", err=True)
        if (old := old_tables(self._at)) is not None:
            click.echo(old, err=True)
        limit = None if order.limit is None else Severity(order.limit)
        return FAILED if self._summary.fails(limit) or not self._is_whole else DONE


@contextmanager
def open_writer(format_: str, file: Path | None, context: ReportContext) -> Iterator[ReportWriter]:
    """A writer on a file that is there when it is whole, or on standard output."""
    try:
        with nullcontext(sys.stdout.buffer) if file is None else whole_file(file) as output:
            yield WRITERS[format_](output, context)
            output.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None


def old_tables(now: datetime) -> str | None:
    """A sentence where the newest release that the table of schema.org is drawn from is old."""
    day = max(day for _, _, day in drawn_from(SCHEMA_ORG))
    age = now.date() - date.fromisoformat(day)
    if age.days <= OLDEST_TABLES:
        return None
    return f"schema.org is known as of {day}, {age.days} days ago. A newer Gossamer may know more."


def _is_unread(findings: Sequence[Finding]) -> bool:
    return any(each.rule == UNREADABLE for each in findings)


def _file_of(page: Input) -> str | None:
    """The file that a page was read from, where it was one of its own."""
    is_own = page.file is None and page.name != page.url and Path(page.name).is_file()
    return page.name if is_own else None


def _without_robots(pages: Iterator[Input], store: ReportStore) -> Iterator[Input]:
    """The pages; a robots.txt in a WARC file is kept for the rules of the site."""
    for page in pages:
        if page.file is not None and page.url.endswith("/robots.txt"):
            parts = urlsplit(page.url)
            if parts.path == "/robots.txt":
                body = decode(page.body, page.content_encoding, MOST_ROBOTS_BYTES).body
                store.keep_robots(f"{parts.scheme}://{parts.netloc}", body)
                continue
        yield page


def _known(order: ReportOrder) -> tuple[Baseline | None, Sequence[ReportRun]]:
    """The baseline, if one is named, and the runs that it or the last report tell of."""
    runs: Sequence[ReportRun] = ()
    if order.file is not None and order.file.suffix == ".html" and order.file.exists():
        try:
            runs = runs_in_html(order.file.read_text(encoding="utf-8", errors="replace"))
        except OSError:  # it cannot be read; whether it can be written is found out later
            runs = ()
    if order.baseline is None:
        return None, runs
    try:
        text = order.baseline.read_bytes()
        baseline = Baseline.parse(text)
    except OSError as error:
        raise InputError(f"{order.baseline} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{order.baseline} is no report in JSON ({error}). Make one with "
            "`gossamer report … --to json -o FILE`."
        ) from None
    return baseline, runs or run_in_json(text)


def _format(to: str | None, file: Path | None) -> str:
    named = None if file is None else SUFFIXES.get(Path(unpacked_name(file)).suffix)
    if file is not None and named is None and to is None:
        raise ConfigError(
            f"{file} does not end in one of {', '.join(SUFFIXES)}; or name it with --to."
        )
    return to or named or USUAL
