"""What a page asks of robots, for `politeness.directives`. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.transform.document import Document

MAX_CONTENT: Final = 4096  # characters: no wish is longer, and descriptions are

# What may hold a wish, found by the beginnings of the words below.
_SELECTED: Final = '[name]:is([content*="no" i],[content*="una" i]):is(meta)'
_WISH: Final = re.compile(
    r"no(?:ne|index|follow|archive|cache|snippet)|unavailable_after", re.IGNORECASE
)


def html_directives(document: Document) -> Iterator[tuple[str, str]]:
    """Name and content of the meta elements that may hold a wish, whoever it is addressed to."""
    for node in document.html.css(_SELECTED):
        attributes = node.attributes
        content = (attributes["content"] or "")[:MAX_CONTENT]
        if _WISH.search(content):
            yield attributes["name"] or "", content
