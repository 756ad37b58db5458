"""Bounds what stands between `<` and `>` before a parser sees it.

A parser waits for the end of a tag, comment or instruction and then takes it in one piece, each
attribute at ten times its size. So whole ones are passed on, and of one that is longer than any
sitemap needs only the beginning, brought to a proper end; what stands behind it counts again.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gossamer.model import Problem
from gossamer.sitemaps.values import SYNTAX

MAX_TAG_LENGTH: Final = 64 * 1024  # tags of sitemaps have some hundred characters
COMMENT: Final = "<!--"
CDATA: Final = "<![CDATA["
INSTRUCTION: Final = "<?"
ENDS: Final = {COMMENT: "-->", CDATA: "]]>", INSTRUCTION: "?>"}

# All that is whole, in one step of the expression engine; what remains is open at the end. A `<` inside
# a tag begins another: quotes that are never closed do not swallow the file.
WHOLE: Final = re.compile(
    r"""(?>[^<]+
    |<!--(?s:.*?)-->
    |<!\[CDATA\[(?s:.*?)\]\]>
    |<\?(?s:.*?)\?>
    |<(?!!--|!\[CDATA\[|\?)[^<>"']*+(?:(?:"[^"<]*+"|'[^'<]*+')[^<>"']*+)*+>
    |<(?!!--|!\[CDATA\[|\?)[^<]++(?=<)
    )*+""",
    re.VERBOSE,
)
VALUES: Final = re.compile(r"""(?:[^"'>]++|"[^"]*+"|'[^']*+')*+""")


def bound_tags(texts: Iterable[str | Problem]) -> Iterator[str | Problem]:
    """Cut long tags and comments out of a text that comes in blocks; one problem if any was cut."""
    holder = _Holder()
    for text in texts:
        yield text if isinstance(text, Problem) else holder.pass_on(text)
    yield holder.rest()
    if holder.cut:
        most = f"more than {MAX_TAG_LENGTH:,} characters in one tag or comment"
        yield Problem(f"{most}; the rest of it is ignored", SYNTAX)


class _Holder:
    """Keeps what a block's end leaves open."""

    def __init__(self) -> None:
        self._held = ""
        self._until = ""  # what ends the construct that is passed over, or its open quote
        self._in_tag = False  # the construct is a tag: `_until` is a quote or nothing
        self._keeps = False  # it is no construct but text
        self._passing = False
        self._last = ""  # of what was passed over
        self.cut = False

    def pass_on(self, text: str) -> str:
        """What may go to the parser by now."""
        before = ""
        text, self._held = self._held + text, ""
        while self._passing:
            kept, text = self._pass_over(text)
            before += kept
            if self._passing:
                return before
        whole = WHOLE.match(text)
        end = whole.end() if whole else 0
        if len(text) - end <= MAX_TAG_LENGTH:
            self._held = text[end:]
            return before + text[:end]
        return before + text[:end] + self._begin(text[end:])

    def rest(self) -> str:
        """What is left at the end of the document."""
        held, self._held = self._held, ""
        return held

    def _begin(self, text: str) -> str:
        """Pass on the beginning of a construct that is too long, and go on behind it."""
        start = next((each for each in ENDS if text.startswith(each)), None)
        self._passing, self._in_tag, self._keeps = True, start is None, start == CDATA
        self._until, self._last = ENDS.get(start or "", ""), ""
        if self._keeps:
            return CDATA + self.pass_on(text.removeprefix(CDATA))
        self.cut = True
        head = text[:MAX_TAG_LENGTH]
        if not self._in_tag:
            return head + self.pass_on(text[MAX_TAG_LENGTH:])
        values = VALUES.match(head)
        if values is not None and values.end() < len(head):  # inside a value
            self._until = head[values.end()]
            return head + self._until + self.pass_on(text[MAX_TAG_LENGTH:])
        # Not inside a name: what stands behind the last value is left out.
        kept = head[: max(head.rfind('"'), head.rfind("'")) + 1] or head
        return kept + self.pass_on(text[MAX_TAG_LENGTH:])

    def _pass_over(self, text: str) -> tuple[str, str]:
        """What is to be passed on of a construct that is too long, and what stands behind it."""
        if self._in_tag:
            return self._pass_over_tag(text)
        at = text.find(self._until)
        if at >= 0:
            self._passing = False
            end = at + len(self._until)
            return (text[:end] if self._keeps else self._until), text[end:]
        at = max(0, len(text) - len(self._until) + 1)  # its end may be cut in two
        self._held = text[at:]
        return (text[:at] if self._keeps else ""), ""

    def _pass_over_tag(self, text: str) -> tuple[str, str]:
        at = 0
        if self._until:
            at = text.find(self._until) + 1
            if not at:
                return "", ""
            self._until = ""
        values = VALUES.match(text, at)
        end = values.end() if values else at
        if end == len(text):
            self._last = text[-1:] or self._last
        elif text[end] == ">":
            before = text[end - 1] if end else self._last
            self._passing = False
            return ("/>" if before == "/" else ">"), text[end + 1 :]
        else:
            self._until = text[end]
        return "", ""
