r"""Writing to the terminal: results, lines that are redrawn in place, and nothing that a page could control.

Titles, literals, URLs and error messages are strangers' words. A control character among them can
rewrite what was printed before, set the title of a window, or answer in the user's place. So where
standard output or error is a terminal, every such character is written as `\u001b`, whatever command
and format it is. Files and pipes get the exact bytes.
"""

import codecs
import io
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, suppress
from dataclasses import dataclass, field
from typing import IO, Final, TextIO

from gossamer.cli.styling import Line, Span, cut_line, styled_text, unstyled_text

UP: Final = "\x1b[{}A"
CLEAR: Final = "\x1b[J"  # to the end of the screen
CLEAR_LINE: Final = "\r\x1b[K"
REFRESH_SECONDS: Final = 0.2  # of a line that says how far the work is
# C0 but for tab and newline, DEL, C1; what turns the direction of text; line separators, annotations;
# tags, which nobody sees; halves of pairs, which cannot be written.
_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


class ReaderGoneError(Exception):
    """The reader of our output has closed it."""


def emit(text: str) -> None:
    """Write a result to standard output."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None


def emit_styled(text: str) -> None:
    """Write a result that has controls of our own in it; what is a page's must be `plain` there."""
    try:
        obey(sys.stdout, f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None


def emit_bytes(data: bytes) -> None:
    """Write a part of a result to standard output."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None


@contextmanager
def safe_terminals() -> Iterator[None]:
    """Have standard output and error be safe within this, as far as they are terminals."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_safe, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _safe(stream: TextIO) -> TextIO:
    is_terminal = stream is not None and stream.isatty()  # None where the descriptor is closed
    return SafeTerminal(stream) if is_terminal else stream  # type: ignore[return-value]


def obey(stream: IO[str] | io.TextIOBase, text: str) -> None:
    """Write to a stream what is our own, controls and all."""
    if isinstance(stream, SafeTerminal):
        stream.obey(text)
    else:
        stream.write(text)


def harmless(text: str) -> str:
    """The text with nothing in it that a terminal would obey."""
    return _UNSAFE.sub(_escaped, text.replace("\r\n", "\n"))


def _harmless_parts(line: str | Line) -> Line:
    parts = [Span(line)] if isinstance(line, str) else line
    return [part._replace(text=harmless(part.text)) for part in parts]


def has_styles(stream: IO[str]) -> bool:
    """Whether to write colours and weights there: on a terminal, unless `NO_COLOR` is set."""
    is_plain = os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_COLOR"))
    return stream.isatty() and not is_plain


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class SafeTerminal(io.TextIOBase):
    """Takes the place of a stream that is a terminal."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self.buffer = SafeBytes(self)

    def write(self, text: str) -> int:
        """Show a text."""
        self._stream.write(harmless(text))
        return len(text)

    def obey(self, text: str) -> None:
        """Write what is our own: to style, or to draw over what is there."""
        self._stream.write(text)

    def flush(self) -> None:
        """Have it shown now."""
        self._stream.flush()

    def isatty(self) -> bool:
        """Whether the stream is a terminal, as it is wherever we take its place."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """The descriptor of the terminal itself."""
        return self._stream.fileno()

    def writable(self) -> bool:
        """Whether the stream can be written to: always."""
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]  # which has it as an attribute
        """How characters become bytes."""
        return self._stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """What becomes of those that cannot."""
        return self._stream.errors


class SafeBytes(io.RawIOBase):
    """The binary side of a `SafeTerminal`: bytes, which are UTF-8 where they are text."""

    def __init__(self, terminal: SafeTerminal) -> None:
        super().__init__()
        self._terminal = terminal
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
        self._held = ""  # the first half of a line break

    def write(self, data: object) -> int:
        """Show some bytes of a text, which may end within a character."""
        given = bytes(data)  # type: ignore[call-overload]  # any buffer
        text = self._held + self._decoder.decode(given)
        self._held = "\r" if text.endswith("\r") else ""
        self._terminal.write(text.removesuffix("\r"))
        return len(given)

    def flush(self) -> None:
        """Have it shown now."""
        self._terminal.flush()

    def writable(self) -> bool:
        """Whether the stream can be written to: always."""
        return True


class Screen(io.TextIOBase):
    """Takes the place of standard error while something is drawn on it."""

    def __init__(self, stream: IO[str]) -> None:
        super().__init__()
        self._stream = stream
        self._lines: Sequence[str] = ()  # as they should stand there, controls of ours and all
        self._height = 0  # as they do
        self.is_live = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._has_styles = has_styles(stream)

    def write(self, text: str) -> int:
        """Say something, above the lines."""
        with suppress(OSError):  # nobody there, or a full disk: then nobody can be told
            obey(self._stream, self._erasing())
            self._stream.write(text)
            if text.endswith("\n"):
                obey(self._stream, self._drawing())
            self._stream.flush()
        return len(text)

    def flush(self) -> None:
        """What is said is on its way at once."""

    def isatty(self) -> bool:
        """Whether somebody watches."""
        return self._stream.isatty()

    def draw(self, lines: Sequence[str | Line]) -> None:
        """Have these lines at the bottom, instead of those before."""
        if self.is_live:
            size = self.size()
            written = styled_text if self._has_styles else unstyled_text
            # A line as wide as the terminal would wrap, and a block as high would scroll.
            self._lines = [
                written(cut_line(_harmless_parts(line), size.columns - 1))
                for line in lines[: size.lines - 1]
            ]
            with suppress(OSError):
                obey(self._stream, self._erasing() + self._drawing())
                self._stream.flush()

    def size(self) -> os.terminal_size:
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


def leave_screen() -> None:
    """Clear what is redrawn on standard error: whoever writes next begins a line of its own."""
    if isinstance(sys.stderr, Screen):
        sys.stderr.draw(())


@dataclass(slots=True)
class ProgressLine:
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
