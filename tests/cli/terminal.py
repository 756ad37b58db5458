"""A terminal, as far as our screens need one: it shows what would be seen."""

import io
import re

_STEP = re.compile(r"\x1b\[(\d*)([AJ])|\r|\n|[^\x1b\r\n]+", re.DOTALL)


class Terminal(io.StringIO):
    """Somebody watches it."""

    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> list[str]:
        """The lines that are to be seen, without what was erased or written over."""
        return seen(self.getvalue())


def seen(text: str) -> list[str]:
    """What a terminal of endless height would show."""
    lines, row, column = [""], 0, 0
    for step in _STEP.finditer(text):
        word, count = step[0], int(step[1] or 1)
        if step[2] == "A":
            row = max(0, row - count)
        elif step[2] == "J":
            lines[row:] = [lines[row][:column]]
        elif word == "\r":
            column = 0
        elif word == "\n":
            row, column = row + 1, 0
            lines += [""] * (row + 1 - len(lines))
        else:
            line = lines[row].ljust(column)
            lines[row] = line[:column] + word + line[column + len(word) :]
            column += len(word)
    return lines
