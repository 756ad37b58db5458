"""An interpreter of regular expressions that counts steps, as `re` would take them.

It walks the tree of `re`'s own parser and backtracks as `re` does. A count of steps is the same on
every machine, so how work grows with a text can be tested without a clock.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]  # of CPython's own
from typing import Any, Final

MOST_STEPS: Final = 60_000
RECURSION: Final = 200_000  # of Python functions alone, which take no stack of C

Continue = Callable[[int], int | None]
Match = Callable[[int, Continue], int | None]
Text = str | bytes

SINGLE: Final = {
    _constants.LITERAL,
    _constants.NOT_LITERAL,
    _constants.ANY,
    _constants.IN,
}
REPEATS: Final = {
    _constants.MAX_REPEAT,
    _constants.MIN_REPEAT,
    _constants.POSSESSIVE_REPEAT,
}


class TooManyStepsError(Exception):
    """More than anybody should wait for."""


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Let functions call each other deeply for now.

    For good, it would have native code go on, with what nests deeply, until there is no stack left.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(RECURSION, before))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class Counted:
    """One expression, run on texts."""

    def __init__(self, pattern: "re.Pattern[Any]") -> None:
        self.pattern = pattern
        self.tree = _parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
        self.flags = self.tree.state.flags
        self._tests: dict[str, dict[int, bool]] = {}
        self._compiled: dict[str, re.Pattern[Any]] = {}
        self._text: Text = "" if isinstance(pattern.pattern, str) else b""
        self._groups: dict[int, tuple[int, int]] = {}
        self.steps = 0
        self._whole = self._sequence(list(self.tree), self.flags)

    def run(self, text: Text, how: str) -> list[tuple[int, int]]:
        """Where the expression is found; `steps` says how many it took."""
        with _deep_recursion():
            return self._find(text, how)

    def _find(self, text: Text, how: str) -> list[tuple[int, int]]:
        self._text, self.steps = text, 0
        found, start = [], 0
        while start <= len(text):
            self._groups.clear()
            end = self._whole(start, self._end if how == "fullmatch" else _itself)
            if end is not None:
                found.append((start, end))
            if how in ("match", "fullmatch"):
                break
            start = start + 1 if end is None or end == start else end
        return found

    def test(self, item: Any, flags: int) -> Callable[[int], bool]:
        """Whether a character is one that a part of the tree stands for; `re` itself decides."""
        key = f"{item}{flags}"
        known = self._tests.setdefault(key, {})
        if key not in self._compiled:
            state = _parser.State()
            state.flags = flags
            state.str = self.pattern.pattern
            self._compiled[key] = _compiler.compile(_parser.SubPattern(state, [item]), flags)
        program = self._compiled[key]
        is_text = isinstance(self.pattern.pattern, str)

        def tested(code: int) -> bool:
            answer = known.get(code)
            if answer is None:
                one = chr(code) if is_text else bytes([code])
                answer = known[code] = program.match(one) is not None
            return answer

        return tested

    def _step(self, count: int = 1) -> None:
        self.steps += count
        if self.steps > MOST_STEPS:
            raise TooManyStepsError

    def _at(self, index: int) -> int:
        one = self._text[index]
        return one if isinstance(one, int) else ord(one)

    def _end(self, index: int) -> int | None:
        return index if index == len(self._text) else None

    def _sequence(self, items: list[Any], flags: int) -> Match:
        parts = [self._part(item, flags) for item in items]
        if len(parts) == 1:
            return parts[0]

        def match(index: int, then: Continue, at: int = 0) -> int | None:
            if at == len(parts):
                return then(index)
            return parts[at](index, lambda end: match(end, then, at + 1))

        return match

    def _part(self, item: Any, flags: int) -> Match:
        op, argument = item
        if op in SINGLE:
            return self._single(item, flags)
        if op in REPEATS:
            return self._repeat(op, argument, flags)
        if op is _constants.SUBPATTERN:
            group, added, removed, inner = argument
            return self._group(group, self._sequence(list(inner), (flags | added) & ~removed))
        if op is _constants.ATOMIC_GROUP:
            return self._atomic(self._sequence(list(argument), flags))
        if op is _constants.BRANCH:
            return self._branch([self._sequence(list(each), flags) for each in argument[1]])
        if op is _constants.AT:
            return self._place(item, flags)
        if op in (_constants.ASSERT, _constants.ASSERT_NOT):
            return self._assertion(op is _constants.ASSERT, argument, flags)
        if op is _constants.GROUPREF:
            return self._reference(argument)
        raise NotImplementedError(str(op))

    def _single(self, item: Any, flags: int) -> Match:
        test = self.test(item, flags)

        def match(index: int, then: Continue) -> int | None:
            self._step()
            if index < len(self._text) and test(self._at(index)):
                return then(index + 1)
            return None

        return match

    def _repeat(self, op: Any, argument: Any, flags: int) -> Match:
        least, most, inner = argument
        items = list(inner)
        if len(items) == 1 and items[0][0] in SINGLE:
            return self._run(op, least, most, self.test(items[0], flags))
        body = self._sequence(items, flags)
        if op is _constants.POSSESSIVE_REPEAT:
            return self._atomic(self._loop(body, least, most, is_greedy=True))
        return self._loop(body, least, most, is_greedy=op is _constants.MAX_REPEAT)

    def _run(self, op: Any, least: int, most: int, test: Callable[[int], bool]) -> Match:
        """A repeat of one character, which `re` counts in a loop."""

        def greedy(index: int, then: Continue) -> int | None:
            end = index
            while end < len(self._text) and end - index < most and test(self._at(end)):
                self._step()
                end += 1
            last = end if op is _constants.POSSESSIVE_REPEAT else index + least
            while end >= max(last, index + least):
                self._step()
                if (found := then(end)) is not None:
                    return found
                end -= 1
            return None

        def lazy(index: int, then: Continue) -> int | None:
            end = index
            while True:
                self._step()
                if end - index >= least and (found := then(end)) is not None:
                    return found
                if end - index >= most or end >= len(self._text) or not test(self._at(end)):
                    return None
                end += 1

        return lazy if op is _constants.MIN_REPEAT else greedy

    def _loop(self, body: Match, least: int, most: int, *, is_greedy: bool) -> Match:
        def match(index: int, then: Continue, count: int = 0, before: int = -1) -> int | None:
            self._step()

            def again() -> int | None:
                if count >= most or (index == before and count >= least):
                    return None
                return body(index, lambda end: match(end, then, count + 1, index))

            if is_greedy:
                found = again()
                return then(index) if found is None and count >= least else found
            found = then(index) if count >= least else None
            return again() if found is None else found

        return match

    def _atomic(self, body: Match) -> Match:
        def match(index: int, then: Continue) -> int | None:
            end = body(index, _itself)
            return None if end is None else then(end)

        return match

    def _group(self, number: int | None, body: Match) -> Match:
        if number is None:
            return body

        def match(index: int, then: Continue) -> int | None:
            def after(end: int) -> int | None:
                before = self._groups.get(number)
                self._groups[number] = index, end
                found = then(end)
                if found is None:
                    if before is None:
                        del self._groups[number]
                    else:
                        self._groups[number] = before
                return found

            return body(index, after)

        return match

    def _branch(self, branches: list[Match]) -> Match:
        def match(index: int, then: Continue) -> int | None:
            for branch in branches:
                self._step()
                if (found := branch(index, then)) is not None:
                    return found
            return None

        return match

    def _place(self, item: Any, flags: int) -> Match:
        state = _parser.State()
        state.flags = flags
        state.str = self.pattern.pattern
        program = _compiler.compile(_parser.SubPattern(state, [item]), flags)

        def match(index: int, then: Continue) -> int | None:
            self._step()
            return then(index) if program.match(self._text, index) else None

        return match

    def _assertion(self, is_wanted: bool, argument: Any, flags: int) -> Match:
        direction, inner = argument
        body = self._sequence(list(inner), flags)
        width = inner.getwidth()[0] if direction < 0 else 0

        def match(index: int, then: Continue) -> int | None:
            self._step()
            start = index - width
            holds = start >= 0 and body(start, _itself) is not None
            return then(index) if holds is is_wanted else None

        return match

    def _reference(self, number: int) -> Match:
        def match(index: int, then: Continue) -> int | None:
            if number not in self._groups:
                return None
            start, end = self._groups[number]
            self._step(end - start + 1)
            said = self._text[start:end]
            is_there = self._text[index : index + len(said)] == said
            return then(index + len(said)) if is_there else None

        return match


def _itself(index: int) -> int | None:
    return index


def found_by_re(pattern: "re.Pattern[Any]", text: Text, how: str) -> list[tuple[int, int]]:
    """The same by `re`, to compare; empty matches beside others are left out in both."""
    if how in ("match", "fullmatch"):
        match = getattr(pattern, how)(text)
        return [match.span()] if match else []
    return list(_spans(pattern, text))


def _spans(pattern: "re.Pattern[Any]", text: Text) -> Iterator[tuple[int, int]]:
    start = 0
    while start <= len(text):
        match = pattern.search(text, start)
        if match is None:
            return
        yield match.span()
        start = match.end() + (match.end() == match.start())
