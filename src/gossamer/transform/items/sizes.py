"""Bounds what items come to once they are written out.

In memory an object that has two names is there once; in JSON it is there twice, and so is all that is in it. Nested often
enough, a small page would come to more than any disk holds.
"""

from itertools import takewhile
from typing import Any, Final

from gossamer.transform.document import Document
from gossamer.transform.microdata.values import FREE_TEXT, REPEATS

OF_A_VALUE: Final = 32  # characters that making a value is worth, however short it is


class ItemBudget:
    """The characters that items of one kind may come to, in proportion to their page."""

    __slots__ = ("_document", "left")

    def __init__(self, document: Document) -> None:
        self._document = document
        self.left = REPEATS * len(document.body) + FREE_TEXT  # negative once more was asked for

    def pays(self, size: int) -> bool:
        """Whether there is as much left for one more value; if not, the document is told that something is left out."""
        self.left -= size + OF_A_VALUE
        if self.left < 0:
            self._document.items_are_cut = True
        return self.left >= 0


def affordable(items: list[dict[str, Any]], document: Document) -> list[dict[str, Any]]:
    """The first items of a page that together are not out of all proportion to it."""
    budget = ItemBudget(document)
    sizes: dict[int, int] = {}
    return list(takewhile(lambda item: budget.pays(_size(item, sizes)), items))


def _size(value: Any, sizes: dict[int, int]) -> int:  # noqa: ANN401 (any JSON)
    """The size of a value in characters, more or less; objects met before are in `sizes`."""
    stack = [value]
    while stack:
        each = stack[-1]
        if id(each) in sizes:
            stack.pop()
            continue
        members = list(each.values()) if isinstance(each, dict) else each
        inner = [member for member in members if isinstance(member, dict | list)]
        waiting = [member for member in inner if id(member) not in sizes]
        if waiting:
            stack += waiting
            continue
        texts = sum(len(member) for member in members if isinstance(member, str))
        names = sum(map(len, each)) if isinstance(each, dict) else 0
        sizes[id(each)] = (
            texts + names + OF_A_VALUE * len(members) + sum(sizes[id(member)] for member in inner)
        )
        stack.pop()
    return sizes[id(value)]
