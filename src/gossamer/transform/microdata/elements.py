"""Finds the elements of a page that carry microdata."""

from collections.abc import Mapping
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

Attributes = Mapping[str, str | None]
"""The attributes of an element by name; None where one is empty."""

# A list of selectors gives an element once for each that it matches: here, for one alone.
_MARKED: Final = (
    "[itemprop],[itemscope]:not([itemprop]),[itemprop-reverse]:not([itemprop],[itemscope])"
)
_MARKED_OR_NAMED: Final = ":is([itemscope],[itemprop],[itemprop-reverse],[id])"


def marked_elements(html: LexborHTMLParser, *, or_named: bool = False) -> list[LexborNode]:
    """The elements with microdata (and those with an `id`, if wanted), in document order."""
    return html.css(_MARKED_OR_NAMED if or_named else _MARKED)


def has_references(html: LexborHTMLParser) -> bool:
    """Whether any item refers to elements elsewhere on the page."""
    return bool(html.css("[itemscope][itemref]"))
