"""Lines of parts, each with a style: cut to a width, then written with colours or without."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from gossamer.cli.text import cut_cell, shown_width


class Style(StrEnum):
    """How a part looks, as SGR has it; the colours are those of the user's own palette."""

    PLAIN = ""
    FAINT = "2"
    STRONG = "1"
    GOOD = "32"
    WARNING = "33"
    BAD = "31"
    ACCENT = "36"


RESET: Final = "\x1b[0m"


class Span(NamedTuple):
    """A text and its style."""

    text: str
    style: Style = Style.PLAIN


Line = Sequence[Span]


def cut_line(line: Iterable[Span], width: int) -> Line:
    """The line, or as much of it as fits into so many columns."""
    kept = []
    for part in line:
        if width <= 0:
            break
        kept.append(part._replace(text=cut_cell(part.text, width)))
        width -= shown_width(part.text)
    return kept


def styled_text(line: Line) -> str:
    """The line with its styles, for a terminal that obeys them."""
    return "".join(
        f"\x1b[{part.style}m{part.text}{RESET}" if part.style else part.text for part in line
    )


def unstyled_text(line: Line) -> str:
    """The line without styles."""
    return "".join(part.text for part in line)
