import io

from gossamer.cli.terminal import ProgressLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_is_written_over_the_last_one() -> None:
    terminal = Terminal()
    progress = ProgressLine(terminal)
    progress.show("a long line", now=1)
    progress.show("short", now=2)
    progress.clear()
    assert (
        terminal.getvalue() == "\ra long line\ra long line" + "\rshort      \rshort" + "\r     \r"
    )


def test_nothing_is_shown_faster_than_it_can_be_read() -> None:
    terminal = Terminal()
    progress = ProgressLine(terminal)
    progress.show("one", now=1)
    progress.show("two", now=1.01)
    assert "two" not in terminal.getvalue()


def test_a_file_sees_none_of_it() -> None:
    file = io.StringIO()
    progress = ProgressLine(file)
    progress.show("a line", now=1)
    progress.clear()
    assert file.getvalue() == ""
