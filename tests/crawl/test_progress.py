from datetime import UTC, datetime, timedelta

import pytest
from tests.crawl.cases import NOW, answered, assignment, extracted, failed, judge

from gossamer.crawl.progress import Phases, Progress, Pulse
from gossamer.frontier.protocol import Ended
from gossamer.model import Cause, Problem, Refusal


def test_sums_are_of_all_pages_that_were_settled() -> None:
    judged, page = judge(), assignment(attempts=9)
    progress = Progress(NOW)
    said = extracted(problems=(Problem("Hm."), Problem("Well.")))
    progress.note([judged.answered(page, answered(body=b"12345"), said, NOW)])
    progress.note(
        [
            judged.failed(page, failed(Cause.RESET)),
            judged.answered(page, answered(500, b"123"), None, NOW),
            judged.refused(page, Refusal("robots", "Disallow: /")),
        ]
    )
    assert progress.ended == {Ended.CONTENT: 1, Ended.FAILED: 2, Ended.REFUSED: 1}
    assert progress.causes == {"reset": 1, "status-500": 1, "robots": 1}
    assert (progress.quads, progress.problems, progress.bytes) == (1, 2, 8)


def test_what_a_run_has_settled_can_be_summed_up_without_anybody() -> None:
    progress = Progress(NOW)
    progress.note([judge().answered(assignment(), answered(body=b"1"), extracted(), NOW)])
    summary = progress.partial_summary("time", NOW + timedelta(seconds=4))
    assert (summary.pages, summary.quads, summary.pages_per_second) == (1, 1, 0.25)
    assert (summary.ended, summary.partial, summary.hosts) == ("time", True, None)


def test_a_page_that_came_too_late_counts_when_it_is_settled() -> None:
    progress = Progress(NOW)
    first, second = (
        judge().answered(assignment()._replace(token=token), answered(), extracted(), NOW)
        for token in (1, 2)
    )
    progress.note([first, second], [first.settlement.page])
    assert progress.ended == {Ended.CONTENT: 1}
    assert progress.quads == 1


def test_an_attempt_that_is_repeated_counts_as_such_and_not_as_a_failure() -> None:
    progress = Progress(NOW)
    progress.note([judge().failed(assignment(), failed(Cause.RESET))])
    assert progress.ended == {Ended.RETRY: 1}
    assert not progress.causes


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


START = datetime(2026, 1, 2, tzinfo=UTC)


class Run:
    """A run whose time passes when it is told to."""

    def __init__(self) -> None:
        self.now = START
        self.progress = Progress(START)
        self.pulse = Pulse(self.progress, lambda: self.now)
        self.pulse.beat()

    def go_on(self, seconds: float, pages: int, quads: int = 0) -> None:
        self.now += timedelta(seconds=seconds)
        self.progress.ended[Ended.CONTENT] += pages
        self.progress.quads += quads
        self.pulse.beat()


def test_before_any_time_has_passed_there_is_no_rate() -> None:
    run = Run()
    assert run.pulse.rates() == (0.0, 0.0)
    run.pulse.beat()
    assert run.pulse.rates() == (0.0, 0.0)


def test_the_rate_is_that_of_the_last_ten_seconds() -> None:
    run = Run()
    for _ in range(60):
        run.go_on(1, pages=100, quads=1000)
    for _ in range(10):
        run.go_on(1, pages=2, quads=30)
    assert run.pulse.rates() == (2.0, 30.0)


def test_a_crawl_that_stands_still_says_so() -> None:
    run = Run()
    run.go_on(1, pages=10)
    run.go_on(30, pages=0)
    run.go_on(1, pages=0)
    assert run.pulse.rates()[0] == 0.0


def test_beats_that_are_too_old_are_forgotten() -> None:
    run = Run()
    for _ in range(1000):
        run.go_on(0.5, pages=1)
    assert len(run.pulse._beats) <= 22


def test_it_is_known_how_long_nothing_has_come() -> None:
    run = Run()
    run.go_on(5, pages=0)
    assert run.pulse.idle_for() == timedelta(seconds=5)
    run.go_on(1, pages=1)
    assert run.pulse.idle_for() == timedelta(0)
    run.go_on(600, pages=0)
    assert run.pulse.idle_for() == timedelta(minutes=10)
    run.progress.received += 17  # of a page that is not settled yet
    run.go_on(1, pages=0)
    assert run.pulse.idle_for() == timedelta(0)
