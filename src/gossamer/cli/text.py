"""Text for people: tables that fit the terminal, counts, sizes and durations, examples in `--help`."""

import shutil
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final, TextIO

GAP: Final = "  "
ELLIPSIS: Final = "…"
HANGING: Final = "    "  # before what belongs to the row above
WRAPPED_LEAST: Final = 24  # columns; sentences in less are hard to read
LEAST_COLUMNS: Final = (20, 8)  # of a column that gives way: at first, and where that is not enough
MIDDLE_LEAST: Final = 12  # columns; in less, a beginning says more than two halves


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
    from gossamer.wording import told_size  # when there is a size: help and completion load little

    return told_size(count)


def example(*lines: str) -> str:
    """Example command lines, kept as they are at the end of `--help`."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def table(
    rows: Sequence[Sequence[str]],
    *,
    width: int | None = None,
    glance: bool = False,
    wraps: bool = False,
) -> str:
    """Rows in columns that fit the terminal; where there is none, nothing is cut.

    The last column is as long as it is, is cut where a `glance` is enough, or `wraps`: then its
    sentences go on below, and where there is hardly room beside the others they begin below.
    URLs are cut in the middle, since their beginnings are often the same.
    """
    width = width or terminal_width()
    if not wraps or width is None:
        widths = fitted(rows, width=width, glance=glance)
        return "\n".join(in_columns(row, widths) for row in rows)
    widths = fitted(rows, width=width, least=LEAST_COLUMNS[:1])
    left = width - _wide(widths[:-1])
    if widths[-1] <= left or left >= WRAPPED_LEAST:
        return "\n".join(line for row in rows for line in _beside(row, widths, left))
    widths = fitted([row[:-1] for row in rows], width=width, glance=True)
    return "\n".join(line for row in rows for line in _below(row, widths, width))


def _beside(row: Sequence[str], widths: Sequence[int], left: int) -> Iterator[str]:
    first, *rest = wrap(row[-1], left) or [""]
    yield in_columns([*row[:-1], first], widths)
    yield from (" " * _wide(widths[:-1]) + line for line in rest)


def _below(row: Sequence[str], widths: Sequence[int], width: int) -> Iterator[str]:
    yield in_columns(row[:-1], widths)
    yield from (f"{HANGING}{line}" for line in wrap(row[-1], width - len(HANGING)))


def fitted(
    rows: Sequence[Sequence[str]],
    *,
    width: int | None = None,
    glance: bool = False,
    least: Sequence[int] = LEAST_COLUMNS,
) -> list[int]:
    """How wide each column is to be, where there is so much room; the widest give way."""
    widths = [max(map(shown_width, column)) for column in zip_longest(*rows, fillvalue="")]
    if width is None:
        return widths
    for enough in least if len(widths) > 1 else ():  # wide columns give way first, then all
        while _wide(widths[:-1]) > width - min(widths[-1], 20) and max(widths[:-1]) > enough:
            widths[widths.index(max(widths[:-1]))] -= 1
    if glance:
        widths[-1] = min(widths[-1], max(LEAST_COLUMNS[-1], width - _wide(widths[:-1])))
    return widths


def in_columns(row: Sequence[str], widths: Sequence[int]) -> str:
    """A row in columns of these widths; what is too long is cut."""
    cells = [cut_cell(cell, width) for cell, width in zip(row, widths, strict=True)]
    padded = [
        cell + " " * (width - shown_width(cell)) for cell, width in zip(cells, widths, strict=True)
    ]
    return GAP.join([*padded[:-1], cells[-1]]).rstrip()


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of so many columns, broken between words; a longer word is broken anywhere."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if shown_width(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        line = word
        while shown_width(line) > width:
            head = _beginning(line, width) or line[0]
            lines.append(head)
            line = line[len(head) :]
    return [*lines, line] if line else lines


def terminal_width(stream: TextIO | None = None) -> int | None:
    """How wide the terminal is; None where results, or what goes to this stream, go into a file or a pipe."""
    return shutil.get_terminal_size().columns if (stream or sys.stdout).isatty() else None


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
    return _beginning(text, width - 1) + ELLIPSIS


def cut_cell(text: str, width: int) -> str:
    """The text cut to so many columns: a URL in the middle, anything else at its end."""
    return cut_middle(text, width) if "://" in text and " " not in text else cut(text, width)


def cut_middle(text: str, width: int) -> str:
    """The text, or its beginning and its end with a mark between them, in so many columns."""
    if shown_width(text) <= width:
        return text
    if width < MIDDLE_LEAST:
        return cut(text, width)
    end = _beginning(text[::-1], (width - 1) // 2)[::-1]
    return _beginning(text, width - 1 - shown_width(end)) + ELLIPSIS + end


def _beginning(text: str, width: int) -> str:
    """As much of the text as fits into so many columns."""
    used = 0
    for at, character in enumerate(text):
        used += _columns(character)
        if used > width:
            return text[:at]
    return text


def plain(text: str) -> str:
    """The text with nothing in it that a terminal would obey."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def told_wanted(wanted: Mapping[str, Any]) -> str:
    """What was found of what is wanted, of late too, and when it would be reasonable to stop."""
    late = wanted["of_late"]
    found = f"{counted(wanted['things'], 'thing')} on {counted(wanted['pages'], 'page')}"
    of_late = f"; {late['per_page']:.3g} a page of late" if late["pages"] else ""
    return f"{found}{of_late}; {wanted['outlook']}"
