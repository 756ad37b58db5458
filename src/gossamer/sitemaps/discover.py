"""Where to look for a host's sitemaps, and in what order to read what they lead to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from gossamer.config import Sitemaps
from gossamer.model import Problem, Refusal, Url
from gossamer.sitemaps.values import SYNTAX, SitemapLink
from gossamer.urls import canonical, host_of

USUAL_PLACE = "/sitemap.xml"
MAX_DEPTH = 3  # the protocol has indexes of sitemaps, none of indexes; sites have them


def sitemap_candidates(robots_sitemaps: Sequence[str], origin: str) -> tuple[Url, ...]:
    """The sitemaps that the robots.txt of an origin names, in order, else the usual place."""
    home = canonical(origin)
    if isinstance(home, Refusal):
        return ()
    named = _urls((text for text in robots_sitemaps if text.strip()), home)
    return named or _urls([USUAL_PLACE], home)


def _urls(texts: Iterable[str], base: Url) -> tuple[Url, ...]:
    found = dict.fromkeys(canonical(text, base) for text in texts)
    return tuple(url for url in found if not isinstance(url, Refusal))


@dataclass(frozen=True, slots=True)
class PlannedSitemap:
    """A sitemap to be read."""

    url: Url
    depth: int  # indexes on the way to it
    vouched: frozenset[str] | None  # as `admissible` takes it; what an index names inherits it


@dataclass(frozen=True, slots=True)
class SitemapPlan:
    """What to read next for one host. A value: it is fed results and makes a new plan.

    Each sitemap is read once, however many name it, so a loop of indexes ends.
    """

    max_files: int
    waiting: tuple[PlannedSitemap, ...] = ()
    known: frozenset[Url] = frozenset()  # waiting or read

    @classmethod
    def for_origin(
        cls,
        origin: str,
        robots_sitemaps: Sequence[str],
        limits: Sitemaps,
        given: Iterable[Url] = (),
    ) -> tuple[Self, tuple[Problem, ...]]:
        """A plan that begins with what the user gave, then what robots.txt names."""
        home = canonical(origin)
        vouched = frozenset() if isinstance(home, Refusal) else frozenset({host_of(home)})
        planned = [PlannedSitemap(url, 0, None) for url in given]
        found = sitemap_candidates(robots_sitemaps, origin)
        planned += [PlannedSitemap(url, 0, vouched) for url in found]
        return cls(limits.max_files)._with(planned)

    @property
    def next(self) -> PlannedSitemap | None:
        """What to read now; None when all is done."""
        return self.waiting[0] if self.waiting else None

    def after(
        self, read: PlannedSitemap, links: Iterable[SitemapLink]
    ) -> tuple[Self, tuple[Problem, ...]]:
        """The plan once a sitemap was read (or could not be), which named these others."""
        rest = tuple(planned for planned in self.waiting if planned.url != read.url)
        deeper = [PlannedSitemap(link.url, read.depth + 1, read.vouched) for link in links]
        return replace(self, waiting=rest)._with(deeper)

    def _with(self, planned: Iterable[PlannedSitemap]) -> tuple[Self, tuple[Problem, ...]]:
        fresh: dict[Url, PlannedSitemap] = {}
        too_deep = too_many = 0
        for item in planned:
            if item.url in self.known or item.url in fresh:
                continue
            if item.depth > MAX_DEPTH:
                too_deep += 1
            elif len(self.known) + len(fresh) >= self.max_files:
                too_many += 1
            else:
                fresh[item.url] = item
        plan = replace(
            self, waiting=(*self.waiting, *fresh.values()), known=self.known.union(fresh)
        )
        return plan, _problems(too_deep, too_many, self.max_files)


def _problems(too_deep: int, too_many: int, max_files: int) -> tuple[Problem, ...]:
    problems = []
    if too_deep:
        problems.append(f"{too_deep:,} sitemaps ignored: more than {MAX_DEPTH} indexes deep")
    if too_many:
        problems.append(f"{too_many:,} sitemaps ignored: more than {max_files:,} of one host")
    return tuple(Problem(message, SYNTAX) for message in problems)
