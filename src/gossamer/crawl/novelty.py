"""Whether a page is new, changed, unchanged, gone or failed: what its visit came to, against the one before. Pure.

What counts is what a page says. The hash of its statements is compared where one version of our readers made both;
where the readers differ, equal statements are equal still, and for the rest the bytes and the visible text decide.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from gossamer.crawl.verdicts import GONE, PageVerdict
from gossamer.frontier.protocol import Ended, Settlement
from gossamer.reading.readers_mark import MARK_BYTES


class Novelty(StrEnum):
    """What a visit brought, against the visit before."""

    NEW = "new"  # content, where there was none
    CHANGED = "changed"  # the page says something else
    UNCHANGED = "unchanged"
    GONE = "gone"  # it had content, and has none: missing, redirected, or not to be kept
    FAILED = "failed"  # it keeps what it had, if anything


_NOT_SETTLED: Final = frozenset({Ended.RETRY, Ended.ASIDE})


def novelty_of(verdict: PageVerdict) -> Novelty | None:
    """What a page's visit brought; None where nothing is settled, or it was nothing and is nothing."""
    settlement = verdict.settlement
    had = settlement.page.digest is not None
    if settlement.ended in _NOT_SETTLED:
        return None
    if settlement.ended is Ended.CONTENT:
        if settlement.keep_content:
            return Novelty.UNCHANGED
        return _of_content(settlement) if had else Novelty.NEW
    if had and verdict.nquads == b"":  # its graph goes
        return Novelty.GONE
    if settlement.ended is Ended.FAILED and not (settlement.status in GONE and had):
        return Novelty.FAILED
    return None


def has_changed(verdict: PageVerdict) -> bool | None:
    """Whether a page has changed since the visit before; None where its visit does not tell."""
    match novelty_of(verdict):
        case Novelty.CHANGED | Novelty.GONE:
            return True
        case Novelty.UNCHANGED:
            return False
        case _:
            return None


def _of_content(settled: Settlement) -> Novelty:
    before, page = settled.page.said, settled.page
    if settled.said is None:  # what it says is not to be kept
        return Novelty.UNCHANGED if before is None else Novelty.GONE
    same_bytes = settled.digest == page.digest
    if before is None:  # kept by a version that made no hashes
        return Novelty.UNCHANGED if same_bytes else Novelty.CHANGED
    if before[MARK_BYTES:] == settled.said[MARK_BYTES:]:
        return Novelty.UNCHANGED
    if before[:MARK_BYTES] != settled.said[:MARK_BYTES]:  # our readers may have made the difference
        same_text = bool(settled.shown) and settled.shown == page.shown
        return Novelty.UNCHANGED if same_bytes or same_text else Novelty.CHANGED
    return Novelty.CHANGED


@dataclass(slots=True)
class NoveltyCounts:
    """What the visits of a run brought, and how often bytes and visible text would have misled."""

    counts: Counter[Novelty] = field(default_factory=Counter)
    other_bytes: int = 0  # of pages that are unchanged
    other_text: int = 0
    same_text: int = 0  # of pages that changed

    def note(self, verdict: PageVerdict) -> None:
        """Count a page that was settled."""
        novelty = novelty_of(verdict)
        if novelty is None:
            return
        self.counts[novelty] += 1
        settled, page = verdict.settlement, verdict.settlement.page
        if settled.keep_content:
            return
        is_known = page.digest is not None
        has_text = bool(page.shown) and bool(settled.shown)
        if novelty is Novelty.UNCHANGED:
            self.other_bytes += is_known and settled.digest != page.digest
            self.other_text += has_text and settled.shown != page.shown
        elif novelty is Novelty.CHANGED:
            self.same_text += has_text and settled.shown == page.shown

    def record(self) -> Mapping[str, int]:
        """All counts by name."""
        return {
            **{novelty.value: self.counts[novelty] for novelty in Novelty},
            "unchanged_with_other_bytes": self.other_bytes,
            "unchanged_with_other_text": self.other_text,
            "changed_with_same_text": self.same_text,
        }
