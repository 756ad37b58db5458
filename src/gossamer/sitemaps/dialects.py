"""The XML vocabularies of sitemaps: which elements are entries, and what they contain.

Only what an entry says of itself is read. Images, videos, news and other
languages' versions (`xhtml:link`) are left alone: the protocol wants each page,
and so each version of it, listed as an entry of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from gossamer.model import Url
from gossamer.sitemaps.values import (
    SitemapEntry,
    SitemapLink,
    change_frequency,
    moment,
    share,
)

SITEMAP_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
ATOM_SPACE = "http://www.w3.org/2005/Atom"
DUBLIN_CORE_SPACE = "http://purl.org/dc/elements/1.1/"  # the dates of RSS 1.0

ADDRESSES = ("loc", "link", "guid")  # the first that an entry has
DATES = ("lastmod", "updated", "pubdate", "date", "modified", "published", "issued")


@dataclass(frozen=True, slots=True)
class Dialect:
    """One vocabulary. Names are local and in lower case: many files get the rest wrong."""

    spaces: frozenset[str]  # namespaces that are right for it; none: any will do
    entries: frozenset[str]
    fields: frozenset[str]
    relative: bool = False  # whether addresses may be relative to the file


UNKNOWN = Dialect(frozenset(), frozenset(), frozenset())
SITEMAP = Dialect(
    frozenset({SITEMAP_SPACE}),
    frozenset({"url", "sitemap"}),
    frozenset({"loc", "lastmod", "changefreq", "priority"}),
)
RSS = Dialect(
    frozenset(),
    frozenset({"item"}),
    frozenset({"link", "guid", "pubdate", "date"}),
    relative=True,
)
ATOM = Dialect(
    frozenset({ATOM_SPACE, "http://purl.org/atom/ns#"}),  # 1.0 and 0.3
    frozenset({"entry"}),
    frozenset({"updated", "modified", "published", "issued"}),
    relative=True,
)

DIALECTS: Mapping[str, Dialect] = {
    "urlset": SITEMAP,
    "sitemapindex": SITEMAP,
    "rss": RSS,
    "rdf": RSS,
    "feed": ATOM,
}


@dataclass(slots=True)
class OpenEntry:
    """An entry while its element is being read."""

    name: str
    space: str
    depth: int
    fields: dict[str, str] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)  # Atom's, which stand in attributes
    loose: str = ""  # text outside of any field

    def addresses(self) -> list[str]:
        """The URLs of an entry; as a last resort, its bare text."""
        if self.links:
            return self.links
        for name in ADDRESSES:
            if address := self.fields.get(name, "").strip():
                return [address]
        return [self.loose]

    def item(self, url: Url) -> SitemapEntry | SitemapLink:
        """The entry for one of its URLs."""
        lastmod = self._lastmod()
        if self.name == "sitemap":
            return SitemapLink(url, lastmod)
        fields = self.fields
        priority, changefreq = fields.get("priority"), fields.get("changefreq")
        return SitemapEntry(url, lastmod, share(priority), change_frequency(changefreq))

    def _lastmod(self) -> datetime | None:
        for name in DATES:
            if (text := self.fields.get(name)) and (date := moment(text)):
                return date
        return None


@lru_cache(maxsize=1024)
def split_name(tag: str) -> tuple[str, str]:
    """Namespace and local name, in lower case, of a `{namespace}name`."""
    space, _, name = tag.removeprefix("{").rpartition("}")
    return space, name.lower()
