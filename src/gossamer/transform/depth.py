"""Cuts markup that nests or repeats without end before it reaches a parser. Pure.

Lexbor walks the stack of open elements at every `<div>` and its kind, opens all formatting
elements that nobody closed anew in each block, and compares each attribute of a tag with all
others: pages of some hundred kilobytes would keep it busy for minutes, in gigabytes of memory. No
page of this world comes near these limits.

What is open where is followed roughly, and rather too much than too little is taken for open.
"""

import re
from collections.abc import Iterator
from typing import AnyStr, Final

from gossamer.transform.nesting import is_well_nested

DEEPEST: Final = 2_000  # open elements
MANY: Final = 20_000  # tags; a page with fewer cannot be too deep for long, unless it is odd
FEW: Final = 4_000  # tags; with fewer, not even an odd one takes long
LONG: Final = 256 * 1024  # bytes; in fewer, no tag has too many attributes for long
MOST_ATTRIBUTES: Final = 1_000  # of one tag
MOST_LOOKS: Final = 4  # at each character, on average, in search of such a tag
MOST_FORMATTING: Final = 64  # formatting elements that nobody closes, equal ones three times
_SHORTEST_TAG: Final = len("<b>")
_ODD: Final = 300  # formatting elements with attributes, after which a page is looked into

_FORMATTING: Final = frozenset(
    ["b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"]
)
# HTML, "tokenization": how a tag goes on behind its name. Possessive: nothing is looked at twice.
_ATTRIBUTE: Final = (
    r"""[\s/]++|[^\s/>][^\s/>=]*+"""
    r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|(?=>)|(?!["'>])[^\s>]++))?+"""
)
# The same, where a quote that nobody closes goes on to the end of the page.
_ATTRIBUTE_OR_REST: Final = (
    r"""(?:[\s/]++|[^\s/>][^\s/>=]*+"""
    r"""(?:\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|(?=>)|(?!["'>])[^\s>]++))?+)"""
)
# Whatever may be a tag, in another tag or a script, too: which of them is one depends on what is
# open. Group 1 is how it goes on; there is a group 2 if it goes on for too long.
_PERHAPS_TAG: Final = (
    rf"<[A-Za-z](?=([^\s/>]*+{_ATTRIBUTE_OR_REST}{{0,{2 * MOST_ATTRIBUTES - 1}}}+"
    rf"({_ATTRIBUTE_OR_REST})?+))"
)
_PERHAPS_TAG_BYTES: Final = re.compile(_PERHAPS_TAG.encode())
_PERHAPS_TAG_TEXT: Final = re.compile(_PERHAPS_TAG)
_SUSPECT: Final = re.compile(
    rb"<(?:b(?:ig|ody)?|code|em|font|html|i|s(?:mall|trike|trong)?|tt|u)[\s/]", re.IGNORECASE
)
_TOKEN: Final = re.compile(
    rf"<!--(?:-?>|.*?--!?>|.*)|<!\[CDATA\[|<[!?][^>]*+|</[^A-Za-z][^>]*+"
    rf"|<(/?)([A-Za-z][^\s/>]*+)((?:{_ATTRIBUTE})*+)",
    re.DOTALL,
)
_NEVER_OPEN: Final = frozenset(
    [
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "hr",
        "image",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
        "option",
        "head",
        "frame",
    ]
)
_ONCE: Final = frozenset(("html", "body"))  # further ones add attributes to the first
_RAW: Final = frozenset(["script", "style", "title", "textarea", "iframe"])
_RAW_ENDS: Final = {name: re.compile(rf"</{name}[\s/>]", re.IGNORECASE) for name in sorted(_RAW)}
_PLAIN: Final = re.compile(r"[^<]*+</(title|style|script)[\s/]*+>", re.IGNORECASE)
_STRANGE: Final = frozenset(["xmp", "noembed", "noframes", "plaintext", "frameset"])
_TABLE: Final = frozenset(
    ["table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "colgroup"]
)
_TABLE_PARTS: Final = _TABLE - {"table"}
_ITEMS: Final = {"li": ("li",), "dd": ("dd", "dt"), "dt": ("dd", "dt")}
_CELLS: Final = {
    **dict.fromkeys(("td", "th"), ("td", "th")),
    "tr": ("tr",),
    **dict.fromkeys(("tbody", "thead", "tfoot"), ("tbody", "thead", "tfoot", "caption")),
}
# Elements that an end tag does not reach over: those of any kind, and those of tables.
_BORDERS: Final = frozenset(
    [
        "applet",
        "caption",
        "html",
        "table",
        "td",
        "th",
        "marquee",
        "object",
        "template",
        "mi",
        "mo",
        "mn",
        "ms",
        "mtext",
        "annotation-xml",
        "foreignobject",
        "desc",
        "title",
    ]
)
_TABLE_BORDERS: Final = frozenset(("table", "template"))
_MARKERS: Final = frozenset(["applet", "object", "marquee", "template", "td", "th", "caption"])
_SPECIAL: Final = _BORDERS | frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "button",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "iframe",
        "li",
        "listing",
        "main",
        "menu",
        "nav",
        "noscript",
        "ol",
        "p",
        "pre",
        "search",
        "section",
        "select",
        "summary",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
        "xmp",
    ]
)

# What ends a paragraph, and what does not end an item of a list.
_CLOSE_PARAGRAPHS: Final = _SPECIAL - _BORDERS - _TABLE - {"button", "noscript", "select", "iframe"}
_BETWEEN_ITEMS: Final = _SPECIAL - {"address", "div", "p"}
# Their end tags reach over nothing but what is no block.
_LOOSE: Final = frozenset(
    ("li", "noscript", "mi", "mo", "mn", "ms", "mtext", "annotation-xml", "foreignobject", "desc")
)


def is_harmless(markup: bytes) -> bool:
    """Whether the whole text is safe to parse, as on nearly every page."""
    if len(markup) > LONG:
        if is_well_nested(markup):
            return True
        if _overlong(_PERHAPS_TAG_BYTES.finditer(markup), len(markup)) >= 0:
            return False
    if len(markup) <= _SHORTEST_TAG * FEW or (tags := markup.count(b"<")) <= FEW:
        return True
    if (
        tags <= MANY
        and tags - 2 * markup.count(b"</") <= DEEPEST
        and len(_SUSPECT.findall(markup)) <= _ODD
    ):
        return True
    return len(markup) <= LONG and is_well_nested(markup)


def shallow(text: str) -> str:
    """The text up to where it nests or repeats too much; usually all of it."""
    if (overlong := _overlong(_PERHAPS_TAG_TEXT.finditer(text), len(text))) >= 0:
        text = text[:overlong]
    return text[: _Nesting(text).end()]


def _overlong(tags: "Iterator[re.Match[AnyStr]]", size: int) -> int:
    """Where a tag has too many attributes, or it would take too long to find one; else -1.

    Tags in tags are looked at again and again, which would grow with the square of the size.
    """
    left = MOST_LOOKS * size
    for tag in tags:
        start = tag.start()
        left -= tag.end(1) - start
        if left < 0 or tag.end(2) >= 0:
            return start
    return -1


class _Nesting:
    """Which elements are open, tag by tag."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[str] = []
        self._places: dict[str, list[int]] = {}  # of open elements, by name
        self._borders: list[int] = []
        self._tables: list[int] = []
        self._special: list[int] = []
        self._markers: list[int] = []
        self._between: list[int] = []
        self._kinds = (
            (_BORDERS, self._borders),
            (_TABLE_BORDERS, self._tables),
            (_SPECIAL, self._special),
            (_MARKERS, self._markers),
            (_BETWEEN_ITEMS, self._between),
        )
        self._closed = 0  # elements that are closed, below others that are not
        self._lasting: dict[str, list[tuple[str, int]]] = {}  # formatting, by name
        self._seen: dict[tuple[str, str], int] = {}
        self._different = 0
        self._once = 0
        self._trusts_end_tags = True

    def end(self) -> int:
        """The offset up to which the text is safe."""
        place, text = 0, self._text
        while token := _TOKEN.search(text, place):
            place = token.end()
            if token[2] is None:
                if token[0] == "<![CDATA[":  # text in drawings, and else a comment up to `>`
                    self._trusts_end_tags = False
                continue
            name = token[2].lower()
            if token[1]:
                if self._trusts_end_tags:
                    self._close(name)
                continue
            if name in _RAW:
                place = self._skip(name, place)
            else:
                self._start(name, token[3])
            if (
                len(self._open) - self._closed > DEEPEST
                or self._different > MOST_FORMATTING
                or self._once > MOST_ATTRIBUTES
            ):
                return token.start()
        return len(text)

    def _skip(self, name: str, start: int) -> int:
        """To the end of an element that holds text alone; where that is in doubt, tags count."""
        if self._is_foreign():
            # The title of a drawing, and its styles: with no tag in them, it is the same whether they
            # are text alone, as outside of drawings, or elements.
            plain = _PLAIN.match(self._text, start)
            if plain and plain[1].lower() == name:
                return plain.end()
        if self._is_foreign() or self._places.get("select"):
            self._trusts_end_tags = False
            self._push(name)
            return start
        end = _RAW_ENDS[name].search(self._text, start)
        stop = end.start() if end else len(self._text)
        if name == "script":
            comment = self._text.find("<!--", start, stop)
            if comment >= 0 and "<script" in self._text[comment:stop].lower():
                self._trusts_end_tags = False
        return stop

    def _start(self, name: str, attributes: str) -> None:
        if name in _STRANGE:
            self._trusts_end_tags = False
        if name in _ONCE:
            self._once += 1
            return
        if self._is_foreign():
            if not attributes.endswith("/"):
                self._push(name)
            return
        if name in _NEVER_OPEN:
            return
        if name in _TABLE_PARTS and not self._tables:
            return
        for each in _ITEMS.get(name, ()):
            self._close_within(each, self._between)
        if name in _CLOSE_PARAGRAPHS:
            self._close_within("p", self._borders)
        if name in ("a", "nobr", "button"):  # one closes another
            self._close(name)
        elif name in _CELLS:
            for each in _CELLS[name]:
                self._close(each)
        elif name in _FORMATTING:
            self._format(name, attributes)
        self._push(name)

    def _is_foreign(self) -> bool:
        return bool(self._places.get("svg") or self._places.get("math"))

    def _push(self, name: str) -> None:
        place = len(self._open)
        self._places.setdefault(name, []).append(place)
        self._open.append(name)
        for names, places in self._kinds:
            if name in names:
                places.append(place)

    def _format(self, name: str, attributes: str) -> None:
        count = self._seen.get((name, attributes), 0)
        self._seen[name, attributes] = count + 1
        self._different += count < 3
        self._lasting.setdefault(name, []).append((attributes, len(self._markers)))

    def _close(self, name: str) -> None:
        if name in _FORMATTING or name == "a":
            self._forget(name)
        places = self._places.get(name)
        if not places:
            return
        place = places[-1]
        if name in _FORMATTING or name in ("a", "nobr", "form"):
            if name == "form" or not self._markers or place > self._markers[-1]:
                places.pop()
                if place == len(self._open) - 1:
                    self._open.pop()
                else:
                    self._open[place] = ""
                    self._closed += 1
            return
        if name in _TABLE:
            borders = self._tables
        else:
            is_block = name in _SPECIAL and name not in _LOOSE
            borders = self._borders if is_block else self._special
        if not borders or place >= borders[-1]:
            self._pop_to(place)

    def _close_within(self, name: str, borders: list[int]) -> None:
        """Close what a start tag closes, unless any of these is open within it."""
        places = self._places.get(name)
        if places and (not borders or places[-1] >= borders[-1]):
            self._pop_to(places[-1])

    def _forget(self, name: str) -> None:
        lasting = self._lasting.get(name)
        if lasting and lasting[-1][1] == len(self._markers):
            attributes, _ = lasting.pop()
            count = self._seen[name, attributes] = self._seen[name, attributes] - 1
            self._different -= count < 3

    def _pop_to(self, place: int) -> None:
        while len(self._open) > place:
            name = self._open.pop()
            if not name:
                self._closed -= 1
                continue
            self._places[name].pop()
            for names, places in self._kinds:
                if name in names:
                    places.pop()
