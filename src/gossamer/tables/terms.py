"""Terms of SPARQL's TSV: one cell of an answer, read. Pure.

We write each term as N-Triples has it, so that a cell has neither tab nor line break in it.
"""

import re
from typing import Final, NamedTuple

from gossamer.tables.values import Iri, Value, typed

_LITERAL: Final = re.compile(r'"((?:[^"\\]|\\.)*+)"(?:@([\w-]+)|\^\^<([^>]*)>)?', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_SHORT: Final = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


def read_row(line: str) -> list[Value | None]:
    """The values of a line; None where a variable has none."""
    return [read_value(cell) for cell in line.split("\t")]


def read_value(cell: str) -> Value | None:
    """The value that a cell holds."""
    if not cell:
        return None
    if cell[0] == "<" and not cell.startswith("<<"):
        return Iri(cell[1:-1])
    if cell.startswith("_:"):
        return Iri(cell)
    literal = read_literal(cell)
    if literal is None:
        return cell  # a triple
    return typed(literal.text, None if literal.language is not None else literal.datatype)


class LiteralCell(NamedTuple):
    """The parts of a literal."""

    text: str
    language: str | None
    datatype: str | None  # None of a string as well


def read_literal(cell: str) -> LiteralCell | None:
    """The literal that a cell holds; None where it holds something else."""
    found = _LITERAL.fullmatch(cell)
    return None if found is None else LiteralCell(unescape(found[1]), found[2], found[3])


def unescape(text: str) -> str:
    """The text of a literal without its escapes."""
    return _ESCAPE.sub(_plain, text) if "\\" in text else text


def _plain(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else _SHORT.get(escape[3], escape[3])
