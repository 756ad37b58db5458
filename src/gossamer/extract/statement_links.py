"""Finds the links in a page's statements: `rdfs:seeAlso` and feed entries. Pure.

No other statement is a link: vocabularies are full of IRIs that name things, and a crawler
that asks for all of them soon asks servers that never meant to be asked.
"""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.model import Link, Refusal
from gossamer.transform.terms import RDF, RDFS
from gossamer.urls import canonical

_ENTRY: Final = "http://purl.org/rss/1.0/item"
# N-Quads of our own writing: one space between terms, and no line breaks within.
_LEADING: Final = re.compile(
    rf"^\S+ <{RDFS}seeAlso> <([^>]*)>|^<([^>]*)> <{RDF}type> <{_ENTRY}>".encode(), re.MULTILINE
)


def statement_links(nquads: bytes) -> Iterator[Link]:
    """The links in a page's N-Quads, in their order."""
    for match in _LEADING.finditer(nquads):
        url = canonical((match[1] or match[2] or b"").decode(errors="replace"))
        if not isinstance(url, Refusal):
            yield Link(url, source="statement")
