"""Extracts links and robots directives from HTML and statements."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

from gossamer.extract.html_links import Target, html_hinted, html_links, html_targets
from gossamer.extract.link_query import LinkQuery
from gossamer.extract.meta_directives import html_directives
from gossamer.extract.statement_links import statement_links
from gossamer.model import Detection, Link, Syntax, Url
from gossamer.transform.document import Document

MOST_OF_TITLE: Final = 200  # characters
MOST_OF_TEXT: Final = 1_000_000
__all__ = [
    "LinkQuery",
    "distinct",
    "hints_of",
    "links_of",
    "meta_directives",
    "page_text",
    "page_title",
    "targets_of",
]


def links_of(
    document: Document, detection: Detection, nquads: bytes = b"", limit: int | None = None
) -> list[Link]:
    """The links of a page, from its HTML and its statements, each once.

    A limit counts them as they stand on the page, before equal ones become one.
    """
    written = html_links(document) if _is_html(detection) else ()
    return distinct(islice(chain(written, statement_links(nquads)), limit))


def targets_of(
    document: Document, detection: Detection, nquads: bytes = b"", limit: int | None = None
) -> tuple[list[Url], list[Url]]:
    """The URLs of a page's links: those it vouches for, and the nofollow ones."""
    written: Iterable[Target] = html_targets(document) if _is_html(detection) else ()
    stated = ((link.url, link.nofollow) for link in statement_links(nquads))
    found: dict[Url, bool] = {}
    for url, unvouched in islice(chain(written, stated), limit):
        found[url] = unvouched and found.get(url, True)
    shunned = [url for url, unvouched in found.items() if unvouched]
    return (
        [url for url, unvouched in found.items() if not unvouched] if shunned else [*found]
    ), shunned


def hints_of(
    document: Document, detection: Detection, limit: int | None = None
) -> dict[Url, tuple[str, str]]:
    """Of each link in a page's HTML the elements that it first stands in, and its label."""
    found: dict[Url, tuple[str, str]] = {}
    if _is_html(detection):
        for url, _, path, label in islice(html_hinted(document), limit):
            found.setdefault(url, (path, label))
    return found


def page_title(document: Document, detection: Detection) -> str:
    """The title of an HTML page; empty where there is none."""
    if not _is_html(detection):
        return ""
    title = document.html.css_first("title")
    return "" if title is None else title.text()[:MOST_OF_TITLE]


def page_text(document: Document, detection: Detection) -> str:
    """What people may read on an HTML page, as far as it is looked at for words."""
    if not _is_html(detection):
        return ""
    body = document.html.body
    return "" if body is None else body.text(deep=True, separator=" ")[:MOST_OF_TEXT]


def meta_directives(document: Document, detection: Detection) -> Iterator[tuple[str, str]]:
    """The robots and usage directives in a page's meta elements: name and content."""
    if _is_html(detection):
        yield from html_directives(document)


def distinct(links: Iterable[Link]) -> list[Link]:
    """Each URL once, in order; it is followed if any link to it is not nofollow."""
    found: dict[Url, Link] = {}
    for link in links:
        first = found.setdefault(link.url, link)
        if first is link:
            continue
        gains_label = first.label is None and link.label is not None
        if gains_label or (first.nofollow and not link.nofollow):
            found[link.url] = first._replace(
                label=first.label or link.label,
                nofollow=first.nofollow and link.nofollow,
            )
    return list(found.values())


def _is_html(detection: Detection) -> bool:
    return Syntax.PAGE in detection.syntaxes
