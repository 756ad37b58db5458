"""Reads robots directives of a page, for `politeness.directives` and `politeness.usage`. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.transform.document import Document

MAX_CONTENT: Final = 4096  # characters: no wish is longer, and descriptions are

# What may hold a wish, found by the beginnings of the words below, or speaks of usage rights.
_SELECTED: Final = (
    '[name]:is([content*="no" i],[content*="una" i],[name^="tdm-" i],[name^="content-" i]):is(meta)'
)
_WISH: Final = re.compile(
    r"no(?:ne|index|follow|archive|cache|snippet|ai\b)|unavailable_after", re.IGNORECASE
)
_USAGE: Final = frozenset({"tdm-reservation", "tdm-policy", "content-usage", "content-signal"})
MAX_USAGE: Final = 64  # meta elements about usage; a page that means it has two


def html_directives(document: Document) -> Iterator[tuple[str, str]]:
    """Name and content of the meta elements that may hold a directive for any robot.

    With those about the use of the page: TDMRep, Content-Usage and Content-Signal.
    """
    about_usage = 0
    for node in document.html.css(_SELECTED):
        attributes = node.attributes
        name = attributes["name"] or ""
        content = (attributes.get("content") or "")[:MAX_CONTENT]
        if name.strip().lower() in _USAGE:
            about_usage += 1
            if about_usage <= MAX_USAGE:
                yield name, content
        elif _WISH.search(content):
            yield name, content
