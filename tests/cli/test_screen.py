import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.cli.screen import Screen, screen_on

from .terminal import Terminal

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
