"""The rule `noindex`: data on a page that search engines are told to leave out."""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage

SEE: Final = "https://developers.google.com/search/docs/crawling-indexing/block-indexing"
_NOINDEX: Final = re.compile(r"(?:^|[\s,:])(?:noindex|none)(?=$|[\s,])", re.IGNORECASE)
_ROBOTS: Final = frozenset({"robots", "googlebot", "bingbot"})


def noindex_sources(page: RulePage) -> Iterator[str]:
    """Where a page says that it is not to be indexed: the names of meta elements, or the header."""
    if _NOINDEX.search(page.robots_tag):
        yield "X-Robots-Tag"
    for name, content in page.directives:
        if name.strip().lower() in _ROBOTS and _NOINDEX.search(content):
            yield f"meta {name.strip().lower()}"


def data_without_index(page: RulePage) -> Iterator[Finding]:
    """That a page has data of schema.org, and is not to be indexed."""
    source = next(noindex_sources(page), None)
    if source is not None and page.schema.entities:
        yield Finding(
            f"The page has structured data and says noindex, in {source}: no search engine shows it.",
            Severity.WARNING,
            page.line_of("noindex") if source != "X-Robots-Tag" else None,
            fix="Take noindex away if the page is to be found; otherwise leave the data out.",
            see=SEE,
        )
