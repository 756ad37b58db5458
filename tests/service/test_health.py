"""Whether the service answers at all, and whether what it answers from is well."""

from pathlib import Path

import pytest
from tests.service.running import Client, service_on, until

from gossamer import __version__
from gossamer.config import Config, Crawl
from gossamer.folder.data import DataFolder
from gossamer.index.graph.folder import GraphFolder
from gossamer.index.words.folder import WordsFolder
from gossamer.index.words.journal import segment
from gossamer.index.words.skipped import InHand, in_hand
from gossamer.owner import words_answers


def test_a_service_that_runs_is_well(ask: Client) -> None:
    answer = ask("/health")
    assert (answer.status, answer.media_type) == (200, "application/json")
    well = {"status": "ok", "version": __version__, "owner": "serve", "troubles": []}
    assert {name: answer.json[name] for name in well} == well
    assert answer.json["behind"]["files"] == 0


def test_each_part_is_told_with_its_trouble(ask: Client) -> None:
    told = ask("/health").json
    assert {name: each["trouble"] for name, each in told["parts"].items()} == {
        "database": None,
        "nodes": None,
        "graph": None,
        "words": None,
        "disk": None,
        "archive": None,
    }
    assert told["parts"]["disk"]["free"] > 0
    assert told["progress"] == {"state": None, "seconds": None}  # no crawl runs
    assert told["ready"]


def test_to_be_alive_is_to_answer_and_to_be_ready_is_to_have_answers(
    ask: Client, tmp_path: Path
) -> None:
    assert ask("/health/live").json == {"status": "ok", "version": __version__}
    ready = ask("/health/ready")
    assert (ready.status, ready.json["ready"]) == (200, True)
    with service_on(DataFolder(tmp_path), beside=True) as alone:  # nobody owns the folder
        assert alone("/health/live").status == 200
        answer = alone("/health/ready")
        assert (answer.status, answer.json["code"]) == (503, "not-ready")


def test_who_lacks_a_needed_part_is_alive_and_not_ready(tmp_path: Path) -> None:
    least = Config(crawl=Crawl(min_free_disk=1 << 62))
    with service_on(DataFolder(tmp_path), config=least) as full:
        assert full("/health/live").status == 200
        answer = full("/health/ready")
        assert (answer.status, answer.json["ready"]) == (503, False)
        assert "crawls end below" in answer.json["troubles"][0]
        assert full("/health").status == 200


def test_what_is_behind_is_told_and_is_trouble_only_when_it_is_much(
    ask: Client, crawl: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = GraphFolder(crawl.graph_folder).journal
    journal.mkdir(exist_ok=True)
    waiting = segment(journal, 999_999)
    waiting.write_text("http://a.test/#p\n")
    told = ask("/health").json
    assert (told["status"], told["behind"]["files"], told["behind"]["bytes"]) == ("ok", 1, 17)
    assert not told["behind"]["in_step"]
    monkeypatch.setattr(words_answers, "MUCH_BYTES", 10)
    told = ask("/health").json
    assert told["status"] == "degraded"
    assert "Words are behind the graph" in told["troubles"][0]
    waiting.unlink()
    assert ask("/health").json["status"] == "ok"


def test_words_that_are_stuck_are_told(
    ask: Client, crawl: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Beside the folder's own, which the words process of this service may write any moment.
    files = {WordsFolder(crawl.words_folder).hand: tmp_path / "hand"}
    monkeypatch.setattr(words_answers, "in_hand", lambda file: in_hand(files[file]))
    monkeypatch.setattr(words_answers, "WORTH_TELLING", 0.0)
    hand = InHand(tmp_path / "hand")
    hand.take("http://a.test/#p")
    told = ask("/health").json
    assert told["status"] == "degraded"
    assert "has been at http://a.test/#p for" in told["troubles"][0]
    until(ask, "/api/status", lambda told: told["words_trouble"])  # a status is kept for a moment
    hand.drop()
    assert ask("/health").json["status"] == "ok"
