import json
from pathlib import Path

import pytest

from gossamer.cli.taken_up import sentence, taken_up, tell
from gossamer.config import Config
from gossamer.data import DataFolder


@pytest.mark.parametrize(
    ("crawl", "words"),
    [
        ({"waits": [], "refused": None}, "has taken it up."),
        ({"waits": ["a.b", "a.c"], "refused": None}, "takes this up with its next run: a.b, a.c."),
        ({"waits": [], "refused": "It is bad."}, "refuses it: It is bad."),
    ],
)
def test_people_are_told_what_the_crawl_made_of_it(crawl: dict[str, object], words: str) -> None:
    told = sentence({"process": 7, **crawl})
    assert told == f"The crawl that is running (process 7) {words}"


def test_a_service_that_has_the_folder_is_not_called_a_crawl() -> None:
    told = sentence(
        {"process": 7, "command": "serve", "waits": ["service.address"], "refused": None}
    )
    assert told == "`gossamer serve` (process 7) takes this up with its next run: service.address."


def test_where_nobody_crawls_the_change_is_logged(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    assert taken_up(data, ["politeness.delay"]) is None
    tell(data, Config(), {"politeness.delay": "2s"}, None)
    (line,) = (tmp_path / "log" / "000001.jsonl").read_text().splitlines()
    assert json.loads(line)["value"] == "2s"


def test_where_somebody_crawls_that_one_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl = {"process": 7, "waits": [], "refused": None}
    tell(DataFolder(tmp_path), Config(), {"politeness.delay": "2s"}, crawl)
    assert not (tmp_path / "log").exists()
    assert "has taken it up" in capsys.readouterr().err
