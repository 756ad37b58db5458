import os
import subprocess
import sys

from gossamer.processes.open_files import open_files

ASK = "from gossamer.processes.open_files import raise_open_files as r; print(r(), r())"


def limited(how: str) -> str:
    command = f'{how}; exec "$0" -c "$1"'
    words = ["sh", "-c", command, sys.executable, ASK]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout


def test_what_the_system_allows_is_taken() -> None:
    assert limited("ulimit -S -n 100; ulimit -H -n 300") == "300 300\n"


def test_there_is_no_more_than_that() -> None:
    assert limited("ulimit -n 200") == "200 200\n"


def test_open_files_are_counted() -> None:
    before = open_files()
    ours, theirs = os.pipe()
    try:
        assert open_files() == before + 2
    finally:
        os.close(ours)
        os.close(theirs)
    assert open_files() == before
