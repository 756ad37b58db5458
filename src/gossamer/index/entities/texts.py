"""What is text among literals, and how it is cleaned of what is not meant to be read. Pure."""

import html
import re
from typing import Final

import pyoxigraph as ox

MOST_OF_A_NAME: Final = 300  # characters
MOST_OF_A_TEXT: Final = 20_000
MOST_OF_AN_ENTITY: Final = 100_000

_TEXT_TYPES: Final = frozenset(
    map(
        ox.NamedNode,
        (
            "http://www.w3.org/2001/XMLSchema#string",
            "http://www.w3.org/2001/XMLSchema#normalizedString",
            "http://www.w3.org/2001/XMLSchema#token",
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#HTML",
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral",
            "http://schema.org/Text",
            "https://schema.org/Text",
        ),
    )
)
# Feeds and careless pages put HTML into text. Only what names an element of it,
# and has attributes with values if any, is taken for a tag: `a<b and c>d` is none.
# Every part is possessive: ` a= a= a=` can be split into names and values in 2**n ways,
# and hostile text ends so that none of them is a tag.
_TAG: Final = re.compile(
    r"</?(?:a|abbr|article|b|blockquote|br|code|dd|del|div|dl|dt|em|figcaption|figure|font|footer"
    r"|h[1-6]|header|hr|i|iframe|img|ins|li|mark|nav|ol|p|picture|pre|q|s|section|small|source|span"
    r"|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul|video|wbr)"
    r"""(?:\s++[\w:.-]++\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[^\s<>"']*+))*+\s*+/?>"""
    r"|<!\[CDATA\[|\]\]>",
    re.IGNORECASE | re.DOTALL,
)
# What is between these is not read; where the second is missing, nothing is taken for the first.
_UNREAD: Final = (("<!--", "-->"), ("<script", "</script>"), ("<style", "</style>"))
_INLINE: Final = re.compile(
    r"</?(?:a|abbr|b|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u)\b"
)
# Control characters, those that turn the direction of what follows, and what is no character.
_NOT_READ: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e0fff]"
)
# A reference beyond all characters; `html.unescape` raises ValueError past 4,300 digits.
_NO_CHARACTER: Final = re.compile(r"&#[0-9]{16,}+;?")
_LETTER: Final = re.compile(r"[^\W\d_]")
# One word, with more than letters; the first part stops at the first sign that no word has.
_CODE: Final = re.compile(
    r"[\x21-\x2e\x3a-\x3c\x3e\x3f\x41-\x5b\x5d-\x7e]*+[0-9@/\\=][\x21-\x7e]*+"
)
_ADDRESS: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*:|//|www\.)\S+", re.IGNORECASE | re.ASCII)
MOST_OF_A_WORD: Final = 100  # of letters without a space, in scripts that have spaces


def is_text(datatype: ox.NamedNode | None) -> bool:
    """Whether a literal of this type, or in a language (None), may hold words: no number, no date."""
    return datatype is None or datatype in _TEXT_TYPES


def cleaned(text: str, most: int = MOST_OF_A_TEXT) -> str:
    """The text as it is read: without tags, what cannot be seen, and needless space; cut."""
    if len(text) > 4 * most:
        text = text[: 4 * most]
    if "<" in text:
        text = _without_tags(text)
    if not text.isprintable():
        text = _NOT_READ.sub("", text)
    return shortened(" ".join(text.split()), most)


def shortened(text: str, most: int) -> str:
    """The beginning of a cleaned text, up to the end of a word if one is near; all, where it fits."""
    if len(text) <= most:
        return text
    end = text.rfind(" ", most - most // 4, most)
    return text[: end if end > 0 else most - 1].rstrip() + "…"


def has_words(text: str) -> bool:
    """Whether a cleaned text is for people: not a code, a number, a date or an address."""
    if _LETTER.search(text) is None:
        return False
    if " " in text:  # which neither a code nor an address has
        return True
    if _CODE.fullmatch(text) or _ADDRESS.fullmatch(text):
        return False
    return not text.isascii() or len(text) <= MOST_OF_A_WORD


def _without_tags(text: str) -> str:
    bare = text
    for first, last in _UNREAD:
        bare = _without(bare, first, last)
    bare = _TAG.sub(_gap, bare)
    return html.unescape(_NO_CHARACTER.sub("\ufffd", bare)) if bare != text else text


def _without(text: str, first: str, last: str) -> str:
    """The text without what stands from a first to the next last.

    An expression would go over what follows a first again and again, and hostile text has many.
    """
    low = text.lower()
    if first not in low or len(low) != len(text):  # some capitals are two small letters
        return text
    kept, at = [], 0
    while (start := low.find(first, at)) >= 0 and (end := low.find(last, start)) >= 0:
        kept += [text[at:start], " "]
        at = end + len(last)
    return "".join([*kept, text[at:]])


def _gap(tag: re.Match[str]) -> str:
    return "" if _INLINE.match(tag[0].lower()) else " "
