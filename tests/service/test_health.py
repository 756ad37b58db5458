"""Whether the service answers at all, and whether what it answers from is well."""

import pytest
from tests.service.running import Client

from gossamer import __version__
from gossamer.data import DataFolder
from gossamer.index.words.folder import WordsFolder
from gossamer.index.words.in_hand import InHand
from gossamer.owner import words_record


def test_a_service_that_runs_is_well(ask: Client) -> None:
    answer = ask("/health")
    assert (answer.status, answer.media_type) == (200, "application/json")
    well = {"status": "ok", "version": __version__, "owner": "serve", "troubles": []}
    assert answer.json == well


def test_words_that_are_stuck_are_told(
    ask: Client, crawl: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words_record, "WORTH_TELLING", 0.0)
    hand = InHand(WordsFolder(crawl.words_folder).hand)
    hand.take("http://a.test/#p")
    told = ask("/health").json
    assert told["status"] == "degraded"
    assert "has been at http://a.test/#p for" in told["troubles"][0]
    assert ask("/api/status").json["words_trouble"] is not None
    hand.drop()
    assert ask("/health").json["status"] == "ok"
