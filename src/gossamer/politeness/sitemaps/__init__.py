"""Sitemaps: where to look for them, what they say, and which of it counts. Pure."""

from gossamer.politeness.sitemaps.admit import admissible
from gossamer.politeness.sitemaps.discover import (
    PlannedSitemap,
    SitemapPlan,
    sitemap_candidates,
)
from gossamer.politeness.sitemaps.read import read_sitemap
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
    "read_sitemap",
    "sitemap_candidates",
]
