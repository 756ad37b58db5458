"""Looks up a note on the nearest ancestor of an element. Pure.

Pages nest as deep as they like, and many elements share their ancestors. What one climb
finds is kept for all it passed, so that all climbs of a page together cost no more than the
page has elements.
"""

from typing import Generic, TypeVar

from selectolax.lexbor import LexborNode

Note = TypeVar("Note")


class Nearest(Generic[Note]):
    """Notes on some elements of a tree, looked up from any element."""

    def __init__(self, otherwise: Note) -> None:
        self._otherwise = otherwise  # where nothing around an element has a note
        self.known: dict[int, Note] = {}

    def note(self, node: LexborNode, note: Note) -> None:
        """Note something for an element, before anything inside it is looked up."""
        self.known[node.mem_id] = note

    def around(self, node: LexborNode) -> Note:
        """The note of the nearest ancestor."""
        known = self.known
        parent = node.parent
        if parent is None:
            return self._otherwise
        if (key := parent.mem_id) in known:  # mostly
            return known[key]
        above = parent.parent
        if above is not None and (higher := above.mem_id) in known:
            found = known[key] = known[higher]
            return found
        return self.of(parent)

    def of(self, node: LexborNode | None) -> Note:
        """The note of this element or of its nearest ancestor."""
        known = self.known
        passed: list[int] = []
        while node is not None:
            if (key := node.mem_id) in known:
                found = known[key]
                break
            passed.append(key)
            node = node.parent
        else:
            found = self._otherwise
        for key in passed:
            known[key] = found
        return found
