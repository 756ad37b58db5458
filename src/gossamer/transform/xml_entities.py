"""Expands the entities of a document's own DOCTYPE within a budget. Pure.

Those that stand in other files (SYSTEM, PUBLIC), parameter entities and attribute defaults are
not looked at: nothing outside the document is ever part of it.
"""

import re
from typing import Final

from gossamer.model import Problem

# Possessive throughout (++, *+): a subset that never ends is given up in one pass.
_QUOTED: Final = r"\"[^\"]*+\"|'[^']*+'"
_COMMENT: Final = r"<!--(?:[^-]|-(?!->))*+-->"
_INSTRUCTION: Final = r"<\?(?:[^?]|\?(?!>))*+\?>"
_PROLOG: Final = re.compile(rf"(?:\s++|{_COMMENT}|{_INSTRUCTION})*+")
_DOCTYPE: Final = re.compile(
    rf"<!DOCTYPE\b(?:{_QUOTED}|[^\[>\"'])*+"
    rf"(?:\[((?:{_COMMENT}|{_INSTRUCTION}|{_QUOTED}|[^\]\"'<]|<(?!!--|\?))*+)\]\s*+)?+>"
    r"|<!DOCTYPE\b[^>]*+>",  # one that is broken
    re.IGNORECASE,
)
_ENTITY: Final = re.compile(
    # What is not closed goes to the end: else each beginning would be looked at to the end.
    rf"<!--(?:[^-]|-(?!->))*+(?:-->|\Z)|{_QUOTED}|<!ENTITY\s++([^\s%\"'<>&;]++)\s++(?:({_QUOTED})|(SYSTEM|PUBLIC)\b)"
)
_REFERENCE: Final = re.compile(r"&([^\W\d][\w.:-]*);")
_MOST_CHARACTERS: Final = 1_000_000  # of all entities together, written out
_MOST_LEVELS: Final = 16  # of entities within entities


def doctype(text: str) -> tuple[str, "Entities"]:
    """The document without its DOCTYPE, and the entities that it declares."""
    prolog = _PROLOG.match(text)
    start = prolog.end() if prolog else 0
    match = _DOCTYPE.match(text, start)
    if match is None:
        return text, Entities("", 1)
    blank = "\n" * match[0].count("\n")
    line = text.count("\n", 0, start) + 1
    return text[:start] + blank + text[match.end() :], Entities(match[1] or "", line)


class Entities:
    """The declared entities, each expanded when first used."""

    def __init__(self, subset: str, line: int) -> None:
        self._line = line
        self._declared: dict[str, str] = {}
        self._written: dict[str, str] = {}
        self._open: set[str] = set()  # those being written out just now
        self._budget = _MOST_CHARACTERS
        self._outside = False
        self._too_much = False
        for match in _ENTITY.finditer(subset):
            if match[2]:
                self._declared.setdefault(match[1], match[2][1:-1])  # the first one counts
            elif match[3]:
                self._outside = True

    def value(self, name: str) -> str | None:
        """The text of an entity, with nested ones expanded; None if it is not declared."""
        return self._value(name, _MOST_LEVELS) if self._declared else None

    def problems(self) -> list[Problem]:
        """The problems about entities that were left out."""
        found = []
        if self._outside:
            found.append(Problem("An entity in another file is never loaded.", line=self._line))
        if self._too_much:
            message = "Entities that hold themselves, or far too much, are left out."
            found.append(Problem(message, line=self._line))
        return found

    def _value(self, name: str, levels: int) -> str | None:
        if name not in self._written and name in self._declared:
            self._written[name] = ""  # what an entity that holds itself finds inside
            self._open.add(name)
            self._written[name] = self._write_out(self._declared[name], levels)
            self._open.discard(name)
        self._too_much = self._too_much or name in self._open
        return self._written.get(name)

    def _write_out(self, declared: str, levels: int) -> str:
        if not levels:
            self._too_much = True
            return ""
        parts: list[str] = []
        position = 0
        for match in _REFERENCE.finditer(declared):
            inner = self._value(match[1], levels - 1)
            parts += (declared[position : match.start()], match[0] if inner is None else inner)
            position = match.end()
            self._budget -= len(parts[-1])
            if self._budget < 0:
                self._too_much = True
                return ""
        return "".join((*parts, declared[position:]))
