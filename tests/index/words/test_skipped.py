import signal
from pathlib import Path

import pytest

from gossamer.index.words.skipped import (
    InHand,
    Skipped,
    SkippedError,
    SkippedList,
    StepGuard,
    in_hand,
    read_skipped,
)


def test_a_thing_with_which_the_process_died_twice_is_avoided_for_good(tmp_path: Path) -> None:
    listed = SkippedList(tmp_path / "skipped")
    assert not listed.note_death("urn:x", "it died").is_left_out
    assert listed.avoided == ()
    assert listed.note_death("urn:x", "it died").is_left_out
    listed.note([Skipped("urn:y", "it was slow", ("http://a.test/",))])
    again = SkippedList(tmp_path / "skipped")
    assert again.avoided == ("urn:x",)
    assert again.names == ("urn:x", "urn:y")
    again.note((), ["urn:y"])
    again.clear()
    assert [each.iri for each in read_skipped(tmp_path / "skipped")] == ["urn:x"]


def test_a_step_that_takes_too_long_is_interrupted_and_the_next_is_not() -> None:
    before = signal.getsignal(signal.SIGALRM)
    watch = StepGuard(seconds=0.5)
    try:
        watch.start()
        with pytest.raises(SkippedError, match=r"took longer than 0\.5 s"):
            watch.attempt("urn:slow", _spin)
        assert watch.attempt("urn:quick", lambda: 7) == 7
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _spin() -> None:
    while True:
        pass


@pytest.mark.parametrize("error", [MemoryError, RecursionError, ValueError, AssertionError])
def test_whatever_fails_costs_one_thing(error: type[Exception]) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(SkippedError):
        StepGuard().attempt("urn:x", fail)


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
