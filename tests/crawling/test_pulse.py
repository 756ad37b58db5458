from datetime import UTC, datetime, timedelta

from gossamer.crawling.progress import Progress
from gossamer.crawling.pulse import Pulse
from gossamer.frontier.protocol import Ended

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
