"""Tells fast whether a long page is plainly harmless to a parser: nested as pages are, and not deep. Pure.

One expression finds all tags, and one loop over their names follows what is open. What
is open is known exactly, by the rules of HTML, "tree construction", for what pages have: paragraphs and cells that
nobody closes, end tags of nothing, formatting across blocks. Where a page is odder than that the answer is no,
and `depth.py` looks more closely, which takes five times as long.
"""

import re
from typing import Final

MOST_OPEN: Final = 256  # elements
MOST_UNCLOSED: Final = 64  # formatting elements that only a block closed
_MOST_ATTRIBUTES: Final = 500  # of one tag
_MOST_SHAPES: Final = 1_500  # tags of one drawing
_MOST_ROOTS: Final = 100  # `html` and `body`: further ones add attributes to the first
_FAR: Final = 16  # elements that one tag may close
_MOST_ADOPTED: Final = 6  # elements within a formatting element that is closed around them

# HTML, "tokenization", for markup in small letters: what follows the name in a tag where nothing is odd.
WHITE_SPACE: Final = rb"\t\n\f\r "
TAG_REST: Final = (
    rb"(?:[/" + WHITE_SPACE + rb"]++[^/>=\"'" + WHITE_SPACE + rb"]++"
    rb"(?:=(?:\"[^\"]*+\"|'[^']*+'|[^>\"'" + WHITE_SPACE + rb"]++(?=[>" + WHITE_SPACE + rb"])))?+)"
    rb"{0," + str(_MOST_ATTRIBUTES).encode() + rb"}+[/" + WHITE_SPACE + rb"]*+>"
)
_SHAPES: Final = (
    rb"(?:path|circle|rect|g|use|line|polygon|polyline|ellipse|defs|stop|lineargradient"
    rb"|radialgradient|clippath|mask|symbol)"
)
_ODD: Final = (
    rb"(?=[fikmnpstx])(?:frameset|iframe|keygen|math|noembed|noframes|plaintext|script|select|style"
    rb"|svg|textarea|title|xmp)[/>" + WHITE_SPACE + rb"]"
)


def _text(name: bytes) -> bytes:
    """An element of text: with no tag in it, what it is where makes no difference."""
    return name + TAG_REST + rb"[^<]*+</" + name + rb"[" + WHITE_SPACE + rb"]*+>"


def _either(names: str) -> bytes:
    return b"(?:" + b"|".join(names.encode().split()) + b")"


_PASSED: Final = _either("br img input link meta")  # the commonest of those that are never open
_LEAVES: Final = "b em i small span strong time u"  # with a text alone in them they change nothing

# What opens nothing: text, comments, scripts, lists of options, and drawings of shapes.
_NOTHING: Final = (
    rb"[^<]*+(?:<(?:"
    rb"!--(?:-?>|.*?--!?>)|[!?](?!--)[^>]*+>|(?![a-z/!?])"
    rb"|script" + TAG_REST + rb"(?:(?:[^<]++|<(?!/script|!--))*+|(?:[^<]++|<(?!/?script))*+)"
    rb"</script[" + WHITE_SPACE + rb"]*+>"
    rb"|" + b"|".join(map(_text, (b"style", b"title", b"textarea", b"iframe"))) + rb""
    rb"|" + _PASSED + rb"(?=[/>" + WHITE_SPACE + rb"])" + TAG_REST + rb""
    rb"|" + b"|".join(map(_text, _LEAVES.encode().split())) + rb""
    rb"|select"
    + TAG_REST
    + rb"(?:[^<]++|</?opt(?:ion|group)"
    + TAG_REST
    + rb")*+</select["
    + WHITE_SPACE
    + rb"]*+>"
    rb"|svg" + TAG_REST + rb"(?:[^<]++|</?" + _SHAPES + TAG_REST + rb"|<" + _text(b"title") + rb")"
    rb"{0," + str(_MOST_SHAPES).encode() + rb"}+</svg[" + WHITE_SPACE + rb"]*+>"
    rb")[^<]*+)*+"
)
# The name of each tag, an end tag's with its slash. Where one is odd, the rest of the page has no name.
_TAGS: Final = re.compile(
    _NOTHING
    + rb"(?:<(?:(?!"
    + _ODD
    + rb")(/?[a-z][^/>"
    + WHITE_SPACE
    + rb"]*+)"
    + TAG_REST
    + rb"|.*+)|\Z)",
    re.DOTALL,
)


_LAST: Final = b"<last>"  # a tag after the page: what is behind the other tags is seen, too
# Pages that begin so close paragraphs before tables; others may be in quirks mode.
_IN_STANDARDS_MODE: Final = re.compile(
    rb"[" + WHITE_SPACE + rb"]*+<!doctype html[" + WHITE_SPACE + rb"]*+>"
)


def _names(text: str) -> frozenset[bytes]:
    return frozenset(text.encode().split())


def _ends(text: str) -> frozenset[bytes]:
    return frozenset(b"/" + name for name in _names(text))


_NEVER_OPEN: Final = (
    "area base basefont bgsound br col embed frame head image img input link meta param source"
    " track wbr"
)
_PASSED_OVER: Final = _names(_NEVER_OPEN) | _ends(f"{_NEVER_OPEN} body hr html")
_BLOCKS: Final = (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure"
    " footer header hgroup listing main menu nav ol pre search section summary ul"
)
_PLAIN_BLOCKS: Final = _names(_BLOCKS)
_HEADINGS: Final = "h1 h2 h3 h4 h5 h6"
_HEADING_ENDS: Final = _ends(_HEADINGS)
_SECTIONS: Final = "tbody tfoot thead"
_PARTS: Final = f"caption colgroup td th tr {_SECTIONS}"
_FORMATTING: Final = _ends("a b big code em font i nobr s small strike strong tt u")

# HTML, "has an element in scope": by end tag, the end tags of what it does not reach over.
_SCOPE: Final = _ends("applet caption marquee object table td template th")
_PARAGRAPH_SCOPE: Final = _SCOPE | {b"/button"}
_SPECIAL: Final = (
    _SCOPE
    | _HEADING_ENDS
    | _ends(f"{_BLOCKS} {_PARTS} button dd dt form li noscript p") - {b"/dialog"}
)
_BORDERS: Final = {
    **dict.fromkeys(_ends(f"{_BLOCKS} button dd dt {_HEADINGS}"), _SCOPE),
    **dict.fromkeys(_ends(f"{_PARTS} table"), _ends("table template")),
    b"/li": _SCOPE | _ends("ol ul"),
    b"/p": _PARAGRAPH_SCOPE,
}
# Of these, some start tags count for nothing, and some end tags close what is not innermost.
_EXACT: Final = _ends("applet colgroup form marquee object template")

# What a start tag closes of its kind, unless anything special is between that is none of three.
_ALIKE: Final = {b"li": _ends("li"), b"dd": _ends("dd dt"), b"dt": _ends("dd dt")}
_BETWEEN: Final = _SPECIAL - _ends("address div p")
# In what a part of a table stands, once all else is closed.
_AROUND_PARTS: Final = {
    **dict.fromkeys(_names("td th"), _ends(f"tr {_SECTIONS} table")),
    b"tr": _ends(f"{_SECTIONS} table"),
    **dict.fromkeys(_names(f"{_SECTIONS} caption colgroup"), _ends("table")),
}
_AROUND_TABLES: Final = _ends("caption table td template th")
_RUBY: Final = "optgroup option rb rp rt rtc"
_ODD_BEFORE_RUBY: Final = _ends(f"{_RUBY} dd dt li p")


class _OddError(Exception):
    """To tell what the parser does with a tag takes more than this."""


def is_well_nested(markup: bytes) -> bool:
    """Whether a page is surely not deep, no tag has too many attributes, and nothing is odd.

    The markup is in an encoding in which ASCII is ASCII.
    """
    low = markup.lower() + _LAST
    names = _TAGS.findall(low)
    if names[-2:] != [b"last", b""]:  # before it, something was odd
        return False
    nesting = _Nesting(is_standard=_IN_STANDARDS_MODE.match(low) is not None)
    ends = nesting.ends
    try:
        for name in names:
            if name == ends[-1]:
                ends.pop()
                continue
            if name in _PASSED_OVER:
                continue
            if name in _PLAIN_BLOCKS and not nesting.may_have_paragraph:  # the commonest by far
                ends.append(b"/" + name)
            elif start := _STARTS.get(name):
                start(nesting, name)
            elif name[:1] == b"/":
                nesting.end(name)
                continue
            else:
                ends.append(b"/" + name)
            if len(ends) > MOST_OPEN:
                return False
    except _OddError:
        return False
    return True


class _Nesting:
    """The open elements, by their end tags, innermost last."""

    __slots__ = ("_is_standard", "_kept", "_roots", "_unclosed", "ends", "may_have_paragraph")

    def __init__(self, *, is_standard: bool) -> None:
        self.ends = [b"/"]  # the first stands for nothing
        self._is_standard = is_standard
        self.may_have_paragraph = False
        self._roots = 0
        # Formatting elements that only a block closed: the parser opens them again in the next one.
        # Each with what was innermost then.
        self._unclosed: list[tuple[bytes, bytes]] = []
        self._kept = 0  # more of them, outside of the cell, where no end tag reaches them

    def start_root(self, _name: bytes) -> None:
        """Count `html` and `body`, which are there anyhow: further ones add attributes to the first."""
        self._roots += 1
        if self._roots > _MOST_ROOTS:
            raise _OddError

    def start_block(self, name: bytes) -> None:
        """Open a block, which ends a paragraph."""
        if self.may_have_paragraph:
            self._close_paragraph()
        self.ends.append(b"/" + name)

    def start_paragraph(self, name: bytes) -> None:
        """Open a paragraph; one that is outside of a button or a cell and goes on is odd."""
        if self.may_have_paragraph:
            self._close_paragraph()
            if self.may_have_paragraph:
                raise _OddError
        self.may_have_paragraph = True
        self.ends.append(b"/" + name)

    def start_rule(self, _name: bytes) -> None:
        """A line across the page ends a paragraph."""
        if self.may_have_paragraph:
            self._close_paragraph()

    def start_heading(self, name: bytes) -> None:
        """Open a heading, which ends another."""
        if self.may_have_paragraph:
            self._close_paragraph()
        if self.ends[-1] in _HEADING_ENDS:
            if self._unclosed or self._kept:  # which may be open within that one
                raise _OddError
            self.ends.pop()
        self.ends.append(b"/" + name)

    def start_item(self, name: bytes) -> None:
        """Open an item of a list, which ends the one before."""
        self._close_alike(_ALIKE[name])
        self.start_block(name)

    def start_form(self, name: bytes) -> None:
        """Open a form; those in forms count for nothing."""
        if b"/form" in self.ends:
            raise _OddError
        self.start_block(name)

    def start_link(self, _name: bytes) -> None:
        """Open a link, which ends another."""
        if self.ends[-1] == b"/a":
            self.ends.pop()
        if b"/a" in self.ends:
            raise _OddError
        self.ends.append(b"/a")

    def start_sole(self, name: bytes) -> None:
        """Open an element that is odd within one of its kind."""
        if b"/" + name in self.ends:
            raise _OddError
        self.ends.append(b"/" + name)

    def start_marker(self, name: bytes) -> None:
        """Open an element that end tags of formatting within do not reach out of."""
        self._kept += len(self._unclosed)
        self._unclosed.clear()
        self.ends.append(b"/" + name)

    def start_ruby(self, name: bytes) -> None:
        """Open an element that may end others of its kind."""
        if self.ends[-1] in _ODD_BEFORE_RUBY:
            raise _OddError
        self.ends.append(b"/" + name)

    def start_table(self, name: bytes) -> None:
        """Open a table, which stands in a cell if it is in another."""
        around = next((end for end in reversed(self.ends) if end in _AROUND_TABLES), None)
        if around == b"/table":
            raise _OddError
        if self.may_have_paragraph:
            if not self._is_standard:  # it may go on, or not
                raise _OddError
            self._close_paragraph()
        self.ends.append(b"/" + name)

    def start_part(self, name: bytes) -> None:
        """HTML, "clear the stack back to a table context", and open a part of a table, with what goes without saying."""
        ends = self.ends
        around = next((end for end in reversed(ends) if end in (b"/table", b"/template")), None)
        if around != b"/table":
            raise _OddError
        places = _AROUND_PARTS[name]
        inner = next(inner for inner, end in enumerate(reversed(ends)) if end in places)
        self._close(inner, inner)
        if name in (b"td", b"th", b"tr") and ends[-1] == b"/table":
            ends.append(b"/tbody")
        if name in (b"td", b"th") and ends[-1] != b"/tr":
            ends.append(b"/tr")
        if name in (b"td", b"th", b"caption"):
            self.start_marker(name)
        else:
            ends.append(b"/" + name)

    def end(self, end: bytes) -> None:
        """Close what an end tag closes: not the innermost element."""
        names = _HEADING_ENDS if end in _HEADING_ENDS else (end,)
        if end not in self.ends and end not in _HEADING_ENDS:  # of nothing that is open
            self._forget(end)
            return
        if end in _EXACT:
            raise _OddError
        borders = _BORDERS.get(end, _SPECIAL)
        for inner, each in enumerate(reversed(self.ends)):
            if each in names:
                self._close(inner + 1, inner)
                return
            if each in borders:
                break
            if inner == _FAR:
                raise _OddError
        if end in _FORMATTING:
            self._adopt(end)

    def _close(self, count: int, within: int = 0) -> None:
        """Close the innermost elements; some within have no end tags yet."""
        closed = self.ends[len(self.ends) - count :]
        del self.ends[len(self.ends) - count :]
        lasting = [end for end in closed[count - within :] if end in _FORMATTING]
        self._unclosed += [(end, self.ends[-1]) for end in lasting]
        if b"/form" in closed or self._kept + len(self._unclosed) > MOST_UNCLOSED:
            raise _OddError

    def _close_alike(self, alike: frozenset[bytes]) -> None:
        for inner, each in enumerate(reversed(self.ends)):
            if each in alike:
                self._close(inner + 1, inner)
            if each in alike or each in _BETWEEN:
                return
            if inner == _FAR:
                raise _OddError

    def _close_paragraph(self) -> None:
        self.may_have_paragraph = b"/p" in self.ends
        if not self.may_have_paragraph:
            return
        for inner, each in enumerate(reversed(self.ends)):
            if each == b"/p":
                self._close(inner + 1, inner)
                self.may_have_paragraph = False
            if each == b"/p" or each in _PARAGRAPH_SCOPE:
                return
            if inner == _FAR:
                raise _OddError

    def _adopt(self, end: bytes) -> None:
        """HTML, "adoption agency algorithm": a formatting element is closed, and blocks within it are not."""
        blocks = 0  # from the furthest one inwards
        for inner, each in enumerate(reversed(self.ends)):
            if each == end:
                if inner > _MOST_ADOPTED or blocks < inner:
                    raise _OddError
                del self.ends[-inner - 1]
                return
            if each in _SCOPE:
                return
            if inner == _FAR:
                raise _OddError
            if each in _SPECIAL:
                blocks = inner + 1

    def _forget(self, end: bytes) -> None:
        """The latest of the formatting elements that only a block closed is not opened again."""
        for place in reversed(range(len(self._unclosed))):
            name, around = self._unclosed[place]
            if name == end:
                # Unless something was opened since, the parser has opened nothing within it.
                if self.ends[-1] is not around:
                    raise _OddError
                del self._unclosed[place]
                return


_STARTS: Final = {
    **dict.fromkeys(_names(_BLOCKS), _Nesting.start_block),
    **dict.fromkeys(_names(_HEADINGS), _Nesting.start_heading),
    **dict.fromkeys(_names("dd dt li"), _Nesting.start_item),
    **dict.fromkeys(_names("button nobr"), _Nesting.start_sole),
    **dict.fromkeys(_names("applet marquee object template"), _Nesting.start_marker),
    **dict.fromkeys(_names(_RUBY), _Nesting.start_ruby),
    **dict.fromkeys(_names(_PARTS), _Nesting.start_part),
    **dict.fromkeys(_names("html body"), _Nesting.start_root),
    b"a": _Nesting.start_link,
    b"form": _Nesting.start_form,
    b"hr": _Nesting.start_rule,
    b"p": _Nesting.start_paragraph,
    b"table": _Nesting.start_table,
}
# All others close nothing, wherever they start.
