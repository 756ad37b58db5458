"""Repairs invalid JSON where its meaning is clear.

One pass from left to right, in time linear in the text, without recursion. It never guesses:
missing commas and brackets stay missing, and so do quotes around anything but a single word; the JSON
parser will say so.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from html import unescape
from typing import Final


class Fault(StrEnum):
    """A kind of mistake that can be repaired, in words that precede its count."""

    COMMENT = "comment left out"
    WRAPPER = "comment or CDATA mark around the JSON left out"
    COMMA = "comma too many left out"
    CONTROL = "control character in a string escaped"
    ESCAPE = "escape that is none in JSON resolved"
    QUOTES = "single quotes read as double ones"
    BARE = "word that is none in JSON read as a string or null"
    SPACE = "white space that is none in JSON left out"
    ENTITIES = "JSON written with HTML character references, read without"
    SEVERAL = "further object in the same block"
    OUTSIDE = "text outside of the objects left out"
    DEPTH = "part nested too deeply left out"


@dataclass(frozen=True, slots=True)
class Repair:
    """One kind of repair: its first position and its count."""

    fault: Fault
    line: int  # from 0, within the text
    count: int

    def __str__(self) -> str:
        times = "" if self.count == 1 else f" ({self.count} times)"
        return f"{self.fault[:1].upper()}{self.fault[1:]}{times}."


@dataclass(frozen=True, slots=True)
class Piece:
    """One object or array of a text, repaired as far as possible."""

    text: str
    line: int  # where it begins, from 0
    repairs: tuple[Repair, ...]  # within it


@dataclass(frozen=True, slots=True)
class Repaired:
    """The pieces of a text and the repairs made."""

    pieces: tuple[Piece, ...]
    around: tuple[Repair, ...]  # repairs outside of the pieces

    def repairs(self, pieces: Iterable[Piece]) -> list[Repair]:
        """All repairs, around and inside the pieces: each fault once, in order."""
        sums: dict[Fault, Repair] = {}
        within = (repair for piece in pieces for repair in piece.repairs)
        for each in sorted((*self.around, *within), key=lambda repair: repair.line):
            known = sums.get(each.fault, replace(each, count=0))
            sums[each.fault] = replace(known, count=known.count + each.count)
        return list(sums.values())


_SPACE: Final = re.compile(r"[ \t\r\n]+")
_ODD_SPACE: Final = re.compile(r"[\s\x00-\x1f\ufeff\u200b]+")
_PLAIN: Final = re.compile(r'[^"\\\x00-\x1f]+')  # the inside of a string, up to what needs a look
_WORD: Final = re.compile(r'[^\s\x00-\x1f\ufeff\u200b"{}\[\],:/<&]+')
_QUOTED: Final = re.compile(r"[^'\\\"\x00-\x1f]+")  # the same in single quotes
_LITERAL: Final = re.compile(r"-?[0-9.][0-9.eE+-]*|true|false|null")
_SCRIPT_WORDS: Final = {
    **dict.fromkeys(("undefined", "None", "NaN", "Infinity", "-Infinity"), "null"),
    "True": "true",
    "False": "false",
}  # what JavaScript and Python write
_NAME_LIKE: Final = re.compile(r"[@$\w][\w.$-]*")
_MEMBER_END: Final = re.compile(r"\s*+[,}\]]")
_COLON: Final = re.compile(r"\s*+:")
_WRAPPER: Final = re.compile(r"(?://[ \t]*)?(?:<!--|-->|<!\[CDATA\[|\]\]>)")
_QUOTE_REFERENCE: Final = re.compile(r"&(?:quot|#34|#[xX]22);")
_CLOSED_BY: Final = {"{": "}", "[": "]"}
_GOOD_ESCAPES: Final = frozenset('"\\/bfnrtu')


def repaired(text: str, max_depth: int) -> Repaired:
    """The objects and arrays of a text, and the repairs that reading them took.

    A part below `max_depth` is `null`. What cannot be mended stays as it is.
    """
    scanner = _Scanner(text, max_depth)
    if scanner.run():
        return scanner.result()
    # Quotes are written as references, so everything is: a page that was escaped once too often.
    scanner = _Scanner(unescape(text), max_depth)
    scanner.note(Fault.ENTITIES)
    scanner.run()
    return scanner.result()


class _Scanner:
    def __init__(self, text: str, max_depth: int) -> None:
        self._text = text
        self._max_depth = max_depth
        self._at = 0
        self._open: list[str] = []  # the brackets around this place
        self._out: list[str] = []
        self._pieces: list[Piece] = []
        self._piece_line = 0
        self._comma = False  # read, but not yet written: it may be one too many
        self._fresh = False  # just after an opening bracket, where no comma belongs
        self._around: dict[Fault, Repair] = {}  # repairs outside of the pieces
        self._within: dict[Fault, Repair] = {}  # and of this piece
        self._line = self._line_at = 0  # the line of a place we have been at

    def run(self) -> bool:
        """Read the whole text; False if character references stand for quotes."""
        text = self._text
        while self._at < len(text):
            match text[self._at]:
                case " " | "\n" | "\r" | "\t":
                    self._space()
                case '"':
                    self._string()
                case "'" if self._open:
                    self._single_quoted()
                case "," if self._open:
                    self._read_comma()
                case ":" if self._open:
                    self._write(":", 1)
                case "{" | "[" as bracket:
                    self._opening(bracket)
                case "}" | "]" as bracket if self._open:
                    self._closing(bracket)
                case "&" if _QUOTE_REFERENCE.match(text, self._at) and not self._is_mended:
                    return False
                case _:
                    self._other()
        if self._open:
            self._end_piece()
        return True

    @property
    def _is_mended(self) -> bool:
        return Fault.ENTITIES in self._around

    def result(self) -> Repaired:
        return Repaired(tuple(self._pieces), tuple(self._around.values()))

    def note(self, fault: Fault) -> None:
        repairs = self._within if self._open else self._around
        known = repairs.get(fault)
        if known is None:
            repairs[fault] = Repair(fault, self._line_here(), 1)
        else:
            repairs[fault] = Repair(fault, known.line, known.count + 1)

    def _line_here(self) -> int:
        self._line += self._text.count("\n", self._line_at, self._at)
        self._line_at = self._at
        return self._line

    def _write(self, text: str, length: int) -> None:
        """Pass over `length` characters and write `text` for them, unless too deep or outside."""
        self._at += length
        if self._open and len(self._open) <= self._max_depth:
            self._out.append(text)

    def _space(self) -> None:
        match = _SPACE.match(self._text, self._at)
        assert match is not None
        self._write(match[0], len(match[0]))

    def _begin_value(self) -> None:
        if self._comma:
            self._write(",", 0)
        self._comma = self._fresh = False

    def _read_comma(self) -> None:
        if self._comma or self._fresh:
            self.note(Fault.COMMA)
        else:
            self._comma = True
        self._at += 1

    def _opening(self, bracket: str) -> None:
        self._begin_value()
        if not self._open:
            self._begin_piece()
        if len(self._open) == self._max_depth:
            self.note(Fault.DEPTH)
            self._write("null", 0)
        self._open.append(bracket)
        self._write(bracket, 1)
        self._fresh = True

    def _closing(self, bracket: str) -> None:
        if self._comma:
            self.note(Fault.COMMA)
        self._comma = self._fresh = False
        self._write(bracket, 1)
        self._open.pop()
        if not self._open:
            self._end_piece()

    def _begin_piece(self) -> None:
        if self._pieces:
            self.note(Fault.SEVERAL)
        self._piece_line = self._line_here()

    def _end_piece(self) -> None:
        repairs = tuple(self._within.values())
        self._pieces.append(Piece("".join(self._out), self._piece_line, repairs))
        self._out, self._within = [], {}

    def _string(self) -> None:
        if not self._open:
            self._outside(1)
            return
        self._begin_value()
        self._write('"', 1)
        while self._at < len(self._text):
            if plain := _PLAIN.match(self._text, self._at):
                self._write(plain[0], len(plain[0]))
            elif self._text[self._at] == '"':
                self._write('"', 1)
                return
            elif self._text[self._at] == "\\":
                self._escape()
            else:
                self.note(Fault.CONTROL)
                self._write(f"\\u{ord(self._text[self._at]):04x}", 1)

    def _single_quoted(self) -> None:
        """A string in single quotes, as JavaScript has them."""
        self.note(Fault.QUOTES)
        self._begin_value()
        self._write('"', 1)
        while self._at < len(self._text):
            if plain := _QUOTED.match(self._text, self._at):
                self._write(plain[0], len(plain[0]))
                continue
            match self._text[self._at]:
                case "'":
                    self._write('"', 1)
                    return
                case '"':
                    self._write('\\"', 1)
                case "\\":
                    self._escape()
                case control:
                    self._write(f"\\u{ord(control):04x}", 1)

    def _escape(self) -> None:
        escaped = self._text[self._at + 1 : self._at + 2]
        if escaped == "'":  # JavaScript's, and it can mean but one thing
            self.note(Fault.ESCAPE)
            self._write("'", 2)
        else:
            self._write(f"\\{escaped}", 2 if escaped in _GOOD_ESCAPES else 1)

    def _other(self) -> None:
        text, at = self._text, self._at
        if wrapper := _WRAPPER.match(text, at):
            self.note(Fault.WRAPPER)
            self._write(" ", len(wrapper[0]))
        elif text.startswith("//", at):
            self._comment(text.find("\n", at))
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            self._comment(end + 2 if end >= 0 else -1)
        elif space := _ODD_SPACE.match(text, at):
            self.note(Fault.SPACE)
            self._write(" ", len(space[0]))
        else:
            self._word()

    def _comment(self, end: int) -> None:
        self.note(Fault.COMMENT)
        length = (end if end >= 0 else len(self._text)) - self._at
        self._write("\n" * self._text.count("\n", self._at, self._at + length), length)

    def _word(self) -> None:
        """A number, `true` and its like, or what is no JSON at all."""
        match = _WORD.match(self._text, self._at)
        word = match[0] if match else self._text[self._at]
        if self._open:
            self._begin_value()
            self._write(self._quoted(word), len(word))
        else:
            self._outside(len(word))

    def _quoted(self, word: str) -> str:
        """A word as JSON would have it: a name or a string that lacks its quotes gets them."""
        end = self._at + len(word)
        if not _NAME_LIKE.fullmatch(word) and word not in _SCRIPT_WORDS:
            return word
        if _COLON.match(self._text, end):
            self.note(Fault.BARE)
            return f'"{word}"'
        if _LITERAL.fullmatch(word) or not _MEMBER_END.match(self._text, end):
            return word
        self.note(Fault.BARE)
        return _SCRIPT_WORDS.get(word, f'"{word}"')

    def _outside(self, length: int) -> None:
        self.note(Fault.OUTSIDE)
        self._at += length
