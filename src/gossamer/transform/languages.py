"""The language of the elements of an HTML page, by its `lang` attributes. Pure."""

from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.transform.nearest import Nearest

XHTML: Final = "application/xhtml+xml"


class Languages:
    """Which language each element of a page is in."""

    def __init__(self, html: LexborHTMLParser, media_type: str | None = None) -> None:
        # `xml:lang` says nothing in HTML (HTML, "the lang and xml:lang attributes"), but it
        # does in foreign elements, where the selector finds it under its local name.
        both = media_type == XHTML
        marked = html.css(r"[lang],[xml\:lang]" if both else "[lang]")
        self._everywhere: str | None = None
        self._nearest: Nearest[str | None] | None = None
        if len(marked) == 1 and marked[0].tag == "html":
            self._everywhere = _told(marked[0], xml_first=both)
        elif marked:
            self._nearest = Nearest(None)
            for node in marked:
                self._nearest.note(node, _told(node, xml_first=both))

    def of(self, node: LexborNode) -> str | None:
        """The language as the page spells it; None where it is unknown."""
        return self._everywhere if self._nearest is None else self._nearest.of(node)


def _told(node: LexborNode, *, xml_first: bool) -> str | None:
    attributes = node.attributes
    names = ("xml:lang", "lang") if xml_first else ("lang", "xml:lang")
    said = next((attributes[name] for name in names if name in attributes), None)
    return (said or "").strip() or None
