"""Finds the labels of links. Pure."""

from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.transform.kinds import one_line
from gossamer.transform.nearest import Nearest


class Labels:
    """The labels of a page's links; links must come in document order."""

    def __init__(self) -> None:
        self._enclosed: Final[Nearest[bool]] = Nearest(False)

    def of(self, node: LexborNode) -> str:
        """The text of a link, on one line, or that of its picture; empty if it has neither.

        Only in drawings can a link stand within another. Such a one has no label: the text
        of all of them, ten thousand deep, would be read ten thousand times.
        """
        if self._enclosed.of(node.parent):
            return ""
        self._enclosed.note(node, True)
        return one_line(node.text_lexbor()) or _pictured(node)


def _pictured(node: LexborNode) -> str:
    pictures = (one_line(each.attributes.get("alt") or "") for each in node.css("img[alt]"))
    return next(filter(None, pictures), "")
