"""Which URL of many goes first: a small pure function, which the user may replace.

A replacement is any `Priority`: give it to whoever adds links. What it returns passes
through `clamped`, so that no value of it can break the order of the queue.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

LEAST, MOST = 0, 1000

# Points by kind; together less than a seed's. What a site says about itself weighs less than
# what we see: sitemaps like to call every page important and changed today.
FOR_DEPTH = 400
FOR_YIELD = 300
FOR_SITEMAP_PRIORITY = 150
FOR_FRESHNESS = 100

USUAL_QUADS_PER_PAGE = 20.0  # a host that gives this many earns half the points
FRESHNESS_HALVES_IN = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlFacts:
    """What is known about a URL when it is queued."""

    seed: bool = False
    depth: int = 0
    sitemap_priority: float | None = None  # 0 to 1, as the protocol has it
    changed_ago: timedelta | None = None  # from the sitemap's lastmod
    quads_per_page: float | None = None  # of its host so far, or of the page that links to it


Priority = Callable[[UrlFacts], float]


def priority(facts: UrlFacts) -> int:
    """How soon the URL should be fetched: 0 to 1000, the higher the sooner; seeds first."""
    if facts.seed:
        return MOST
    return clamped(FOR_DEPTH / (1 + max(facts.depth, 0)) + _points(facts))


def promise(facts: UrlFacts) -> int:
    """Priority of a URL however far it is from a seed: by the data around it and what sitemaps say."""
    return MOST if facts.seed else clamped(_points(facts))


def _points(facts: UrlFacts) -> float:
    return (
        FOR_YIELD * _richness(facts.quads_per_page)
        + FOR_SITEMAP_PRIORITY * _importance(facts.sitemap_priority)
        + FOR_FRESHNESS * _freshness(facts.changed_ago)
    )


def clamped(value: float) -> int:
    """A priority as the frontier stores it, whatever a function returned."""
    if math.isnan(value):
        return LEAST
    return round(min(max(value, LEAST), MOST))


def _richness(quads_per_page: float | None) -> float:
    if quads_per_page is None or math.isnan(quads_per_page):
        return 0.5  # unknown hosts deserve a look
    quads = max(quads_per_page, 0.0)
    return 1.0 if math.isinf(quads) else quads / (quads + USUAL_QUADS_PER_PAGE)


def _freshness(changed_ago: timedelta | None) -> float:
    if changed_ago is None:
        return 0.0
    # A date in the future is a mistake or a trick: it counts as today, no more.
    halvings = max(changed_ago, timedelta(0)) / FRESHNESS_HALVES_IN
    return math.exp2(-min(halvings, 1000.0))


def _importance(sitemap_priority: float | None) -> float:
    if sitemap_priority is None or math.isnan(sitemap_priority):
        return 0.5  # the sitemap protocol's default
    return min(max(sitemap_priority, 0.0), 1.0)
