import pytest

from gossamer.crawling.phases import Phases


def test_the_time_of_a_phase_is_told_by_page() -> None:
    phases = Phases()
    phases.add("fetch", 0.5)
    phases.add("fetch", 1.5)
    phases.add("settle", 1.0, pages=100)
    assert phases.each() == {"fetch": 1.0, "settle": 0.01}


def test_what_is_timed_counts_and_what_came_to_nothing_does_not() -> None:
    phases = Phases()
    with phases.timing("graph", 3):
        pass
    with pytest.raises(OSError, match="full"), phases.timing("archive"):
        raise OSError("full")
    assert phases.pages == {"graph": 3}
    assert phases.seconds["graph"] > 0


def test_a_batch_without_pages_is_no_division() -> None:
    phases = Phases()
    phases.add("graph", 1.0, pages=0)
    assert phases.each() == {}


def test_sums_are_told_as_well() -> None:
    phases = Phases()
    phases.add("fetch", 0.5)
    phases.add("fetch", 1.5, pages=2)
    assert phases.totals() == {"fetch": {"seconds": 2.0, "pages": 3}}


def test_those_who_wait_are_counted_while_they_do() -> None:
    phases = Phases()
    with phases.queued("graph", 3), phases.queued("graph", 2):
        assert phases.queues["graph"] == 5
    with pytest.raises(OSError, match="full"), phases.queued("graph", 1):
        raise OSError("full")
    assert phases.queues["graph"] == 0
