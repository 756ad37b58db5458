"""Text for people: tables that fit the terminal, counts, sizes and durations, examples in `--help`."""

import shutil
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import lru_cache
from itertools import zip_longest
from typing import Any

GAP = "  "


def duration(length: timedelta) -> str:
    """A wait, as people say it."""
    seconds = max(length.total_seconds(), 0.1)
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.1f} s"


def counted(count: int, thing: str) -> str:
    """`1 page`, `2,000 pages`."""
    return f"{count:,} {thing}" + ("" if count == 1 else "s")


def who(told: Mapping[str, Any]) -> str:
    """The process that answered a question, in the middle of a sentence."""
    command = told.get("command", "crawl")
    what = "the crawl that is running" if command == "crawl" else f"`gossamer {command}`"
    return f"{what} (process {told['process']})"


def over_budget(site: Mapping[str, Any]) -> str:
    """What became of a site whose pages name more than it may have us keep."""
    reached = " and ".join(site["over"])
    limit = f"; {reached} {'is' if len(site['over']) == 1 else 'are'} reached" if reached else ""
    return f"{counted(site['left_out'], 'link')} did not fit and were not kept{limit}"


def tally(counts: Mapping[str, int], *, most: int = 6) -> str:
    """`12 timeout, 3 status-500`: the largest first, and the rest as one."""
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    shown = [f"{count:,} {plain(name)}" for name, count in ordered[:most] if count]
    rest = sum(count for _, count in ordered[most:])
    return ", ".join([*shown, *([f"{rest:,} others"] if rest else [])])


def size(count: float) -> str:
    """Bytes, as people say them."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return (
                f"{count:.0f} {unit}" if unit == "bytes" or count >= 100 else f"{count:.1f} {unit}"
            )
        count /= 1000
    return f"{count:,.1f} GB"


def example(*lines: str) -> str:
    """Example command lines, kept as they are at the end of `--help`."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def table(rows: Sequence[Sequence[str]], *, width: int | None = None, glance: bool = False) -> str:
    """Rows in columns that fit the terminal; where there is none, nothing is cut.

    The last column is as long as it is, unless a `glance` is enough.
    """
    widths = fitted(rows, width=width or terminal_width(), glance=glance)
    return "\n".join(in_columns(row, widths) for row in rows)


def fitted(
    rows: Sequence[Sequence[str]], *, width: int | None = None, glance: bool = False
) -> list[int]:
    """How wide each column is to be, where there is so much room; the widest give way."""
    widths = [max(map(shown_width, column)) for column in zip_longest(*rows, fillvalue="")]
    if width is None:
        return widths
    while _wide(widths[:-1]) > width - 20 and max(widths[:-1]) > 20:
        widths[widths.index(max(widths[:-1]))] -= 1
    if glance:
        widths[-1] = min(widths[-1], max(20, width - _wide(widths[:-1])))
    return widths


def in_columns(row: Sequence[str], widths: Sequence[int]) -> str:
    """A row in columns of these widths; what is too long is cut."""
    cells = [cut(cell, width) for cell, width in zip(row, widths, strict=True)]
    padded = [
        cell + " " * (width - shown_width(cell)) for cell, width in zip(cells, widths, strict=True)
    ]
    return GAP.join([*padded[:-1], cells[-1]]).rstrip()


def terminal_width() -> int | None:
    """How wide the terminal is; None where results go into a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _wide(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * len(widths)


def shown_width(text: str) -> int:
    """How many columns of a terminal a text takes: some characters take two, some none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


@lru_cache(maxsize=4096)
def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, width: int) -> str:
    """The text, or as much of it as fits into so many columns, and a mark that it is cut."""
    if shown_width(text) <= width:
        return text
    kept, used = [], 0
    for character in text:
        used += _columns(character)
        if used >= width:
            break
        kept.append(character)
    return "".join(kept) + "…"


def plain(text: str) -> str:
    """The text with nothing in it that a terminal would obey."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
