"""Turns verdicts into what the history keeps of visits. Pure."""

from collections.abc import Collection
from datetime import datetime

from gossamer.crawl.verdicts import PageVerdict
from gossamer.frontier.protocol import Ended
from gossamer.history.visit import PageVisit
from gossamer.index.graph.names import page_name
from gossamer.reading.jobs import Extracted


def visit_of(
    verdict: PageVerdict,
    now: datetime,
    not_indexed: Collection[str] = (),
) -> PageVisit | None:
    """What a page says from now on; None where it stays as it was, or the graph did not take it."""
    settlement, nquads = verdict.settlement, verdict.nquads
    page = settlement.page
    if nquads is None or page_name(page.url) in not_indexed:
        return None
    says = settlement.ended is Ended.CONTENT and settlement.said is not None
    return PageVisit(
        page.url,
        page.host,
        verdict.answer.finished_at if verdict.answer else now,
        settlement.said if says else None,
        nquads if says else b"",
        was_known=page.digest is not None,
        is_whole=verdict.extracted is None or is_whole(verdict.extracted),
    )


def is_whole(extracted: Extracted) -> bool:
    """Whether nothing was lacking to read a page, such as a context that could not be had."""
    return extracted.cause is None and all(each.wants is None for each in extracted.problems)
