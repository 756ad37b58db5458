from pathlib import Path

from gossamer.index.words.in_hand import InHand, in_hand


def test_what_is_in_hand_is_known_after_the_process_died(tmp_path: Path) -> None:
    hand = InHand(tmp_path / "hand")
    assert in_hand(tmp_path / "hand") is None
    hand.take("http://a.test/é")
    first = in_hand(tmp_path / "hand")
    assert first is not None
    assert first.iri == "http://a.test/é"
    assert first.is_alive
    hand.take("http://a.test/é")
    second = in_hand(tmp_path / "hand")
    assert second is not None
    assert second.number != first.number
    hand.drop()
    assert in_hand(tmp_path / "hand") is None
