"""Decides which entries of a sitemap count: a sitemap speaks for its own site only.

sitemaps.org lets a host speak through a sitemap that lies elsewhere: it names
that sitemap in its robots.txt, and so vouches for what stands there about itself.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from gossamer.model import Problem, Refusal, Url
from gossamer.sitemaps.values import SYNTAX, SitemapEntry, SitemapItem, SitemapLink
from gossamer.urls import host_of, site_of

ANOTHER_SITE = "of another site, whose robots.txt does not name this sitemap"

Scope = Callable[[Url], Refusal | None]


def admissible(
    items: Iterable[SitemapItem],
    sitemap: Url,
    vouched: frozenset[str] | None,
    scope: Scope = lambda _url: None,
) -> Iterator[SitemapItem]:
    """The entries that count, then one problem for each reason why others do not.

    `vouched` are the hosts whose robots.txt names the sitemap (or an index that led
    to it); None if the user did, who may name pages anywhere. `scope` is asked about
    pages, not about further sitemaps: these may lie outside of what is crawled.
    """
    home = site_of(host_of(sitemap))
    ignored: Counter[str] = Counter()
    for item in items:
        reason = None if isinstance(item, Problem) else _why_not(item, home, vouched, scope)
        if reason is None:
            yield item
        else:
            ignored[reason] += 1
    for reason, count in ignored.items():
        yield Problem(f"{count:,} entries ignored: {reason}", SYNTAX)


def _why_not(
    item: SitemapEntry | SitemapLink, home: str, vouched: frozenset[str] | None, scope: Scope
) -> str | None:
    host = host_of(item.url)
    if vouched is not None and host not in vouched and site_of(host) != home:
        return ANOTHER_SITE
    refusal = scope(item.url) if isinstance(item, SitemapEntry) else None
    # By rule, not by sentence: a sentence may tell of the single URL.
    return f"refused by the rule {refusal.rule}" if refusal else None
