"""Keeps what the rules of reports find while pages are crawled: `report.keep`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gossamer.archive.exchange import ArchivePlace
from gossamer.config import Config
from gossamer.crawl.verdicts import GONE, PageVerdict
from gossamer.folder.data import DataFolder
from gossamer.model import NOT_MODIFIED, Fetched
from gossamer.site_report.options import check_mark, report_options
from gossamer.site_report.pages import page_findings
from gossamer.site_report.store import CheckedPage, ReportStore


class ReportedPages(NamedTuple):
    """What a batch of pages brings: those that were checked, those that are gone, and all answers."""

    checked: Sequence[CheckedPage]
    gone: Sequence[str]
    answers: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class ReportKeeper:
    """Takes pages into the report of a data folder."""

    store: ReportStore
    mark: str

    @classmethod
    def open(cls, data: DataFolder, config: Config) -> "ReportKeeper":
        """Keep them in this folder."""
        return cls(ReportStore.open(data.report_file), check_mark(report_options(config, data)))

    def keep(self, pages: ReportedPages) -> None:
        """Keep a batch; the same batch again changes nothing."""
        if pages.checked:
            self.store.take(pages.checked)
        if pages.gone:
            self.store.drop(pages.gone)
        if pages.answers:
            self.store.answered(pages.answers)

    def close(self) -> None:
        """Close the file."""
        self.store.close()


def reported(
    batch: Sequence[PageVerdict], places: Sequence[ArchivePlace | None], mark: str
) -> ReportedPages:
    """What a batch brings to a report."""
    checked, gone, answers = list[CheckedPage](), list[str](), list[tuple[str, int]]()
    for verdict, place in zip(batch, places, strict=True):
        answer, extracted = verdict.answer, verdict.extracted
        if not isinstance(answer, Fetched) or answer.status == NOT_MODIFIED:
            continue
        answers.append((answer.url, answer.status))
        if extracted is not None:
            where = "" if place is None else str(place)
            findings = page_findings(answer.url, extracted)
            checked.append(CheckedPage(answer.url, findings, extracted.facts, where, mark))
        elif answer.status in GONE or 300 <= answer.status < 400:
            gone.append(answer.url)
    return ReportedPages(checked, gone, answers)
