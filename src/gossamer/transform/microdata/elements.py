"""The elements of a page that carry microdata."""

from collections.abc import Iterator, Mapping
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

Attributes = Mapping[str, str | None]
"""The attributes of an element by name; None where one is empty."""

MARKED: Final = "[itemscope],[itemprop],[itemprop-reverse]"


def elements(
    html: LexborHTMLParser, selector: str = MARKED
) -> Iterator[tuple[LexborNode, Attributes]]:
    """The elements that a list of selectors finds, in document order."""
    last = 0
    for node in html.css(selector):
        # An element comes once for each selector that it matches, one after the other.
        if (key := node.mem_id) != last:
            last = key
            yield node, node.attributes
