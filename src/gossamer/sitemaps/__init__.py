"""Sitemaps: where to look for them, what they say, and which of it counts. Pure.

What they say is found out by `read.py`, which is not imported here: its parser is for workers.
"""

from gossamer.sitemaps.admit import admissible
from gossamer.sitemaps.discover import (
    PlannedSitemap,
    SitemapPlan,
    sitemap_candidates,
)
from gossamer.sitemaps.values import (
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
