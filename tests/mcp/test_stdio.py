"""Standard output has the protocol alone, and the end of the input, INT and TERM end the command well."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.slowness import patience

from gossamer.folder.data import DataFolder
from gossamer.mcp.tools import MOST_MESSAGE

from .conftest import GOSSAMER

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@contextmanager
def command(data: DataFolder) -> Iterator["subprocess.Popen[str]"]:
    pipe = subprocess.PIPE
    words = [GOSSAMER, "mcp", "--data", str(data.path)]
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def say(process: "subprocess.Popen[str]", message: Any) -> Any:
    """Send a message, or a line that is none; the next message that comes back."""
    assert process.stdin is not None
    assert process.stdout is not None
    line = message if isinstance(message, str) else json.dumps(message)
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def test_lines_that_are_no_messages_end_nothing_and_the_end_of_the_input_is_the_end(
    people: DataFolder,
) -> None:
    with command(people) as process:
        assert say(process, HELLO)["result"]["serverInfo"]["name"] == "gossamer"
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("no json\n" + "x" * (2 * MOST_MESSAGE) + "\n")
        answer = say(process, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        while answer.get("id") != 2:  # what was no message may be answered, too
            assert "error" in answer or "method" in answer
            answer = json.loads(process.stdout.readline())
        assert len(answer["result"]["tools"]) == 7
        process.stdin.close()
        assert process.wait(patience(60)) == 0
        assert process.stderr is not None
        assert (process.stdout.read(), process.stderr.read()) == ("", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_while_it_waits_for_input(
    people: DataFolder, number: signal.Signals
) -> None:
    with command(people) as process:
        assert say(process, HELLO)["id"] == 1
        process.send_signal(number)
        assert process.wait(patience(60)) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


def test_a_folder_without_a_crawl_is_a_sentence(people: DataFolder) -> None:
    words = [GOSSAMER, "mcp", "--data", str(people.path.parent / "nothing")]
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=patience(60), check=False, input=""
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "There is no crawl" in done.stderr
