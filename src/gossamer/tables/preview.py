"""A table as people glance at it: a few lines of text, or HTML for a notebook. Pure.

Cells hold what strangers wrote: nothing in them is obeyed by a terminal or a browser, and a preview
is bounded in rows, columns and characters.
"""

import html
from collections.abc import Iterable, Sequence
from typing import Final

from gossamer.sparql.prefixes import shortened
from gossamer.tables.kinds import joined, text_of
from gossamer.tables.values import Cell, Iri

MOST_ROWS: Final = 10  # of text; HTML has twice as many
MOST_COLUMNS: Final = 40
WIDEST: Final = 40  # characters of a cell of text
WIDEST_HTML: Final = 200
WIDTH: Final = 100  # of all columns of text together, as far as the first two allow
GAP: Final = "  "

Rows = Sequence[Sequence[Cell]]


def as_text(columns: Sequence[str], rows: Rows) -> str:
    """The first rows in columns of text."""
    head = [glance(name, WIDEST) for name in columns[:MOST_COLUMNS]]
    lines = [
        head,
        *([glance(cell, WIDEST) for cell in row[:MOST_COLUMNS]] for row in rows[:MOST_ROWS]),
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    shown = _fitting(widths)
    more = " …" if shown < len(columns) else ""
    numeric = [_is_numeric(row[at] for row in rows[:MOST_ROWS]) for at in range(shown)]
    return "\n".join(
        GAP.join(
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(line, widths[:shown], numeric, strict=False)
        ).rstrip()
        + more
        for line in lines
    )


def as_html(columns: Sequence[str], rows: Rows, caption: str) -> str:
    """The first rows as a table of HTML."""
    head = "".join(f"<th>{_escaped(name)}</th>" for name in columns[:MOST_COLUMNS])
    body = "".join(
        f"<tr>{''.join(map(_cell, row[:MOST_COLUMNS]))}</tr>" for row in rows[: 2 * MOST_ROWS]
    )
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f"<p>{_escaped(caption)}</p>"
    )


def glance(value: Cell, width: int) -> str:
    """A value in so many characters of one line."""
    if value is None:
        return ""
    if isinstance(value, list):
        value = joined(value)
    text = shortened(value) if isinstance(value, Iri) else text_of(value)
    text = " ".join(text[: 4 * width].split(" "))
    plain = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return plain if len(plain) <= width else f"{plain[: width - 1]}…"


def _fitting(widths: Sequence[int]) -> int:
    """How many columns are shown: two at least."""
    total = 0
    for count, width in enumerate(widths):
        total += width + len(GAP)
        if count >= 2 and total > WIDTH:
            return count
    return len(widths)


def _is_numeric(values: Iterable[Cell]) -> bool:
    there = [value for value in values if value is not None]
    numbers = (isinstance(value, int | float) and not isinstance(value, bool) for value in there)
    return bool(there) and all(numbers)


def _cell(value: Cell) -> str:
    text = _escaped(glance(value, WIDEST_HTML))
    if isinstance(value, Iri) and value.startswith(("http://", "https://")) and len(value) < 2_000:
        link = html.escape(value)
        return f'<td><a href="{link}" rel="noopener noreferrer nofollow" target="_blank">{text}</a></td>'
    return f"<td>{text}</td>"


def _escaped(text: str) -> str:
    return html.escape(text)
