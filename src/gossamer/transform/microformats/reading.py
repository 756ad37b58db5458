"""Reads text, URLs and languages of elements by the rules of microformats."""

from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.transform.document import Document
from gossamer.transform.iris import join

BLANKS: Final = " \t\n\f\r"
_SKIPPED: Final = frozenset(("script", "style", "template", "-comment"))
# Properties within properties repeat their text. Real pages nest them three or four deep.
_REPEATS: Final = 16
_FREE_CHARACTERS: Final = 1 << 20
_CHARACTERS_PER_NODE: Final = 64  # which take as long to copy as a node does to visit


class Reader:
    """Reads the elements of one page, and caches look-ups."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.base = document.html_base
        self.is_strict = document.options.strict
        self._left = _REPEATS * len(document.body) + _FREE_CHARACTERS
        self._uneven: set[int] | None = None
        self._texts: dict[tuple[int, bool], str] = {}

    @property
    def too_long(self) -> bool:
        """Whether the page repeated more text than allowed."""
        return self._left < 0

    def pay(self, characters: int) -> None:
        """Count text that was read elsewhere."""
        self._left -= characters

    def absolute(self, reference: str) -> str:
        """A URL resolved against the base of the page."""
        return join(self.base, reference)

    def text(self, element: LexborNode, *, sources: bool = True) -> str:
        """The trimmed text of an element: no scripts, images by their alternative text.

        An image without one counts by its address, unless `sources` is off.
        """
        key = (element.mem_id, sources)
        text = self._texts.get(key)
        if text is None:
            if self._left < 0:
                return ""
            text = self._texts[key] = self._raw_text(element, sources).strip(BLANKS)
            self._left -= len(text)
        return text

    def language(self, element: LexborNode) -> str | None:
        """The language of an element."""
        return self._document.languages.of(element)

    def _raw_text(self, element: LexborNode, sources: bool) -> str:
        """Elements without images and scripts, nearly all, are read by the parser itself."""
        if self._uneven is None:
            self._uneven = _around(self._document.html.css("img, script, style"))
        if element.mem_id not in self._uneven:
            return element.text_lexbor()
        return "".join(self._pieces(element, self._uneven, sources))

    def _pieces(self, element: LexborNode, uneven: set[int], sources: bool) -> list[str]:
        pieces: list[str] = []
        waiting = list(element.iter(include_text=True))[::-1]
        while waiting and self._left >= 0:
            node = waiting.pop()
            self._left -= _CHARACTERS_PER_NODE
            tag = node.tag
            if tag == "img":
                pieces.append(self._image_text(node, sources))
            elif tag in _SKIPPED:
                continue
            elif node.mem_id in uneven:
                waiting.extend(list(node.iter(include_text=True))[::-1])
            else:
                pieces.append(node.text_lexbor())
        return pieces

    def _image_text(self, image: LexborNode, sources: bool) -> str:
        attributes = image.attributes
        if "alt" in attributes:
            return attributes["alt"] or ""
        source = attributes.get("src")
        return f" {self.absolute(source)} " if source and sources else ""


def _around(elements: list[LexborNode]) -> set[int]:
    """Elements and all their ancestors."""
    found: set[int] = set()
    for element in elements:
        node: LexborNode | None = element
        while node is not None and node.mem_id not in found:
            found.add(node.mem_id)
            node = node.parent
    return found
