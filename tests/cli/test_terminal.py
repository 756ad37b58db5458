import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.cli.terminal import (
    ProgressLine,
    SafeTerminal,
    Screen,
    harmless,
    obey,
    safe_terminals,
    screen_on,
)

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
    progress = ProgressLine(SafeTerminal(seen))  # type: ignore[arg-type]  # a stream of text
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


WORDS = st.text("abc ", min_size=1, max_size=10).map(str.rstrip)


@given(
    st.lists(
        st.tuples(st.just("say"), WORDS)
        | st.tuples(st.just("draw"), st.lists(WORDS, min_size=1, max_size=4)),
        max_size=12,
    )
)
def test_what_is_said_stands_above_what_is_drawn_in_any_order(
    steps: list[tuple[str, str | list[str]]],
) -> None:
    terminal = Terminal()
    screen = Screen(terminal)
    said: list[str] = []
    drawn: list[str] = []
    for step, what in steps:
        if isinstance(what, str):
            print(what, file=screen)
            said.append(what)
        else:
            screen.draw(what)
            drawn = what
        expected = [*said, *drawn] if drawn else [*said, ""]
        assert terminal.shown == expected, step
    screen.draw(())
    assert terminal.shown == [*said, ""]


def test_a_line_that_is_too_long_is_cut_and_too_many_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("LINES", "5")
    terminal = Terminal()
    Screen(terminal).draw(["x" * 100] * 9)
    assert terminal.shown == ["x" * 18 + "…"] * 4


def test_a_file_gets_what_is_said_and_nothing_that_is_drawn() -> None:
    file = io.StringIO()
    screen = Screen(file)
    screen.draw(["lines"])
    print("words", file=screen)
    assert not screen.is_live
    assert file.getvalue() == "words\n"


def test_a_terminal_that_can_do_nothing_is_drawn_nothing_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    terminal = Terminal()
    Screen(terminal).draw(["lines"])
    assert terminal.getvalue() == ""


def test_standard_error_is_said_above_and_the_lines_go_at_the_end() -> None:
    terminal = Terminal()
    before = sys.stderr
    with screen_on(terminal) as screen:
        screen.draw(["one", "two"])
        sys.stderr.write("words\n")
        assert terminal.shown == ["words", "one", "two"]
    assert terminal.shown == ["words", ""]
    assert sys.stderr is before


def test_a_terminal_that_went_away_is_no_error() -> None:
    class Gone(Terminal):
        def write(self, _: str) -> int:
            raise OSError(5, "Input/output error")

    screen = Screen(Gone())
    screen.draw(["lines"])
    assert screen.write("words\n") == 6
