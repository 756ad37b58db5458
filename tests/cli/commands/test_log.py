import json
from contextlib import closing
from datetime import UTC, datetime

import pytest
from tests.cli.conftest import Gossamer

from gossamer.config import Log
from gossamer.events import Parked, Paused, Resumed
from gossamer.folder.data import DataFolder
from gossamer.log import JsonLog
from gossamer.settings.node import known_node


@pytest.fixture
def logged(small_crawl: DataFolder) -> DataFolder:
    until = datetime(2026, 1, 2, tzinfo=UTC)
    with closing(JsonLog(small_crawl.log_folder, Log())) as log:
        log(Paused())
        log(Parked(host="a.test", until=until, why="Retry-After 600 s"))
        log(Resumed())
    return small_crawl


def test_the_newest_lines_are_last_each_with_its_node(here: Gossamer, logged: DataFolder) -> None:
    done = here("log", "--limit", "2", "--json")
    parked, resumed = map(json.loads, done.stdout.splitlines())
    assert (parked["event"], resumed["event"]) == ("parked", "resumed")
    assert parked["node"] == (known_node(logged).name or "this")
    assert "a.test is parked until" in here("log").stdout.splitlines()[-2]


@pytest.mark.usefixtures("logged")
def test_lines_are_chosen(here: Gossamer) -> None:
    def events(*words: str) -> list[str]:
        lines = here("log", "--json", *words).stdout.splitlines()
        return [json.loads(line)["event"] for line in lines]

    assert events("--host", "a.test") == ["parked"]
    assert events("--event", "paused", "--event", "resumed") == ["paused", "resumed"]
    assert events("--level", "warning", "--since", "1h") == ["parked"]
    assert events("--here")[-1] == "resumed"
    done = here("log", "--host", "nobody.test")
    assert (done.stdout, done.stderr) == ("", "No line of the log is like that.\n")


@pytest.mark.usefixtures("logged")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--event", "parkd"), "Did you mean parked?"),
        (("--node", "nobody"), "No node of this crawl is called nobody"),
        (("--since", "yesterday"), "--since:"),
    ],
)
def test_what_is_wrong_is_said(here: Gossamer, words: tuple[str, ...], said: str) -> None:
    done = here("log", *words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_a_folder_without_a_crawl_is_a_sentence(here: Gossamer) -> None:
    done = here("log", "--data", "nowhere")
    assert (done.returncode, "There is no crawl in" in done.stderr) == (1, True)
