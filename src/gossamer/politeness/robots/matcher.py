"""Which of many rules matches a path best: the longest one; of two as long, the one that allows.

A path is compared with few rules. All rules are filed under their head, the
literal text before the first `*` or `$`, and only those whose head begins the
path are looked at. In sort order, a head that begins another begins the one right
after it, too. So the heads that begin a path are: the last one not past the path,
if it does; and of the few that begin others, the last one not past the path that
does, with its parents, the others that begin it in turn.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final, Self, TypeAlias

from gossamer.politeness.robots.octets import compared_paths, compared_patterns
from gossamer.politeness.robots.places import Places
from gossamer.politeness.robots.wild import (
    Find,
    Wild,
    is_wild,
    matches,
    taken_apart,
    within_limits,
)

# The rule that decides: twice the octets of its pattern and one more if it allows, and the
# pattern. So the greater of two decides, and what is odd is allowed.
Best: TypeAlias = tuple[int, str]
NO_RULE: Final[Best] = (1, "")
# Rank as above, needle, pattern, and the parts that are compared.
_Filed: TypeAlias = tuple[int, str, str, Wild]
# Octets of a path in which even the slowest search takes few microseconds: for a needle, a piece.
_MAX_FOR_NEEDLES: Final = 256
_MAX_FOR_PIECES: Final = 128
_MAX_NEEDLE: Final = 8  # octets: enough to tell rules apart, and soon found missing


class Matcher:
    """The rules that concern us, filed so that a path meets few of them.

    Made of patterns in normal form, none empty, and whether each allows.
    """

    __slots__ = ("_heads", "_inner", "_literal", "_parents", "_wild")

    def __init__(self, literal: Mapping[str, bool], wild: Mapping[str, bool]) -> None:
        self._literal = literal
        self._wild = _filed(wild)
        self._heads = sorted({*literal, *self._wild})
        self._inner = [head for head, after in pairwise(self._heads) if after.startswith(head)]
        self._parents = _parents(self._inner)

    @classmethod
    def of(cls, rules: Mapping[str, bool]) -> Self:
        """A matcher from patterns of both kinds."""
        return cls(
            {pattern: allowed for pattern, allowed in rules.items() if not is_wild(pattern)},
            {pattern: allowed for pattern, allowed in rules.items() if is_wild(pattern)},
        )

    def best(self, path: str, places: Places | None = None) -> Best:
        """The rule that decides about a path in normal form.

        Where several matchers are asked about one long path, they share what is known of it.
        """
        rank, best = NO_RULE
        # To look for needles in a long path may take as long as to look for the pieces.
        straight = len(path) > _MAX_FOR_NEEDLES
        find: Find = path.find
        if len(path) > _MAX_FOR_PIECES:
            find = (places or Places(path)).find
        for head in self._heads_of(path):
            allowed = self._literal.get(head)
            if allowed is not None and 2 * len(head) + allowed > rank:
                rank, best = 2 * len(head) + allowed, head
            for wild_rank, needle, pattern, wild in self._wild.get(head, ()):
                if wild_rank <= rank:
                    break
                if (straight or needle in path) and matches(wild, path, find):
                    rank, best = wild_rank, pattern
                    break
        return rank, best

    def _heads_of(self, path: str) -> list[str]:
        """The heads that begin a path, the longest of them first."""
        heads, inner, parents = self._heads, self._inner, self._parents
        index = bisect_right(heads, path) - 1
        found = [heads[index]] if index >= 0 and path.startswith(heads[index]) else []
        index = bisect_right(inner, path) - 1
        while index >= 0 and not path.startswith(inner[index]):
            index = parents[index]
        if index >= 0 and found == [inner[index]]:
            index = parents[index]
        while index >= 0:
            found.append(inner[index])
            index = parents[index]
        return found


def _filed(wild: Mapping[str, bool]) -> dict[str, list[_Filed]]:
    """Rules with wild cards by their heads, the longest first."""
    filed: dict[str, list[_Filed]] = {}
    for pattern, allowed in wild.items():
        compared = within_limits(pattern, allowed)
        if compared is not None:
            parts = taken_apart(compared)
            needle = _needle(max((*parts.pieces, parts.tail), key=len))
            rank = 2 * len(pattern) + allowed
            filed.setdefault(parts.head, []).append((rank, needle, pattern, parts))
    for rules in filed.values():
        rules.sort(reverse=True)
    return filed


def _needle(piece: str) -> str:
    """A short part of a piece: a path that lacks it need not be looked at further.

    The most varied of three parts, as the one least likely to be there: to look for
    a long piece that is almost everywhere takes as many steps as both are long.
    """
    if len(piece) <= _MAX_NEEDLE:
        return piece
    middle = (len(piece) - _MAX_NEEDLE) // 2
    starts = (0, middle, len(piece) - _MAX_NEEDLE)
    return max((piece[at : at + _MAX_NEEDLE] for at in starts), key=lambda part: len(set(part)))


def _parents(heads: list[str]) -> list[int]:
    """For each of the sorted heads, the index of the longest other one that begins it, or -1."""
    parents: list[int] = []
    chain: list[int] = []
    for index, head in enumerate(heads):
        while chain and not head.startswith(heads[chain[-1]]):
            chain.pop()
        parents.append(chain[-1] if chain else -1)
        chain.append(index)
    return parents


class PathPattern:
    """A pattern (as octets) that is compared with many paths."""

    __slots__ = ("_matcher",)

    def __init__(self, pattern: str) -> None:
        self._matcher = Matcher.of(dict.fromkeys(compared_patterns(pattern), True))

    def rank(self, paths: Iterable[Places]) -> int:
        """How well it matches a path in the forms that are compared, in the measure of rules."""
        return max(self._matcher.best(places.path, places)[0] for places in paths)

    def matches(self, paths: Iterable[Places]) -> bool:
        """Whether it matches a path in one of the forms that are compared."""
        return self.rank(paths) != NO_RULE[0]


def compared_places(path: str) -> list[Places]:
    """A path in the forms that are compared, ready for many patterns."""
    return [Places(each) for each in compared_paths(path)]
