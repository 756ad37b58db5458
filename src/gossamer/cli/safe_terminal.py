r"""A terminal that obeys us and nobody else: what pages wrote is shown there, never followed.

Titles, literals, URLs and error messages are strangers' words. A control character among them can
rewrite what was printed before, set the title of a window, or answer in the user's place. So where
standard output or error is a terminal, every such character is written as `\u001b`, whatever command
and format it is. Files and pipes get the exact bytes.
"""

import codecs
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final, TextIO

# C0 but for tab and newline, DEL, C1; what turns the direction of text; line separators, annotations;
# tags, which nobody sees; halves of pairs, which cannot be written.
_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def harmless(text: str) -> str:
    """The text with nothing in it that a terminal would obey."""
    return _UNSAFE.sub(_escaped, text.replace("\r\n", "\n"))


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


def obey(stream: IO[str] | io.TextIOBase, text: str) -> None:
    """Write to a stream what is our own, controls and all."""
    if isinstance(stream, SafeTerminal):
        stream.obey(text)
    else:
        stream.write(text)


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
