"""A terminal with a few lines at its bottom that are drawn over and over.

What is said meanwhile scrolls past above them. Anything but a terminal just gets what is said.
"""

import io
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, suppress
from typing import IO, Final

from gossamer.cli.safe_terminal import harmless, obey
from gossamer.cli.text import cut

UP: Final = "\x1b[{}A"
CLEAR: Final = "\x1b[J"  # to the end of the screen


class Screen(io.TextIOBase):
    """Takes the place of standard error while something is drawn on it."""

    def __init__(self, stream: IO[str]) -> None:
        super().__init__()
        self._stream = stream
        self._lines: Sequence[str] = ()  # as they should stand there
        self._height = 0  # as they do
        self.is_live = stream.isatty() and os.environ.get("TERM") != "dumb"

    def write(self, text: str) -> int:
        """Say something, above the lines."""
        with suppress(OSError):  # nobody there, or a full disk: then nobody can be told
            obey(self._stream, self._erasing())
            self._stream.write(text)
            if text.endswith("\n"):
                self._stream.write(self._drawing())
            self._stream.flush()
        return len(text)

    def flush(self) -> None:
        """What is said is on its way at once."""

    def isatty(self) -> bool:
        """Whether somebody watches."""
        return self._stream.isatty()

    def draw(self, lines: Sequence[str]) -> None:
        """Have these lines at the bottom, instead of those before."""
        if self.is_live:
            size = self._size()
            # A line as wide as the terminal would wrap, and a block as high would scroll.
            self._lines = [
                cut(harmless(line), size.columns - 1) for line in lines[: size.lines - 1]
            ]
            with suppress(OSError):
                obey(self._stream, self._erasing())
                self._stream.write(self._drawing())
                self._stream.flush()

    def _size(self) -> os.terminal_size:
        """As the user says (COLUMNS, LINES), else that of the terminal which we draw on.

        Results may go elsewhere: standard output need not be a terminal, nor this one.
        """
        usual = shutil.get_terminal_size()
        try:
            ours = os.get_terminal_size(self._stream.fileno())
        except (OSError, ValueError):  # no terminal of the system's
            return usual
        columns = usual.columns if os.environ.get("COLUMNS") else ours.columns
        lines = usual.lines if os.environ.get("LINES") else ours.lines
        return os.terminal_size((columns or usual.columns, lines or usual.lines))

    def _erasing(self) -> str:
        if not self._height:
            return ""
        up = UP.format(self._height - 1) if self._height > 1 else ""
        self._height = 0
        return f"\r{up}{CLEAR}"

    def _drawing(self) -> str:
        self._height = len(self._lines)
        return "\n".join(self._lines)


@contextmanager
def screen_on(stream: IO[str]) -> Iterator[Screen]:
    """Draw on a stream; whatever goes to standard error meanwhile is said above the lines."""
    screen = Screen(stream)
    with redirect_stderr(screen):
        try:
            yield screen
        finally:
            screen.draw(())
