"""How far an origin's sitemaps were read, as it outlives a run. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Self

from gossamer.config import Politeness
from gossamer.model import Url
from gossamer.politeness.outcome import backoff
from gossamer.sitemaps import PlannedSitemap, SitemapPlan
from gossamer.urls import host_of

READ_AGAIN: Final = timedelta(days=1)
FACT: Final = (
    "sitemaps "  # begins the name of the fact that has an origin's record; the origin ends it
)


@dataclass(frozen=True, slots=True)
class NotYet:
    """Why a sitemap cannot be had now, and perhaps later."""

    why: str
    until: datetime | None = None  # when its host may be asked; None: it was, and failed


@dataclass(frozen=True, slots=True)
class SitemapRecord:
    """What was read for a page at some depth, and what is left to be read later."""

    depth: int
    again_at: datetime  # until then it serves all pages that are no nearer
    owed: tuple[tuple[Url, int], ...] | None = ()  # with the indexes before each; None: all of them
    attempts: int = 0  # of reading what is owed, that failed
    files: int = 0  # that were read of the same plan before

    @classmethod
    def parse(cls, fact: bytes) -> Self:
        """As it was written down."""
        known = json.loads(fact)
        if "at" in known:  # when all were read: so it was written once
            at = datetime.fromisoformat(known["at"])
            return cls(int(known["depth"]), at + READ_AGAIN)
        owed = known["owed"]
        return cls(
            int(known["depth"]),
            datetime.fromisoformat(known["again_at"]),
            None if owed is None else tuple((Url(url), int(depth)) for url, depth in owed),
            int(known["attempts"]),
            int(known.get("files", 0)),
        )

    def written(self) -> bytes:
        """The record as text, to be kept as a fact."""
        known = {
            "depth": self.depth,
            "again_at": self.again_at.isoformat(),
            "owed": self.owed,
            "attempts": self.attempts,
            "files": self.files,
        }
        return json.dumps(known).encode()

    @property
    def is_owing(self) -> bool:
        """Whether some are still to be read."""
        return self.owed != ()

    def serves(self, depth: int, now: datetime) -> bool:
        """Whether nothing is to be read now for a page at this depth."""
        return self.depth <= depth and now < self.again_at

    def rest_of(self, plan: SitemapPlan, origin: str) -> SitemapPlan:
        """The part of an origin's whole plan that is owed."""
        if self.owed is None:
            return plan
        vouched = frozenset({host_of(Url(f"{origin}/"))})
        waiting = tuple(PlannedSitemap(url, before, vouched) for url, before in self.owed)
        known = frozenset(each.url for each in waiting)
        return SitemapPlan(plan.max_files - self.files, waiting, known)

    def so_far(
        self,
        files: int,
        waiting: Sequence[PlannedSitemap],
        missing: Sequence[tuple[PlannedSitemap, NotYet]],
        again_at: datetime,
    ) -> Self:
        """What to write down when so many more were read, and these are still to be.

        What failed comes last, and has not failed too often before all others were asked for.
        """
        owed = tuple((each.url, each.depth) for each in (*waiting, *(each for each, _ in missing)))
        return replace(self, again_at=again_at, owed=owed, files=self.files + files)

    def after(
        self,
        missing: Sequence[tuple[PlannedSitemap, NotYet]],
        now: datetime,
        politeness: Politeness,
        most_attempts: int,
    ) -> Self:
        """What to write down when all was read but these; what failed too often is owed no more."""
        attempts = self.attempts + any(each.until is None for _, each in missing)
        if attempts >= most_attempts:
            missing = [each for each in missing if each[1].until is not None]
        if not missing:
            return type(self)(self.depth, now + READ_AGAIN)
        retry_at = now + backoff(attempts, politeness.backoff_first, politeness.backoff_most)
        again_at = min(each.until or retry_at for _, each in missing)
        owed = tuple((planned.url, planned.depth) for planned, _ in missing)
        return type(self)(self.depth, again_at, owed, attempts, self.files)
