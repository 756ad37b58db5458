"""Answers about how fresh the pages of a crawl are kept: together, by host, and of one page."""

from datetime import datetime, timedelta
from functools import partial
from math import exp
from typing import TYPE_CHECKING, Final

from gossamer.freshness.evidence import RateEvidence
from gossamer.freshness.sums import LookSums
from gossamer.frontier.looks import LOOK_REASONS, PageLook
from gossamer.frontier.protocol import PageState
from gossamer.moments import EPOCH, iso_moment
from gossamer.owner.messages import Record
from gossamer.owner.questions import HowFresh

if TYPE_CHECKING:
    from gossamer.owner.folder_answers import FolderAnswers

MOST_HOSTS: Final = 100  # unless more are asked for


async def how_fresh(folder: "FolderAnswers", question: HowFresh) -> Record:
    """How fresh all pages are that are kept so, and those of each host: a page of hosts, by name."""
    total = await fresh_pages(folder)
    limit = question.limit or MOST_HOSTS
    look_up = partial(
        folder.frontier.host_looks, after=question.after or "", limit=limit + 1, host=question.host
    )
    found = await folder.frontier_thread.do(look_up)
    return {
        **total,
        "hosts": [{"host": host, **_sums_record(sums)} for host, sums in found[:limit]],
        "next": found[limit - 1][0] if len(found) > limit else None,
    }


async def fresh_pages(folder: "FolderAnswers") -> Record:
    """How fresh all pages are together, and how many looks are due."""
    outlook = await folder.frontier_thread.do(folder.frontier.look_outlook)
    sums = await folder.frontier_thread.do(folder.frontier.look_sums)
    config = folder.config.freshness
    return {
        "keeps": config.keep,
        "per_day": None if config.revisits is None else float(config.revisits),
        "due": outlook.due,
        "overdue": outlook.overdue,
        "next_at": None if outlook.next_at is None else iso_moment(outlook.next_at),
        **_sums_record(sums),
        "pages": outlook.pages,
    }


def _sums_record(sums: LookSums) -> Record:
    return {
        "pages": sums.pages,
        "expected": _rounded(sums.expected),
        "measured": _rounded(sums.measured),
        "looks": round(sums.looks, 2),
        "changes": round(sums.changes, 2),
        "asked": round(max(sums.asked, 0.0), 4),
        "rate": _rounded(exp(sums.rates.mean)) if sums.rates.pages >= 1 else None,
    }


def look_record(page: PageState) -> Record | None:
    """When a page is looked at next, why, and what its looks have shown; None where it is not kept fresh."""
    if page.look_at is None:
        return None
    look = PageLook.unpack(page.looked)
    evidence = RateEvidence.unpack(look.evidence)
    return {
        "next_at": iso_moment(page.look_at),
        "seen_at": _moment(look.seen),
        "days": _rounded(look.days),
        "why": LOOK_REASONS.get(look.why, ""),
        "rate": _rounded(look.rate) if look.rate else None,
        "expected": _rounded(look.fresh) if look.fresh else None,
        "looks": round(evidence.looks, 2),
        "changes": round(evidence.changes, 2),
        "misses": look.misses,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")


def _moment(seconds: int) -> str | None:
    moment: datetime = EPOCH + timedelta(seconds=seconds)
    return iso_moment(moment) if seconds else None
