"""The links of an HTML page, in document order, as often as they stand there. Pure.

What counts as a link is in docs/vocabularies.md. Pictures, scripts and forms lead nowhere.
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

_SELECTED: Final = (
    "a[href],area[href],link[rel][href],iframe[src],frame[src],meta[http-equiv][content]"
)
# HTML, "shared declarative refresh steps".
_REFRESH: Final = re.compile(
    r"\s*+[\d.]++(?=[;,\s])\s*+[;,]?\s*+(?:url\s*+=\s*+)?+(?:'([^']*)|\"([^\"]*)|(\S.*))",
    re.IGNORECASE | re.DOTALL,
)
Attributes = Mapping[str, str | None]


def html_links(document: Document, *, labelled: bool = True) -> Iterator[Link]:
    """Every link whose address can be fetched; what the page calls it is found only if wanted."""
    base = Base(_base(document))
    labels = Labels() if labelled else None
    for node in document.html.css(_SELECTED):
        attributes, tag = node.attributes, node.tag or ""
        reference = _REFERENCES[tag](attributes)
        if reference is None:
            continue
        url = base.joined(reference)
        if not isinstance(url, Refusal):
            yield _link(url, tag, node, attributes, labels)


def _base(document: Document) -> Url | None:
    """What references are joined to; a base element that makes no sense is none."""
    for candidate in (document.html_base, document.url):
        url = canonical(candidate)
        if not isinstance(url, Refusal):
            return url
    return None


def _link(
    url: Url, tag: str, node: LexborNode, attributes: Attributes, labels: Labels | None
) -> Link:
    said = attributes.get("rel")
    rel = tuple(said.lower().split()) if said else ()
    label = _label(node, attributes, labels) if labels else None
    return Link(url, label, rel, bool(rel) and not UNVOUCHED.isdisjoint(rel), tag)


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
