import json

import pytest
from tests.cli.conftest import Gossamer

from gossamer.folder.data import DataFolder
from gossamer.processes.sandbox import confinement_record

pytestmark = pytest.mark.usefixtures("small_crawl")


def test_the_crawl_is_told_in_a_few_lines(here: Gossamer, small_crawl: DataFolder) -> None:
    done = here("status")
    assert done.returncode == 0
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert lines["folder"] == str(small_crawl.path)
    assert lines["now"] == "no crawl is running; `gossamer crawl` goes on with it"
    assert lines["pages"] == "2 with content, 1 failed, 1 refused"
    assert lines["left"] == "1 to fetch; 5 URLs known"
    assert lines["hosts"] == "2 hosts: 1 idle, 1 ready"
    assert lines["failed"] == "1 status-500"
    assert lines["graph"] == "3 quads in 2 graphs"
    assert lines["not"] == "followed  1 nofollow (links)"
    assert "free" in lines["disk"]
    assert "words " in lines["disk"]
    assert "words" not in lines  # nobody has made any
    assert lines["confined"].startswith("workers, queries, graph, words: ")


def test_words_are_told_once_there_are_any(here: Gossamer) -> None:
    assert here("search", "ada").returncode == 0
    lines = dict(line.split(maxsplit=1) for line in here("status").stdout.splitlines())
    told = json.loads(here("status", "--json").stdout)["words"]
    found = json.loads(here("search", "--json").stdout)
    assert told == {
        "documents": found["documents"],
        "behind_files": 0,
        "behind_bytes": 0,
        "behind_seconds": 0.0,
        "later": 0,
        "skipped": 0,
        "is_being_made": False,
        "is_made": True,
        "in_step": True,
    }
    assert lines["words"].endswith("in step with the graph")


def test_words_that_are_behind_are_not_said_to_be_in_step(
    here: Gossamer, small_crawl: DataFolder
) -> None:
    assert here("search", "ada").returncode == 0
    words = small_crawl.words_folder

    def told() -> str:
        lines = dict(line.split(maxsplit=1) for line in here("status").stdout.splitlines())
        return lines["words"]

    (words / "later").write_text("3\n")
    assert told().endswith("documents, 3 things left for later")
    (words / "new").mkdir()
    assert told().endswith("all are being made anew from the graph")
    (words / "new").rmdir()
    (words / "follower").write_text("of another graph")
    assert "not made of this graph yet" in told()


def test_json_has_the_same_counts(here: Gossamer) -> None:
    record = json.loads(here("status", "--json").stdout)
    assert record["ended"]["content"] == 2
    assert record["not_followed"] == {"nofollow": 1}
    assert record["run"] is None
    assert record["confined"] == confinement_record()


def test_all_but_a_graph_that_cannot_be_used_is_told(
    here: Gossamer, small_crawl: DataFolder
) -> None:
    (small_crawl.graph_folder / "format").write_text("something else")
    done = here("status")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 with content" in done.stdout
    assert "another version" in done.stdout
    assert "`gossamer rebuild` puts it aside" in done.stdout
