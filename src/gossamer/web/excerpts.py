"""The line of a source at which something is wrong, short enough to be read at a glance. Pure."""

import re
from dataclasses import dataclass
from typing import Final

MOST: Final = 100  # characters of a line
BEFORE: Final = 50  # of them before the place
_COLUMN: Final = re.compile(r"\bcolumn (\d{1,7})\b")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a line, parted at the place that is meant."""

    before: str
    after: str
    has_place: bool  # else the line as a whole is meant


def excerpt(text: str, line: int, message: str) -> Excerpt | None:
    """The line of a text, with the column that the message names; None where there is no such line."""
    lines = text.split("\n", line) if line > 0 else []
    if not 0 < line <= len(lines):
        return None
    told = lines[line - 1].rstrip("\r")
    found = _COLUMN.search(message)
    column = int(found[1]) - 1 if found else len(told) - len(told.lstrip())
    place = min(max(column, 0), len(told))
    start = max(0, place - BEFORE)
    end = min(len(told), start + MOST)
    before = ("…" if start and told[:start].strip() else "") + told[start:place].lstrip()
    after = told[place:end] + ("…" if end < len(told) else "")
    if not (before + after).strip():
        return None
    return Excerpt(before, after, found is not None)
