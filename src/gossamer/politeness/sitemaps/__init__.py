"""Sitemaps: where to look for them, what they say, and which of it counts. Pure.

What they say is found out by `read.py`, which is not imported here: its parser is for workers.
"""

from gossamer.politeness.sitemaps.admit import admissible
from gossamer.politeness.sitemaps.discover import (
    PlannedSitemap,
    SitemapPlan,
    sitemap_candidates,
)
from gossamer.politeness.sitemaps.values import (
    ChangeFrequency,
    SitemapEntry,
    SitemapItem,
    SitemapLink,
)

__all__ = [
    "ChangeFrequency",
    "PlannedSitemap",
    "SitemapEntry",
    "SitemapItem",
    "SitemapLink",
    "SitemapPlan",
    "admissible",
    "sitemap_candidates",
]
