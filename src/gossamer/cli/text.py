"""How we write on a terminal: tables that fit, and examples in `--help`."""

import shutil
from collections.abc import Sequence
from itertools import zip_longest

GAP = "  "


def example(*lines: str) -> str:
    """Example command lines, kept as they are at the end of `--help`."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def table(rows: Sequence[Sequence[str]], *, width: int | None = None, cut: bool = False) -> str:
    """Rows in columns that fit the terminal.

    Long cells are cut, but for those of the last column: they are as long as they are,
    unless `cut` says that a glance is enough.
    """
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    room = width or shutil.get_terminal_size((100, 24)).columns
    while sum(widths[:-1]) + len(GAP) * (len(widths) - 1) > room - 20 and max(widths[:-1]) > 20:
        widths[widths.index(max(widths[:-1]))] -= 1
    if cut:
        widths[-1] = max(20, room - sum(widths[:-1]) - len(GAP) * (len(widths) - 1))
    return "\n".join(_row(row, widths).rstrip() for row in rows)


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
