import io
import sys

import pytest

from gossamer.cli.progress import Progress
from gossamer.cli.safe_terminal import SafeTerminal, harmless, obey, safe_terminals

from .terminal import Terminal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;title\x07", "\\u001b]0;title\\u0007"),
        ("\x9b31m", "\\u009b31m"),
        ("over\rwritten", "over\\u000dwritten"),
        ("a\x08b\x7f", "a\\u0008b\\u007f"),
        ("gnp\u202ejpg\u2066", "gnp\\u202ejpg\\u2066"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("two\u2028lines", "two\\u2028lines"),
        ("line\r\nline\n\ttab", "line\nline\n\ttab"),
        ("Añb\u00a0日本 👩‍💻 עברית", "Añb\u00a0日本 👩‍💻 עברית"),
    ],
)
def test_what_a_terminal_would_obey_is_written_out(text: str, shown: str) -> None:
    assert harmless(text) == shown
    seen = Terminal()
    SafeTerminal(seen).write(text)
    assert seen.getvalue() == shown


def test_bytes_that_come_in_pieces_are_as_harmless() -> None:
    seen = Terminal()
    output = SafeTerminal(seen).buffer
    for each in "é\u202e日\r\n\x1b[A".encode() + b"\x9b2J\r\n":
        output.write(bytes([each]))
    output.flush()
    assert seen.getvalue() == "é\\u202e日\n\\u001b[A\\x9b2J\n"


def test_what_we_style_ourselves_is_obeyed() -> None:
    seen = Terminal()
    obey(SafeTerminal(seen), "\x1b[1mbold\x1b[0m")
    assert seen.getvalue() == "\x1b[1mbold\x1b[0m"
    obey(plain := io.StringIO(), "\x1b[1m")
    assert plain.getvalue() == "\x1b[1m"


def test_a_line_of_progress_still_writes_over_itself() -> None:
    seen = Terminal()
    progress = Progress(SafeTerminal(seen))  # type: ignore[arg-type]  # a stream of text
    progress.show("one page \x1b[A", now=1.0)
    progress.show("two", now=2.0)
    assert seen.shown == ["two".ljust(len("one page \\u001b[A"))]


def test_streams_are_wrapped_where_they_are_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, pipe = Terminal(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(sys, "stderr", pipe)
    with safe_terminals():
        sys.stdout.write("\x1b")
        sys.stderr.write("\x1b")
    assert (terminal.getvalue(), pipe.getvalue()) == ("\\u001b", "\x1b")
    assert sys.stdout is terminal
