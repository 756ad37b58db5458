"""Repairs Turtle and TriG whose quotation marks do not match. Pure.

A quotation mark without its fellow makes one text of all that follows, and a parser finds no way
back. A person sees where it should have ended: on its line. So the statement is closed before
what is broken, the rest of it is left out, and all lines stay where they are.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from gossamer.model import Problem

_QUOTED: Final = "A quoted text is not closed; the rest of its statement is left out."
_IRI: Final = "An IRI is not closed; the rest of its statement is left out."
# What there is in Turtle, as coarse as can be. Possessive: nothing is looked at twice.
_TOKEN: Final = re.compile(
    r"""
    \#[^\n]*+ | <[^<>\n]*+> | <[^<>\s]*+(?:<[^<>\s]*+){1,8}+> | <<
    | "(?!"")(?:[^"\\\n]++|\\.)*+" | '(?!'')(?:[^'\\\n]++|\\.)*+'
    | (?P<mark>[.;,\[\](){}])
    | (?:[^\s\#<"'.;,\[\](){}\\]++|\\.|\.(?=[^\s\#<"'.;,\[\](){}]))++
    | (?P<opening>\"{3}|'{3}|["'<])
    """,
    re.VERBOSE | re.DOTALL,
)
# From behind an opening mark to behind the closing one, over any number of lines.
_TO_CLOSING: Final = {
    '"': re.compile(r'(?:[^"\\]++|\\.)*+"', re.DOTALL),
    "'": re.compile(r"(?:[^'\\]++|\\.)*+'", re.DOTALL),
    '"""': re.compile(r'(?:[^"\\]++|\\.|"(?!""))*+"""', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]++|\\.|'(?!''))*+'''", re.DOTALL),
}
# What can stand behind a text. Where it does not, the text ended at the beginning of another.
_BEHIND: Final = re.compile(r"\s*+(?:[.;,)\]}@#]|\^\^|\Z)")
_TAIL: Final = " \t\r.;,)]}"  # what is no part of a text at the end of its line
_NEW_STATEMENT: Final = re.compile(r"\n[A-Za-z_:<@]")  # the others are indented
_CLOSERS: Final = {"[": "]", "(": ")"}
_MOST_LOOKS: Final = 4  # times the text: what may be spent on closing marks that are none


@dataclass(slots=True)
class _Bracket:
    """An open bracket, or the statement itself."""

    closer: str
    safe: int | None  # up to here it can be kept; None if nothing is said by then


@dataclass(slots=True)
class _Statement:
    """A statement as far as it was read."""

    start: int
    open: list[_Bracket] = field(default_factory=lambda: [_Bracket("", None)])
    has_brackets: bool = False  # in which much can be said before the statement is

    def take(self, mark: str | None, start: int, end: int) -> None:
        """Advance past a token."""
        if mark in _CLOSERS:
            self.has_brackets = True
            self.open.append(_Bracket(_CLOSERS[mark], end))
            return
        if mark == self.open[-1].closer:
            self.open.pop()
        if mark in (";", ","):
            self.open[-1].safe = start
        elif mark == "]" or self.open[-1].closer == ")":
            self.open[-1].safe = end

    def kept(self, broken: int) -> tuple[int, str]:
        """The offset up to which the text is kept if it breaks here, and what then ends it."""
        safe = self.open[-1].safe
        if safe is not None:
            return safe, "".join(bracket.closer for bracket in reversed(self.open)) + " ."
        if not self.has_brackets:
            return self.start, ""
        # A list about which nothing is said. Its members are told by now, so it must stay; the
        # parser stumbles over the first full stop, and goes on behind the second.
        return broken, " . ."


def closed(text: str) -> tuple[str, list[Problem]]:
    """The text without what an unclosed quotation mark or IRI spoils, and its position."""
    return _Mending(text).done()


class _Mending:
    def __init__(self, text: str) -> None:
        self._text = text
        self._looks = _MOST_LOOKS * len(text)
        self._problems: list[Problem] = []
        self._line, self._counted = 1, 0
        self._pieces: list[str] = []
        self._copied = 0  # so much of the text is in the pieces, or left out
        self._end = ""  # of the statement that is being left out

    def done(self) -> tuple[str, list[Problem]]:
        place, statement, is_broken = 0, _Statement(0), False
        while token := _TOKEN.search(self._text, place):
            start, place = token.span()
            mark, opening = token["mark"], token["opening"]
            if opening and (end := self._closing(opening, place)):
                mark, place = None, end
            elif opening:
                if not is_broken:
                    self._break(statement, start, opening)
                is_broken = True
                place, is_over = self._tail(start)
                mark = "." if is_over else ";"
            if mark in (".", "{", "}"):
                if is_broken:
                    self._leave_out(place if mark == "." else start)
                statement, is_broken = _Statement(place), False
            elif not is_broken:
                statement.take(mark, start, place)
        if is_broken:
            self._leave_out(len(self._text))
        return "".join([*self._pieces, self._text[self._copied :]]), self._problems

    def _closing(self, opening: str, place: int) -> int | None:
        """Where a text over several lines ends; None if it does not."""
        if opening == "<" or self._looks <= 0:
            return None
        match = _TO_CLOSING[opening].match(self._text, place)
        if match and _BEHIND.match(self._text, match.end()):
            return match.end()
        self._looks -= (match.end() if match else len(self._text)) - place
        return None

    def _break(self, statement: _Statement, start: int, opening: str) -> None:
        kept, self._end = statement.kept(start)
        self._pieces.append(self._text[self._copied : kept])
        self._copied = kept
        self._line += self._text.count("\n", self._counted, start)
        self._counted = start
        self._problems.append(Problem(_IRI if opening == "<" else _QUOTED, line=self._line))

    def _tail(self, start: int) -> tuple[int, bool]:
        """Where to go on reading behind what is broken, and whether its statement is over there."""
        end = self._text.find("\n", start)
        end = len(self._text) if end < 0 else end
        line = self._text[start + 1 : end].rstrip()
        words = line.rstrip(_TAIL)
        if words != line or not _NEW_STATEMENT.match(self._text, end):
            return start + 1 + len(words), False
        return end, True

    def _leave_out(self, end: int) -> None:
        lines = self._text.count("\n", self._copied, end)
        self._pieces.append("\n" * lines + self._end)
        self._copied = end
