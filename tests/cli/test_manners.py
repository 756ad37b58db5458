import pytest

from .conftest import Gossamer


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["cofnig"], ["No such command", "Did you mean 'config'?"]),
        (["config", "--jsn"], ["No such option", "--json"]),
        (["config", "--config", "politeness.dealy=1"], ["Did you mean politeness.delay?"]),
        (["config", "--config", "politeness.delay"], ["write KEY=VALUE"]),
        (["config", "set"], ["Missing argument"]),
        (["completion", "cmd"], ["'bash', 'zsh', 'fish'"]),
    ],
)
def test_bad_usage_is_a_sentence_and_status_2(
    gossamer: Gossamer, arguments: list[str], words: list[str]
) -> None:
    done = gossamer(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert all(word in done.stderr for word in words), done.stderr
    assert "Traceback" not in done.stderr


def test_a_failure_is_a_sentence_and_status_1(gossamer: Gossamer) -> None:
    done = gossamer("config", "set", "politeness.delay=1", "--data", "/dev/null/data")
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be made" in done.stderr
    assert "Traceback" not in done.stderr


def test_debug_shows_the_traceback_as_well(gossamer: Gossamer) -> None:
    done = gossamer("config", "set", "politeness.delay=1", "--data", "/dev/null/data", "--debug")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "gossamer: The data folder" in done.stderr


def test_a_reader_who_leaves_early_is_no_error(gossamer: Gossamer) -> None:
    done = gossamer("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("gossamer ")
