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
MOST_STEPS: Final = 5  # of the path of elements around a link
MOST_HEIGHT: Final = 60  # elements within elements; beyond, nobody looks
_PLAIN: Final = frozenset(("li", "tr", "td", "p", "span", "b", "i", "em", "strong", "tbody"))
_DIGITS: Final = re.compile(r"\d+")
HintedTarget = tuple[Url, bool, str, str]
"""An address, whether the page does not vouch for it, the elements around it, and its label."""
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


def html_hinted(document: Document) -> Iterator[HintedTarget]:
    """The URLs of a page's links, each with the elements that it stands in and the words with it."""
    labels, paths = Labels(), _Paths()
    for url, node, attributes, is_again in _leading(document):
        if is_again:
            continue
        rel = attributes.get("rel") or ""
        unvouched = bool(rel) and not UNVOUCHED.isdisjoint(rel.lower().split())
        yield url, unvouched, paths.of(node), _label(node, attributes, labels) or ""


class _Paths:
    """The names of the elements around a link: the nearest few, and the part of the page that they are in."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}  # by element: neighbours share most of them

    def of(self, node: LexborNode) -> str:
        """The path of a link."""
        parent = node.parent
        above = "" if parent is None else self._path(parent, 0)
        return f"{above}>{node.tag}".lstrip(">")

    def _path(self, node: LexborNode, height: int) -> str:
        if (known := self._known.get(node.mem_id)) is not None:
            return known
        tag = node.tag or ""
        parent = node.parent
        if parent is None or tag in ("body", "html") or height >= MOST_HEIGHT:
            return ""
        above = self._path(parent, height + 1)
        name = tag if tag in _PLAIN else f"{tag}{_style(node)}"
        path = f"{above}>{name}".lstrip(">")
        steps = path.split(">")
        if len(steps) > MOST_STEPS:  # where the part of the page begins, and what is nearest
            path = ">".join([steps[0], *steps[1 - MOST_STEPS :]])
        self._known[node.mem_id] = path
        return path


def _style(node: LexborNode) -> str:
    """The first class of an element, with numbers left out; else its id."""
    words = (node.attributes.get("class") or "").split()
    word = words[0] if words else ""
    return f".{_DIGITS.sub('#', word[:24])}" if word else ""


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
