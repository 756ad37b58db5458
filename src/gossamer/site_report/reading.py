"""The report of a data folder, or of one of its hosts, as it stands: for `/report`, while a crawl goes on too."""

from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from gossamer.report.records import report_record
from gossamer.report.summary import ReportSummary
from gossamer.report.trend import ReportRun
from gossamer.report.view import report_view
from gossamer.site_report.check import check_site
from gossamer.site_report.store import ReportStore

MOST_PAGES: Final = 20_000  # that are counted while somebody waits
MOST_HOSTS: Final = 200  # that are listed


def folder_report(path: Path, host: str | None) -> dict[str, Any]:
    """The report of a host, or of all; without findings where there is no file yet."""
    if not path.exists():
        return _record([], ReportSummary(), [], host, is_cut=False)
    return _kept(path, _state(path), host)


@lru_cache(maxsize=8)
def _kept(path: Path, _state: tuple[int, ...], host: str | None) -> dict[str, Any]:
    """The report, made again when the file has changed."""
    with closing(ReportStore.open(path)) as store:
        hosts = store.hosts()
        if store.is_stale and store.count <= MOST_PAGES:
            check_site(store)
        summary, is_cut = ReportSummary(), False
        for _, findings, uses in store.pages(host):
            if summary.pages == MOST_PAGES:
                is_cut = True
                break
            summary.take(findings, uses)
        summary.take_site(store.site_findings(host))
        return _record(hosts, summary, [] if host else store.runs(), host, is_cut=is_cut)


def _record(
    hosts: Sequence[tuple[str, int]],
    summary: ReportSummary,
    runs: Sequence[ReportRun],
    host: str | None,
    *,
    is_cut: bool,
) -> dict[str, Any]:
    return {
        "host": host,
        "hosts": [{"host": name, "pages": pages} for name, pages in hosts[:MOST_HOSTS]],
        "more_hosts": max(len(hosts) - MOST_HOSTS, 0),
        "is_cut": is_cut,
        **report_record(report_view(summary, runs)),
    }


def _state(path: Path) -> tuple[int, ...]:
    """What changes when the file does."""
    found = []
    for each in (path, path.with_name(path.name + "-wal")):
        try:
            stat = each.stat()
        except FileNotFoundError:
            continue
        found += [stat.st_mtime_ns, stat.st_size]
    return tuple(found)
