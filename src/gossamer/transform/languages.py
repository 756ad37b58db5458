"""The language of the elements of an HTML page, by its `lang` attributes. Pure."""

from collections.abc import Sequence
from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.transform.nearest import Nearest
from gossamer.transform.terms import PLAIN, ending

XHTML: Final = "application/xhtml+xml"
# Which attribute counts where an element has both: in HTML, and in XHTML.
_FIRST: Final = (("lang", "xml:lang"), ("xml:lang", "lang"))


class Languages:
    """Finds the language of each element of a page."""

    def __init__(self, marked: Sequence[LexborNode], media_type: str | None = None) -> None:
        """All elements that have one of the attributes in `marks(media_type)`."""
        first = _FIRST[media_type == XHTML]
        self.only_ending: str | None = PLAIN  # of the literals of a page; None if there are more
        self._everywhere: str | None = None
        self._nearest: Nearest[str | None] | None = None
        if len(marked) == 1 and marked[0].tag == "html":
            self._everywhere = _told(marked[0], first)
            self.only_ending = ending(self._everywhere)
        elif marked:
            self.only_ending = None
            self._nearest = Nearest(None)
            for node in marked:
                self._nearest.note(node, _told(node, first))

    def of(self, node: LexborNode) -> str | None:
        """The language as the page spells it; None if it is unknown."""
        return self._everywhere if self._nearest is None else self._nearest.of(node)

    def ending(self, node: LexborNode) -> str:
        """The N-Triples ending (quote and language tag) of an element's literals."""
        return self.only_ending or ending(self.of(node))


def marks(media_type: str | None) -> str:
    """A list of selectors for the elements that set a language.

    `xml:lang` says nothing in HTML (HTML, "the lang and xml:lang attributes"), but it does in
    foreign elements, where the selector finds it under its local name.
    """
    return r"[lang],[xml\:lang]" if media_type == XHTML else "[lang]"


def _told(node: LexborNode, names: Sequence[str]) -> str | None:
    attributes = node.attributes
    for name in names:
        if name in attributes:
            return (attributes[name] or "").strip() or None
    return None
