"""One pattern with wild cards against one path, both in normal form: soon done, however they are made.

Wild cards never backtrack: each piece is taken where it first occurs, which is
right because all that follows is `*` again, or the end.

A piece is looked for by `str.find`. In a text of some thousand octets that takes up
to as many steps as text and piece are long, multiplied: two hundred microseconds
for a piece of `aaa…ab…a`. From 30,000 octets on, it turns to a way that is linear
(the two-way algorithm) for any piece that is not tiny. So a long path is made that
long. For a long piece the padding costs next to nothing, because it is passed in
steps as long as the piece; a short one is never looked for so far, because the
pattern stands before the padding, and has the piece.
"""

from functools import lru_cache
from typing import Final, NamedTuple

MAX_PIECES: Final = 10  # of one rule: sites write `/*/*/*/` against deep paths, and hardly more

_MAX_PLAIN: Final = 256  # octets of a path in which even the slowest search takes few microseconds
_TINY_PIECE: Final = 10  # octets: soon found by whatever way
_LONG_PIECE: Final = 64  # octets: with steps of this length, the padding is soon passed
_PADDING: Final = " " * 30_000  # spaces, for no path and no pattern has one in normal form


def is_wild(pattern: str) -> bool:
    """Whether a pattern in normal form is more than a text that paths may begin with."""
    return "*" in pattern or pattern.endswith("$")


def is_long(path: str) -> bool:
    """Whether to look for a piece in this path can take long, if done without care."""
    return len(path) > _MAX_PLAIN


class Wild(NamedTuple):
    """A pattern taken apart at its wild cards: done once, since files are met by many paths."""

    pattern: str
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
    return Wild(pattern, head, pieces, tail, has_star, least)


def matches(wild: Wild, path: str) -> bool:
    """Whether a pattern matches a path in normal form that begins with its head."""
    pattern, head, pieces, tail, has_star, least = wild
    if not has_star:
        return len(path) == len(head)
    if least > len(path) or not path.endswith(tail):
        return False
    position, end = len(head), len(path) - len(tail)
    tiny = _TINY_PIECE if is_long(path) else len(path)
    before_pattern = ""
    for piece in pieces:
        if len(piece) <= tiny:
            text = path
        elif len(piece) >= _LONG_PIECE:
            text = _padded(path)
        else:
            text = before_pattern = before_pattern or f"{path} {pattern}{_PADDING}"
        found = text.find(piece, position)
        if not 0 <= found <= end - len(piece):
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


@lru_cache(maxsize=1)  # a path meets many patterns in a row
def _padded(path: str) -> str:
    return path + _PADDING
