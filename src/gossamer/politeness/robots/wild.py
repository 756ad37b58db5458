"""One pattern with wild cards against one path, both in normal form: soon done, however they are made.

Wild cards never backtrack: each piece is taken where it first occurs, which is
right because all that follows is `*` again, or the end.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

MAX_PIECES: Final = 10  # of one rule: sites write `/*/*/*/` against deep paths, and hardly more

# Where a piece first occurs in the path from a place on, or -1: as `str.find` says.
Find: TypeAlias = Callable[[str, int], int]


def is_wild(pattern: str) -> bool:
    """Whether a pattern in normal form is more than a text that paths may begin with."""
    return "*" in pattern or pattern.endswith("$")


class Wild(NamedTuple):
    """A pattern taken apart at its wild cards: done once, since files are met by many paths."""

    head: str  # what stands before the first wild card
    pieces: list[str]  # between stars, and after the last one unless it is the tail
    tail: str  # what stands between the last star and `$`
    has_star: bool
    least: int  # octets of the shortest path that matches


def taken_apart(pattern: str) -> Wild:
    """The parts of a pattern in normal form with `*` or a final `$`."""
    head, *pieces = pattern.removesuffix("$").split("*")
    has_star = bool(pieces)
    tail = pieces.pop() if has_star and pattern.endswith("$") else ""
    least = len(head) + sum(map(len, pieces)) + len(tail)
    return Wild(head, pieces, tail, has_star, least)


def matches(wild: Wild, path: str, find: Find) -> bool:
    """Whether a pattern matches a path in normal form that begins with its head."""
    head, pieces, tail, has_star, least = wild
    if not has_star:
        return len(path) == len(head)
    if least > len(path) or not path.endswith(tail):
        return False
    position, end = len(head), len(path) - len(tail)
    for piece in pieces:
        found = find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    return position <= end


def within_limits(pattern: str, allowed: bool) -> str | None:
    """A pattern that means the same, or forbids more, and has few pieces; None where none does.

    Pieces by the hundred in each rule would make a match slow, and mean nothing to
    anybody. Of such a rule, one that forbids is cut, and one that allows is void.
    """
    if pattern.count("*") <= MAX_PIECES:
        return pattern
    head, *pieces = pattern.removesuffix("$").split("*")
    pieces = [*filter(None, pieces[:-1]), *pieces[-1:]]
    if len(pieces) <= MAX_PIECES:
        return "*".join([head, *pieces]) + ("$" if pattern.endswith("$") else "")
    return None if allowed else "*".join([head, *pieces[:MAX_PIECES]])
