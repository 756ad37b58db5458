"""Excerpts of long HTML pages: the few elements that one syntax needs, found without a tree. Pure.

A tree of a page of megabytes takes long, and so does making sure that it may be built (`depth.py`). JSON-LD is in
script elements alone, Open Graph and Dublin Core in `meta` and `link`: an excerpt has their markup as it stands, and
the tree of the excerpt has the same elements as that of the page. Where that is in doubt there is no excerpt.
"""

import re
from collections.abc import Container
from types import MappingProxyType
from typing import Final

from gossamer.transform.depth import LONG
from gossamer.transform.nesting import TAG_REST, WHITE_SPACE

FROM_EXCERPT: Final = MappingProxyType(
    {
        "json-ld": frozenset((b"script",)),
        "opengraph": frozenset((b"html", b"head", b"meta")),
        "dublincore": frozenset((b"meta", b"link")),
    }
)
"""The kinds of items that an excerpt is enough for, and the elements that it has to have."""

SHORTEST: Final = LONG // 2  # bytes; of shorter pages the tree is there as soon
_END: Final = rb"[/>" + WHITE_SPACE + rb"]"  # of a name
_TEXTS: Final = rb"script|style|title|textarea|iframe"
_DOUBTS: Final = rb"template|xmp|noembed|noframes|plaintext|frameset"


def _skipped(telling: bytes) -> bytes:
    """All up to the next tag, comment or section that matters, in small letters, besides tags with these names."""
    starts = rb"(?:" + _TEXTS + rb"|" + _DOUBTS + rb"|svg|math|select" + telling + rb")" + _END
    ends = rb"(?:svg|math|select|template|frameset)" + _END
    # What says nothing, wherever it stands: text, tags, and titles and styles that are text alone.
    nothing = (
        rb"[^<]++|<(?![a-z/!?])"
        rb"|<(?!(?=[fhilmnpstx])" + starts + rb"|/" + ends + rb")"
        rb"/?[a-z][^/>"
        + WHITE_SPACE
        + rb"]*+"
        + TAG_REST
        + rb"|<(?:[!?](?!--|\[cdata\[)|/(?![a-z]))[^>]*+>"
        rb"|<title" + TAG_REST + rb"[^<]*+</title[" + WHITE_SPACE + rb"]*+>"
        rb"|<style" + TAG_REST + rb"[^<]*+</style[" + WHITE_SPACE + rb"]*+>"
    )
    # A drawing is mostly a symbol.
    drawing = rb"<svg" + TAG_REST + rb"(?:" + nothing + rb")*+</svg[" + WHITE_SPACE + rb"]*+>"
    return rb"(?:" + nothing + rb"|" + drawing + rb")*+"


_SKIPPED: Final = re.compile(_skipped(rb"|meta|link|html|head"))
_SKIPPED_BEFORE_SCRIPTS: Final = re.compile(_skipped(b""))
_TAG: Final = re.compile(rb"<(/?)([A-Za-z0-9]++)(" + TAG_REST + rb")")
_COMMENT: Final = re.compile(rb"<!--(?:-?>|.*?--!?>|.*)", re.DOTALL)
_TEXT_ENDS: Final = {
    name: re.compile(rb"</" + name + rb"[\s/>]", re.IGNORECASE)
    for name in (b"script", b"style", b"title", b"textarea", b"iframe")
}
_TELLING: Final = (
    b"property",
    b"name",
    b"rel",
)  # attributes; by any other, Open Graph says nothing
_FOREIGN: Final = frozenset((b"svg", b"math"))
_DOUBTFUL: Final = frozenset(
    (b"template", b"xmp", b"noembed", b"noframes", b"plaintext", b"frameset")
)


def excerpt(markup: bytes, names: Container[bytes]) -> bytes | None:
    """The start tags with one of these names, and of `script` the elements of JSON-LD; None where in doubt.

    Those of `meta` and `link` that have none of the attributes `property`, `name` and `rel` are left out. The
    markup is in an encoding in which ASCII is ASCII.
    """
    kept: list[bytes] = []
    low = markup.lower()
    foreign: list[bytes] = []
    place, selects = 0, False
    scripts_alone = not any(name in names for name in (b"meta", b"link", b"html", b"head"))
    skip = _SKIPPED_BEFORE_SCRIPTS.match if scripts_alone else _SKIPPED.match
    while skipped := skip(low, place):
        if (place := skipped.end()) == len(markup):
            return b"".join(kept)
        if comment := _COMMENT.match(markup, place):
            place = comment.end()
            continue
        tag = _TAG.match(markup, place)
        if tag is None:  # a section, or a broken tag
            return None
        start, place = place, tag.end()
        name = tag[2].lower()
        is_end = bool(tag[1])
        if name in _DOUBTFUL:
            return None
        if name in _FOREIGN:
            if not is_end:
                foreign += [] if tag[3].endswith(b"/>") else [name]
            elif not foreign or foreign.pop() != name:
                return None
        elif name == b"select":
            selects = not is_end
        elif is_end:
            continue
        elif name in _TEXT_ENDS:
            end = _TEXT_ENDS[name].search(markup, place)
            if end is None:
                return None
            text = markup[place : end.start()]
            # In drawings these are elements, and elsewhere text: without a tag in it, all the same.
            if b"<" in text and (foreign or (name == b"script" and b"<!--" in text)):
                return None
            if (foreign or selects) and name in (b"textarea", b"iframe"):
                return None
            if selects and name != b"script":
                return None
            if name == b"script" and _may_be_json_ld(tag[3]):
                if foreign:
                    return None
                if name in names:
                    kept += (markup[start : end.start()], b"</script>")
            place = end.start()
        elif name in names:
            if foreign or selects:
                return None
            if name not in (b"meta", b"link") or any(each in low[start:place] for each in _TELLING):
                kept.append(markup[start:place])
    return None  # never: what can be skipped may be nothing


def _may_be_json_ld(attributes: bytes) -> bool:
    low = attributes.lower()
    return b"ld+json" in low or b"&" in low
