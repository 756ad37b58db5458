"""Rows of a query for people: prefixes shortened, columns fitted, however many rows there are.

The first rows decide how wide the columns are; those that follow are written as they come.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from gossamer.cli.text import fitted, in_columns, plain
from gossamer.prefixes import PREFIXES, shortened

SAMPLE: Final = 200  # rows that decide how wide the columns are
XSD: Final = PREFIXES["xsd"]
# What these are is plain to see.
_OBVIOUS_NAMES: Final = (
    *("string", "integer", "decimal", "double", "float", "boolean"),
    *("date", "dateTime", "gYear", "anyURI"),
)
OBVIOUS: Final = frozenset(f"{XSD}{name}" for name in _OBVIOUS_NAMES)
_LITERAL: Final = re.compile(r'"((?:[^"\\]|\\.)*)"(?:@([\w-]+)|\^\^<([^>]*)>)?', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_SHORT: Final = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(slots=True)
class RowsTable:
    """Takes rows as SPARQL's TSV, in any pieces, and writes lines of a table."""

    write: Callable[[str], None]
    width: int | None = None  # of the terminal; without one, nothing is cut
    _held: bytes = b""
    _sample: list[Sequence[str]] = field(default_factory=list)
    _widths: Sequence[int] | None = None

    def feed(self, part: bytes) -> None:
        """Take some more bytes."""
        *lines, self._held = (self._held + part).split(b"\n")
        for line in lines:
            self._row([shown_term(term) for term in line.decode().split("\t")])

    def finish(self) -> None:
        """There are no more."""
        if self._widths is None:
            self._begin()

    def _row(self, row: Sequence[str]) -> None:
        if self._widths is not None:
            self.write(in_columns(row, self._widths))
            return
        self._sample.append(row)
        if len(self._sample) > SAMPLE:
            self._begin()

    def _begin(self) -> None:
        self._widths = fitted(self._sample, width=self.width, glance=self.width is not None)
        for row in self._sample:
            self.write(in_columns(row, self._widths))
        self._sample = []


def shown_term(term: str) -> str:
    """A term of TSV as people read it; a variable without its question mark."""
    if term.startswith("?"):
        return term[1:]
    if term.startswith("<") and term.endswith(">") and not term.startswith("<<"):
        return plain(shortened(term[1:-1]))
    literal = _LITERAL.fullmatch(term)
    return plain(term) if literal is None else _shown_literal(*literal.groups())


def _shown_literal(text: str, language: str | None, datatype: str | None) -> str:
    value = plain(" ".join(_ESCAPE.sub(_unescaped, text).split()))
    if language is not None:
        return f"{value}@{language}"
    if datatype is None or datatype in OBVIOUS:
        return value
    return f"{value}^^{plain(shortened(datatype))}"


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else _SHORT.get(escape[3], escape[3])
