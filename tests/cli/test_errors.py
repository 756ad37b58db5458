import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest
from tests.slowness import patience

from gossamer.cli.errors import _first_cause, given_umask, run, tight_umask
from gossamer.errors import DataFolderError
from gossamer.folder.data import DataFolder
from gossamer.log import read_events

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


@pytest.mark.parametrize(("options", "status"), [((), 130), (("--service",), 0)])
def test_term_while_options_are_read_is_no_failure_to_a_service_manager(
    options: tuple[str, ...], status: int
) -> None:
    def terminate(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    command = click.Command(
        "crawl",
        params=[
            click.Option(["--first"], callback=terminate, expose_value=False, is_eager=True),
            click.Option(["--service"], is_flag=True, expose_value=False),
        ],
        callback=lambda: None,
    )
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit) as ended:
            run(click.Group(commands=[command]), ["crawl", *options])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended.value.code == status


def test_the_version_is_told(gossamer: Gossamer) -> None:
    done = gossamer("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("gossamer ")


@pytest.mark.parametrize("arguments", [["config"], ["demo", "--once"]])
def test_a_reader_who_leaves_early_is_no_error(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_frontier_that_is_garbage_is_a_sentence(gossamer: Gossamer, tmp_path: Path) -> None:
    (tmp_path / "gossamer-data").mkdir()
    (tmp_path / "gossamer-data" / "frontier.db").write_bytes(b"garbage" * 1000)
    done = gossamer("check", "http://a.test/")
    assert done.returncode == 1
    assert "frontier.db cannot be used" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_while_a_slow_host_is_asked_ends_at_once_and_in_good_order(
    tmp_path: Path, times: int
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "gossamer",
                "check",
                "http://a.test/",
                "--connect-to",
                f"*={address}",
            ],
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )
        with silent.accept()[0]:  # it has asked, and waits
            for _ in range(times):
                process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=patience(60))
    assert process.returncode == 130
    assert "Traceback" not in said
    ended = [event.get("ended") for event in read_events(tmp_path / "gossamer-data" / "log")]
    assert times > 1 or ended[-1] == "broken off"


# The command line, which says each time it tries to have the folder.
TRYING = """
import os, sys
sys.addaudithook(
    lambda event, given: event == "open" and str(given[0]).endswith("/lock") and os.write(1, b"!\\n")
)
from gossamer.__main__ import main
main()
"""


def test_ctrl_c_ends_the_wait_for_a_folder_in_use(tmp_path: Path) -> None:
    with DataFolder(tmp_path / "gossamer-data").owned():
        process = subprocess.Popen(
            [sys.executable, "-c", TRYING, "check", "http://a.test/"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["!\n"] * 2
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=patience(60))
    assert process.returncode == 130
    assert "is in use" not in said  # which is said after having waited in vain


def test_several_failures_at_once_are_told_as_one() -> None:
    group = ExceptionGroup("", [ExceptionGroup("", [DataFolderError("It is full.")])])
    assert str(_first_cause(group)) == "It is full."


def mode_of(path: Path) -> int:
    path.touch()
    return path.stat().st_mode & 0o777


def test_files_are_private_but_for_those_that_the_user_names(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        with tight_umask():
            assert mode_of(tmp_path / "ours") == 0o600
            with given_umask():
                assert mode_of(tmp_path / "theirs") == 0o664
            assert mode_of(tmp_path / "ours again") == 0o600
        assert mode_of(tmp_path / "afterwards") == 0o664
        with given_umask():
            assert mode_of(tmp_path / "without") == 0o664
    finally:
        os.umask(before)
