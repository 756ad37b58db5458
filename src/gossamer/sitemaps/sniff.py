"""Which kind of file this is, from its first block; names and headers lie too often."""

import re
from dataclasses import dataclass
from typing import Literal

# Atomic and possessive: a page of a thousand comments must not be tried in every split.
PROLOG = re.compile(r"(?>[\s\ufeff]+|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
HTML = re.compile(r"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
XML_BEGINS = re.compile(
    r"<\?xml\s|<(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Beginning:
    """What kind of file begins so, and where its content does."""

    kind: Literal["xml", "html", "text"]
    start: int
    junk: bool = False  # something that does not belong there stands before `start`


def beginning(head: str) -> Beginning:
    """The kind of a file whose first block is `head`."""
    prolog = PROLOG.match(head)
    after = prolog.end() if prolog else 0
    if HTML.match(head, after):
        return Beginning("html", after)
    begins = XML_BEGINS.search(head, after)
    if begins and begins.start() > after and not head.startswith("<!", after):
        # Warnings of a script stand before the document that it went on to write.
        return Beginning("xml", begins.start(), junk=True)
    return Beginning("xml" if head.startswith("<", after) else "text", after)
