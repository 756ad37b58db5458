"""Texts on which an expression may be slow, made from the expression itself."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import log2
from re import _constants  # of CPython's own
from typing import Any, Final, NamedTuple

from tests.hostile.backtracking import (
    REPEATS,
    SINGLE,
    Counted,
    Text,
    TooManyStepsError,
    found_by_re,
)

LONG: Final = 64  # repeats that end sooner are no loops
SIZES: Final = (32, 64, 128, 256)  # characters; the larger ones where the smaller leave a doubt
LARGE_SIZES: Final = (128, 256, 512)
# Times the steps for a text twice as long: with less than this, there is no need to look further.
LINEAR: Final = (2.2, 2.6, 0.0)  # 2 ** 1.14 for short texts, 2 ** 1.38
MOST_GROWTH: Final = 1.3  # as a power of the size
USUAL: Final = "aZ0 \t\n_-.:/<>\"'=&;%#@?!(){}[]\\,é日\x00"
MOST_SAMPLES: Final = 6
MOST_PUMPS: Final = 8


class Slow(NamedTuple):
    """An attack that works."""

    growth: float  # the power with which steps grow with the size of the text
    text: str  # its beginning
    how: str


class _Loop(NamedTuple):
    prefix: str  # what leads to it
    pumps: tuple[str, ...]


class Attacker:
    """Makes texts for one expression, and counts."""

    def __init__(self, pattern: "re.Pattern[Any]", sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._counted = Counted(pattern)
        self._is_text = isinstance(pattern.pattern, str)
        self._letters = self._representatives()

    def worst(self, how: str) -> Slow | None:
        """The first attack that works; None where none does."""
        for prefix, pump, suffix in dict.fromkeys(self._attacks(how)):
            growth = self._growth(prefix, pump, suffix, how)
            if growth > MOST_GROWTH:
                return Slow(growth, f"{prefix!r} + {pump!r} * n + {suffix!r}", how)
        return None

    def _growth(self, prefix: str, pump: str, suffix: str, how: str) -> float:
        steps: list[int] = []
        for size in self._sizes:
            text = prefix + pump * (size // len(pump)) + suffix
            given: Text = text if self._is_text else text.encode("latin-1", "replace")
            try:
                found = self._counted.run(given, how)
            except TooManyStepsError:
                return 99.0
            assert found == found_by_re(self._counted.pattern, given, how), (text, how)
            steps.append(self._counted.steps)
            if len(steps) > 1 and steps[-1] < LINEAR[len(steps) - 2] * steps[-2]:
                return 1.0
        return log2(steps[-1] / steps[-2])

    def _attacks(self, how: str) -> Iterator[tuple[str, str, str]]:
        for loop in self._loops(list(self._counted.tree), self._counted.flags, ""):
            pumps = dict.fromkeys(loop.pumps)
            if how == "search":
                pumps |= dict.fromkeys(
                    (loop.prefix, *(loop.prefix + each for each in loop.pumps[:3]))
                )
            for pump in islice(filter(None, pumps), MOST_PUMPS):
                for suffix in self._suffixes(pump):
                    yield loop.prefix, pump, suffix

    def _suffixes(self, pump: str) -> Iterable[str]:
        others = [each for each in self._letters if each not in pump]
        return ["", *others[:1], *others[-1:]]

    def _loops(self, items: list[Any], flags: int, prefix: str) -> Iterator[_Loop]:
        """Every repeat without end, with a text that leads to it."""
        for item in items:
            op, argument = item
            if op in REPEATS:
                inner = list(argument[2])
                yield from self._loops(inner, flags, prefix)
                if argument[1] >= LONG:
                    yield _Loop(prefix, self._pumps(inner, flags))
            elif op is _constants.SUBPATTERN:
                yield from self._loops(list(argument[3]), flags | argument[1], prefix)
            elif op is _constants.ATOMIC_GROUP:
                yield from self._loops(list(argument), flags, prefix)
            elif op is _constants.BRANCH:
                for each in argument[1]:
                    yield from self._loops(list(each), flags, prefix)
            elif op in (_constants.ASSERT, _constants.ASSERT_NOT):
                yield from self._loops(list(argument[1]), flags, prefix)
            prefix += (self._samples([item], flags) or [""])[0]

    def _pumps(self, inner: list[Any], flags: int) -> tuple[str, ...]:
        if len(inner) == 1 and inner[0][0] in SINGLE:
            return tuple(self._members(inner[0], flags)[:MOST_PUMPS])
        samples = [each for each in self._samples(inner, flags) if each]
        return tuple(samples[: MOST_PUMPS // 2])

    def _samples(self, items: list[Any], flags: int) -> list[str]:
        """Some texts that a part of the expression matches, the plainest first."""
        found = [""]
        for item in items:
            some = self._of(item, flags) or [""]
            first = [each + some[0] for each in found]
            more = [found[0] + each for each in some[1:]]
            found = list(dict.fromkeys([*first, *more]))[:MOST_SAMPLES]
        return found

    def _of(self, item: Any, flags: int) -> list[str]:
        op, argument = item
        if op in SINGLE:
            return self._members(item, flags)[:MOST_SAMPLES]
        if op in REPEATS:
            some = self._samples(list(argument[2]), flags)
            least = [each * argument[0] for each in some] if argument[0] else ["", *some]
            return list(dict.fromkeys(least))
        if op is _constants.SUBPATTERN:
            return self._samples(list(argument[3]), flags | argument[1])
        if op is _constants.ATOMIC_GROUP:
            return self._samples(list(argument), flags)
        if op is _constants.BRANCH:
            samples = (self._samples(list(each), flags)[:2] for each in argument[1])
            return [each for some in samples for each in some][:MOST_SAMPLES]
        return [""]

    def _members(self, item: Any, flags: int) -> list[str]:
        test = self._counted.test(item, flags)
        return [each for each in self._letters if test(ord(each))]

    def _representatives(self) -> list[str]:
        """One character for each way in which the expression tells characters apart."""
        singles = list(_singles(list(self._counted.tree), self._counted.flags))
        codes = dict.fromkeys(
            [
                *(ord(each) for each in USUAL),
                *(code for item, _ in singles for code in _codes(item)),
            ]
        )
        tests = [self._counted.test(item, flags) for item, flags in singles]
        found: dict[tuple[bool, ...], str] = {}
        for code in codes:
            if 0 <= code < (0x110000 if self._is_text else 0x100) and not 0xD800 <= code < 0xE000:
                found.setdefault(tuple(test(code) for test in tests), chr(code))
        # Those that most parts agree on first: where two loops can take the same, there is a choice.
        return sorted(found.values(), key=lambda each: -sum(test(ord(each)) for test in tests))


def _singles(items: Iterable[Any], flags: int) -> Iterator[tuple[Any, int]]:
    for item in items:
        op, argument = item
        if op in SINGLE:
            yield item, flags
        elif op in REPEATS:
            yield from _singles(argument[2], flags)
        elif op is _constants.SUBPATTERN:
            yield from _singles(argument[3], flags | argument[1])
        elif op is _constants.ATOMIC_GROUP:
            yield from _singles(argument, flags)
        elif op is _constants.BRANCH:
            for each in argument[1]:
                yield from _singles(each, flags)
        elif op in (_constants.ASSERT, _constants.ASSERT_NOT):
            yield from _singles(argument[1], flags)


def _codes(item: Any) -> Iterator[int]:
    op, argument = item
    if op in (_constants.LITERAL, _constants.NOT_LITERAL):
        yield argument
    elif op is _constants.IN:
        for each in argument:
            yield from _codes(each)
    elif op is _constants.RANGE:
        yield from (argument[0], argument[1], argument[1] + 1)


def worst_attack(pattern: "re.Pattern[Any]", how: str, sizes: Sequence[int] = SIZES) -> Slow | None:
    """The text on which an expression is slow when used so; None where there is none."""
    return Attacker(pattern, sizes).worst(how)
