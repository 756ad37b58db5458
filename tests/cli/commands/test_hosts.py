import json

import pytest
from tests.cli.conftest import Gossamer

from gossamer.folder.data import DataFolder

pytestmark = pytest.mark.usefixtures("small_crawl")


def test_hosts_with_something_to_fetch_come_first(here: Gossamer) -> None:
    done = here("hosts")
    assert done.returncode == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["HOST", "STAGE", "PAGES", "LEFT", "DELAY", "READY", "WHY"]
    assert [row[:4] for row in rows[1:]] == [
        ["b.test", "ready", "0", "1"],
        ["a.test", "idle", "2", "0"],
    ]


def test_json_has_every_field_of_every_host(here: Gossamer) -> None:
    done = here("hosts", "--json")
    ready, idle = json.loads(done.stdout)
    assert (ready["stage"], ready["until"], ready["why"]) == ("ready", None, "")
    assert (idle["content"], idle["delay"]) == (2, 1.0)


def test_a_stage_narrows_and_one_that_nobody_is_in_is_a_sentence(here: Gossamer) -> None:
    assert "a.test" not in here("hosts", "--stage", "ready").stdout
    done = here("hosts", "--stage", "parked")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no host that is parked" in done.stderr
    assert json.loads(here("hosts", "--stage", "parked", "--json").stdout) == []


def test_a_stage_that_there_is_not_names_those_that_there_are(here: Gossamer) -> None:
    done = here("hosts", "--stage", "asleep")
    assert done.returncode == 2
    assert "'parked'" in done.stderr


def test_more_hosts_than_are_shown_are_told(here: Gossamer) -> None:
    done = here("hosts", "--limit", "1")
    assert len(done.stdout.splitlines()) == 2
    assert "first of 2 hosts" in done.stderr


def test_a_folder_without_a_crawl_is_a_sentence_and_stays_as_it_is(
    here: Gossamer, small_crawl: DataFolder
) -> None:
    elsewhere = small_crawl.path.parent / "elsewhere"
    done = here("hosts", "--data", str(elsewhere))
    assert done.returncode == 1
    assert "There is no crawl in" in done.stderr
    assert not elsewhere.exists()
