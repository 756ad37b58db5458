"""Markup that nests without end, cut before it reaches a parser.

Lexbor walks the stack of open elements at every `<div>` and its kind, so 100,000 of them one
inside the other take it 20 seconds. No page of this world nests a hundredth as deep.
"""

import re
from typing import Final

DEEPEST: Final = 5_000  # open elements
MANY: Final = 4 * DEEPEST  # tags; a page with fewer cannot be too deep for long
_SHORTEST_TAG: Final = len("<b>")

_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)")
_NEVER_OPEN: Final = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
        "li",
        "p",
        "option",
    ]
)


def has_few_tags(markup: bytes) -> bool:
    """Whether all of it is shallow enough, as nearly every page is."""
    return len(markup) <= _SHORTEST_TAG * MANY or markup.count(b"<") <= MANY


def shallow(text: str) -> str:
    """The text up to where it nests too deep; all of it, on nearly every page."""
    if text.count("<") <= MANY:
        return text
    depth = 0
    for tag in _TAG.finditer(text):
        if tag[2].lower() in _NEVER_OPEN:
            continue
        depth = max(depth - 1, 0) if tag[1] else depth + 1
        if depth > DEEPEST:
            return text[: tag.start()]
    return text
