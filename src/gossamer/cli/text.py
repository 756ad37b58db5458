"""How we write on a terminal: tables that fit, and examples in `--help`."""

import shutil
import sys
from collections.abc import Sequence
from datetime import timedelta
from itertools import zip_longest

GAP = "  "


class ReaderGoneError(Exception):
    """Whoever reads our output has closed it."""


def emit(text: str) -> None:
    """Write a result to standard output."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None


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


def example(*lines: str) -> str:
    """Example command lines, kept as they are at the end of `--help`."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def table(rows: Sequence[Sequence[str]], *, width: int | None = None, cut: bool = False) -> str:
    """Rows in columns that fit the terminal; where there is none, nothing is cut.

    The last column is as long as it is, unless `cut` says that a glance is enough.
    """
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    room = width or terminal_width()
    if room is not None:
        while _wide(widths[:-1]) > room - 20 and max(widths[:-1]) > 20:
            widths[widths.index(max(widths[:-1]))] -= 1
        if cut:
            widths[-1] = max(20, room - _wide(widths[:-1]))
    return "\n".join(_row(row, widths).rstrip() for row in rows)


def terminal_width() -> int | None:
    """How wide the terminal is; None where results go into a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _wide(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * len(widths)


def _row(row: Sequence[str], widths: Sequence[int]) -> str:
    *cells, last = (_cut(cell, width) for cell, width in zip(row, widths, strict=True))
    return GAP.join(
        [*(cell.ljust(width) for cell, width in zip(cells, widths, strict=False)), last]
    )


def _cut(cell: str, width: int) -> str:
    return cell if len(cell) <= width else cell[: width - 1] + "…"


def plain(text: str) -> str:
    """The text with nothing in it that a terminal would obey."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
