"""A line that says how far the work is, for people who watch; nobody else sees it."""

import sys
import time
from dataclasses import dataclass, field
from typing import IO

from gossamer.cli.safe_terminal import harmless, obey

REFRESH_SECONDS = 0.2


@dataclass(slots=True)
class Progress:
    """Writes over its own last line, on a terminal only."""

    stream: IO[str] = field(default_factory=lambda: sys.stderr)
    _shown_at: float = 0.0
    _width: int = 0

    def show(self, text: str, *, now: float | None = None) -> None:
        """The new line, unless the last one is too fresh to have been read."""
        moment = time.monotonic() if now is None else now
        if self.stream.isatty() and moment - self._shown_at >= REFRESH_SECONDS:
            self._write(text)
            self._shown_at = moment

    def clear(self) -> None:
        """Make room for other words."""
        if self._width:
            self._write("")

    def _write(self, text: str) -> None:
        text = harmless(text)
        for each in (text.ljust(self._width), text):
            obey(self.stream, "\r")
            self.stream.write(each)
        self.stream.flush()
        self._width = len(text)
