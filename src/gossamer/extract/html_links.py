"""Finds the links of an HTML page, in document order, with repetitions. Pure.

What counts as a link is in docs/vocabularies.md. Pictures, scripts and forms lead nowhere.

An `a` that is not closed is opened again in each block that follows (HTML, "reconstruct the active formatting
elements"), so one link of the author becomes many elements with the same attributes. Such elements in a row, each in
another parent, are one link.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.extract.base import Base
from gossamer.model import Link, Refusal, Url
from gossamer.transform.document import Document
from gossamer.transform.kinds import one_line
from gossamer.transform.labels import Labels
from gossamer.urls import canonical

LINKING: Final = frozenset(
    [
        "alternate",
        "canonical",
        "contents",
        "describedby",
        "first",
        "index",
        "last",
        "meta",
        "next",
        "prev",
        "previous",
        "up",
    ]
)
"""Relations of `link` elements that lead to pages; icons, styles and the like do not."""

UNVOUCHED: Final = frozenset(("nofollow", "ugc", "sponsored"))
MAX_LABEL: Final = 300  # characters; a longer one is a text, not a label

# Attributes first: fewer elements have them, and the engine takes longer to compare a name.
_SELECTED: Final = (
    "[href]:is(a,area,link[rel]),[src]:is(iframe,frame),[http-equiv][content]:is(meta)"
)
# HTML, "shared declarative refresh steps".
_REFRESH: Final = re.compile(
    r"\s*+[\d.]++(?=[;,\s])\s*+[;,]?\s*+(?:url\s*+=\s*+)?+(?:'([^']*)|\"([^\"]*)|(\S.*))",
    re.IGNORECASE | re.DOTALL,
)
Attributes = Mapping[str, str | None]
Target = tuple[Url, bool]
"""An address, and whether the page does not vouch for it."""


def html_links(document: Document) -> Iterator[Link]:
    """Every link with a URL that can be fetched, and its label."""
    labels = Labels()
    link: Link | None = None
    for url, node, attributes, is_again in _leading(document):
        if is_again and link is not None:
            if link.label is None:
                link = link._replace(label=_label(node, attributes, labels))
            continue
        if link is not None:
            yield link
        rel = tuple((attributes.get("rel") or "").lower().split())
        label = _label(node, attributes, labels)
        link = Link(url, label, rel, not UNVOUCHED.isdisjoint(rel), node.tag or "")
    if link is not None:
        yield link


def html_targets(document: Document) -> Iterator[Target]:
    """Only the URLs of a page's links, which takes half the time."""
    for url, _, attributes, is_again in _leading(document):
        if is_again:
            continue
        rel = attributes.get("rel") or ""
        yield url, bool(rel) and not UNVOUCHED.isdisjoint(rel.lower().split())


def _leading(document: Document) -> Iterator[tuple[Url, LexborNode, Attributes, bool]]:
    """Each element that leads somewhere, and whether it is the `a` before it, opened again."""
    joined = Base(_base(document)).joined
    before: LexborNode | None = None  # the link before, and its attributes
    known: Attributes | None = None
    for node in document.html.css(_SELECTED):
        attributes = node.attributes
        reference = _REFERENCES[node.tag or ""](attributes)
        if reference is not None and not isinstance(url := joined(reference), Refusal):
            is_again = attributes == known and _is_opened_again(node, before)
            yield url, node, attributes, is_again
            before, known = node, attributes


def _is_opened_again(node: LexborNode, before: LexborNode | None) -> bool:
    """Whether an element may be the `a` before it, whose attributes it has: its parent was closed meanwhile."""
    if before is None or node.tag != "a" or before.tag != "a":
        return False
    parent, other = node.parent, before.parent
    return parent is not None and other is not None and parent.mem_id != other.mem_id


def _base(document: Document) -> Url | None:
    """What references are joined to; a base element that makes no sense is none."""
    for candidate in (document.html_base, document.url):
        url = canonical(candidate)
        if not isinstance(url, Refusal):
            return url
    return None


def _label(node: LexborNode, attributes: Attributes, labels: Labels) -> str | None:
    words = labels.of(node) if node.tag == "a" else one_line(attributes.get("alt") or "")
    words = words or one_line(attributes.get("title") or "")
    return words[:MAX_LABEL] or None


def _href(attributes: Attributes) -> str | None:
    # In drawings, where the selector finds it under its local name.
    return attributes.get("href" if "href" in attributes else "xlink:href") or ""


def _src(attributes: Attributes) -> str | None:
    return attributes["src"]


def _relation(attributes: Attributes) -> str | None:
    words = frozenset((attributes["rel"] or "").lower().split())
    leads = not LINKING.isdisjoint(words) and "stylesheet" not in words
    return attributes.get("href") if leads else None


def _refresh(attributes: Attributes) -> str | None:
    if (attributes["http-equiv"] or "").strip().lower() != "refresh":
        return None
    match = _REFRESH.match(attributes["content"] or "")
    return None if match is None else match[1] or match[2] or match[3]


_REFERENCES: Final[Mapping[str, Callable[[Attributes], str | None]]] = {
    "a": _href,
    "area": _href,
    "link": _relation,
    "iframe": _src,
    "frame": _src,
    "meta": _refresh,
}
