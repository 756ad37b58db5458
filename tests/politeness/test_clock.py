from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gossamer.config import Politeness
from gossamer.moments import from_microseconds, to_microseconds
from gossamer.politeness.clock import HostClock, InFlight, TooSoonError, from_row, to_row
from gossamer.politeness.delay import Delay, Pace, bounded, pace_for
from gossamer.politeness.evidence import Bearing, HostEvidence
from gossamer.politeness.outcome import Answered, NoAnswer, Outcome, Pause

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PACE = pace_for("a.test", Politeness())
OK = Answered(200)
moments = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))


def seconds(n: float) -> timedelta:
    return timedelta(seconds=n)


URLS = [f"http://a.test/{number}" for number in range(5)]
short = st.timedeltas(timedelta(0), seconds(120))
flights = st.lists(
    st.tuples(st.integers(1, 99), moments, short), max_size=3, unique_by=lambda flight: flight[0]
)
outcomes = st.one_of(
    st.builds(
        Answered,
        st.sampled_from([200, 304, 404, 429, 500, 503]),
        st.none() | short,
        st.none() | short,
        st.sampled_from(URLS),
        st.booleans(),
    ),
    st.builds(
        NoAnswer, st.sampled_from(["connect", "reset", "bad-response"]), st.sampled_from(URLS)
    ),
)
any_moments = st.datetimes(datetime(1960, 1, 1), datetime(2300, 1, 1), timezones=st.just(UTC))
lengths = st.timedeltas(timedelta(0), timedelta(days=365))
clocks = st.builds(
    HostClock,
    rested_from=any_moments,
    took=lengths,
    evidence=st.builds(
        HostEvidence, st.integers(0, 10**6), st.lists(st.integers(0, 99), max_size=9).map(tuple)
    ),
    crawl_delay=st.none() | st.builds(bounded, st.floats(0, 1e9), st.text()),
    pause=st.none() | st.builds(Pause, any_moments, st.text()),
    in_flight=st.lists(
        st.builds(InFlight, st.integers(1), any_moments, any_moments), max_size=3
    ).map(tuple),
)


def at(n: float) -> datetime:
    return NOW + seconds(n)


def pace_of(delay: float = 1, **others: object) -> Pace:
    configured = pace_for("a.test", Politeness(delay=seconds(delay)))
    return replace(configured, **others)  # type: ignore[arg-type]  # tests name the fields


def asked(
    outcome: Outcome = OK, took: float = 0.5, clock: HostClock | None = None, pace: Pace = PACE
) -> HostClock:
    """The clock after a request that began as soon as it might and ended at 0."""
    clock = (clock or HostClock())._replace(rested_from=at(-10_000), pause=None)
    started = clock.start(1, at(-took), at(60), pace)
    return started.finish(1, NOW, seconds(took), outcome, pace)


def test_a_host_never_asked_is_ready() -> None:
    assert HostClock().allows(NOW, PACE)
    assert HostClock().next_start(NOW, PACE) == NOW


def test_the_gap_counts_from_the_end_of_the_answer() -> None:
    clock = asked(took=0.5)
    assert clock.ready_at(PACE) == at(1)
    assert not clock.allows(at(0.999999), PACE)
    assert clock.allows(at(1), PACE)


def test_starting_too_soon_is_a_mistake_of_ours_and_says_why() -> None:
    with pytest.raises(TooSoonError, match=r"1 s \(default\)"):
        asked().start(2, at(0.9), at(60), PACE)


def test_one_request_at_a_time_unless_the_user_says_otherwise() -> None:
    clock = HostClock().start(1, NOW, at(60), PACE)
    assert not clock.allows(at(30), PACE)
    two = pace_of(per_host=2)
    assert not clock.allows(at(0.9), two)  # a burst is no better for being parallel
    assert clock.allows(at(1), two)
    assert not clock.start(2, at(1), at(60), two).allows(at(30), two)


@pytest.mark.parametrize(
    ("clock", "pace", "expected"),
    [
        (asked(), PACE, Delay(1, "default")),
        (asked(took=2.5), PACE, Delay(2.5, "1 × last download of 2.5 s")),
        (asked(took=2.5), pace_of(3), Delay(3, "configured")),
        (asked(took=2.5), pace_of(0), Delay(0, "configured")),
        (
            asked().with_crawl_delay(bounded(10, "Crawl-delay, line 14")),
            PACE,
            Delay(seconds=10, source="Crawl-delay, line 14"),
        ),
        (
            asked().with_crawl_delay(bounded(2, "Crawl-delay, line 1")),
            pace_of(0),
            Delay(2, "Crawl-delay, line 1"),
        ),
        (asked(NoAnswer("connect")), pace_of(0), Delay(10, "back-off after a failure")),
        (asked(NoAnswer("reset")), pace_of(0), Delay(0, "configured")),
        (asked(Answered(503, seconds(99))), PACE, Delay(99, "Retry-After, status 503")),
        (asked(Answered(429, seconds(3))), PACE, Delay(10, "back-off after a failure")),
        (asked(Answered(404, seconds(99))), PACE, Delay(1, "default")),
    ],
)
def test_the_longest_delay_is_in_force_and_names_its_source(
    clock: HostClock, pace: Pace, expected: Delay
) -> None:
    assert clock.delay(pace) == expected
    assert clock.ready_at(pace) == NOW + expected.length


def test_back_off_grows_with_failures_in_a_row_and_a_good_answer_ends_it() -> None:
    clock, waits = HostClock(), []
    for _ in range(12):
        clock = asked(Answered(503), clock=clock)
        waits.append(clock.delay(PACE).seconds)
    assert waits == [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600]
    clock = asked(clock=clock)
    assert clock.delay(PACE) == Delay(1, "default")
    assert asked(Answered(503), clock=clock).delay(PACE).seconds == 10


def test_a_changed_configuration_holds_at_once() -> None:
    clock = asked()
    assert clock.ready_at(pace_of(30)) == at(30)
    assert clock.ready_at(pace_of(0)) == NOW


@pytest.mark.parametrize(
    ("clock", "why"),
    [
        (asked().with_crawl_delay(bounded(301, "Crawl-delay, line 14")), "Crawl-delay, line 14"),
        (asked(Answered(503, seconds(301))), "Retry-After, status 503"),
    ],
)
def test_a_host_that_wants_more_patience_than_we_have_is_parked(clock: HostClock, why: str) -> None:
    parked = clock.parked(NOW, PACE)
    assert parked is not None
    assert parked.until == at(301)
    assert parked.why == f"asks for 5 min 1 s ({why}), longer than our patience of 5 min"
    assert clock.parked(at(301), PACE) is None
    assert clock.parked(NOW, pace_of(patience=seconds(301))) is None


def test_the_users_own_long_delay_parks_nothing() -> None:
    assert asked().parked(NOW, pace_of(3600)) is None


def test_the_guess_at_the_next_start_takes_answers_to_last_as_long_as_the_last() -> None:
    clock = asked(took=3).start(2, at(3), at(60), PACE)
    assert clock.next_start(at(4), PACE) == at(3 + 3 + 3)
    assert clock.next_start(at(20), PACE) == at(20 + 3)


def test_what_nobody_reports_on_lapses_at_its_deadline() -> None:
    clock = asked().start(2, at(1), at(21), PACE)
    assert clock.lapse(at(20.9)) == clock
    lapsed = clock.lapse(at(500))
    assert lapsed.in_flight == ()
    assert lapsed.ready_at(PACE) == at(21 + 20)  # it may have taken all its time


def test_after_a_crash_a_host_waits_from_the_deadline_of_what_was_in_flight() -> None:
    clock = asked().start(2, at(1), at(21), PACE)
    assert clock.after_restart(at(5)).ready_at(PACE) == at(21 + 20)
    assert clock.after_restart(at(5), sender_is_dead=True).ready_at(PACE) == at(5 + 4)
    assert clock.after_restart(at(90), sender_is_dead=True).ready_at(PACE) == at(21 + 20)
    # A wall clock set back by an hour must not end the request before it began.
    assert clock.after_restart(at(-3600), sender_is_dead=True).ready_at(PACE) == at(1 + 1)


def test_a_late_report_may_lengthen_a_wait_but_not_shorten_it() -> None:
    failed_twice = asked(Answered(503), clock=asked(Answered(503)))
    late_and_bad = failed_twice.finish(9, at(5), seconds(1), Answered(503, seconds(60)), PACE)
    assert late_and_bad.ready_at(PACE) == at(65)
    slow = asked(took=5).finish(9, at(1), seconds(0.1), OK, PACE)
    assert slow.ready_at(PACE) == at(1 + 5)
    late_and_good = failed_twice.finish(9, at(5), seconds(0.1), OK, PACE)
    assert late_and_good.evidence == HostEvidence(2)
    assert late_and_good.ready_at(PACE) == failed_twice.ready_at(PACE)


def test_a_pause_stands_though_a_parallel_request_ends_well() -> None:
    two = pace_of(0, per_host=2)
    clock = HostClock().start(1, NOW, at(60), two).start(2, NOW, at(60), two)
    clock = clock.finish(1, at(1), seconds(1), Answered(429, seconds(30)), two)
    clock = clock.finish(2, at(2), seconds(2), OK, two)
    assert clock.ready_at(two) == at(31)


@given(moments, flights, moments, short)
def test_a_restart_never_shortens_a_wait(
    rested_from: datetime,
    flights: list[tuple[int, datetime, timedelta]],
    now: datetime,
    took: timedelta,
) -> None:
    in_flight = tuple(InFlight(token, start, start + limit) for token, start, limit in flights)
    clock = HostClock(rested_from, took, in_flight=in_flight)
    dead = clock.after_restart(now, sender_is_dead=True)
    waited_out = clock.after_restart(now)
    assert clock.ready_at(PACE) <= dead.ready_at(PACE) <= waited_out.ready_at(PACE)
    for request in in_flight:
        full = request.ends_by - request.started_at
        reported = clock.finish(request.token, request.ends_by, full, OK, PACE)
        assert reported.ready_at(PACE) <= waited_out.ready_at(PACE)


configured = st.builds(
    pace_of,
    st.sampled_from([0, 0.2, 1, 7]),
    per_host=st.integers(1, 3),
    slowness=st.sampled_from([0.0, 1.0, 3.0]),
    backoff_most=st.sampled_from([seconds(0), seconds(25), seconds(3600)]),
)


class ClockHistory(RuleBasedStateMachine):
    """Random requests to one host in virtual time, beside a plain record of what happened."""

    @initialize(pace=configured)
    def begin(self, pace: Pace) -> None:
        self.pace, self.now, self.clock = pace, NOW, HostClock()
        self.token = 0
        self.in_flight: dict[int, datetime] = {}
        self.last_event: datetime | None = None  # start or end
        self.took = timedelta(0)
        self.crawl_delay = timedelta(0)
        self.failures = 0  # that count against the host, in a row
        self.doubted: set[str | None] = set()  # URLs that failed, in a row
        self.promises: list[datetime] = []  # moments that failures or the host have announced

    def ready_at(self) -> datetime:
        """When a request may start, worked out from the record alone."""
        if self.last_event is None:
            return NOW
        length = self.pace.configured.length
        rests = [length, self.crawl_delay, self.took * self.pace.slowness]
        return max(self.last_event + max(rests), *self.promises, NOW)

    @rule(after=st.one_of(short, st.sampled_from([seconds(1), seconds(0.2), seconds(7)])))
    def time_passes(self, after: timedelta) -> None:
        self.now += after

    @rule()
    def time_passes_until_ready(self) -> None:
        self.now = max(self.now, self.clock.ready_at(self.pace))

    @rule()
    def a_request_starts_if_it_may(self) -> None:
        may = self.now >= self.ready_at() and len(self.in_flight) < self.pace.per_host
        self.token += 1
        if not may:
            with pytest.raises(TooSoonError):
                self.clock.start(self.token, self.now, self.now + seconds(60), self.pace)
            return
        self.clock = self.clock.start(self.token, self.now, self.now + seconds(60), self.pace)
        self.in_flight[self.token] = self.last_event = self.now

    @precondition(lambda self: self.in_flight)
    @rule(outcome=outcomes, which=st.integers(0, 2))
    def a_request_ends(self, outcome: Outcome, which: int) -> None:
        token = list(self.in_flight)[which % len(self.in_flight)]
        self.took = self.now - self.in_flight.pop(token)
        self.clock = self.clock.finish(token, self.now, self.took, outcome, self.pace)
        self.last_event = self.now
        bearing = outcome.bearing
        if bearing is Bearing.WELL:
            self.failures = 0
            self.doubted.clear()
        if bearing is Bearing.DOUBT and outcome.url not in self.doubted:
            self.doubted.add(outcome.url)
            self.failures += len(self.doubted) > 2
        self.failures += bearing is Bearing.TROUBLE
        if bearing.is_bad and self.failures:
            doubled = self.pace.backoff_first * 2 ** (self.failures - 1)
            self.promises.append(self.now + min(doubled, self.pace.backoff_most))
        if not isinstance(outcome, Answered):
            return
        if outcome.status in (429, 503) and outcome.asks_for is not None:
            self.promises.append(self.now + outcome.asks_for)
        elif outcome.quota_wait is not None:
            self.promises.append(self.now + outcome.quota_wait)

    @rule(length=st.floats(0, 20))
    def robots_txt_is_read(self, length: float) -> None:
        delay = bounded(length, "Crawl-delay, line 1")
        assert delay is not None
        self.clock, self.crawl_delay = self.clock.with_crawl_delay(delay), delay.length

    @rule(pace=configured)
    def the_user_changes_the_configuration(self, pace: Pace) -> None:
        self.pace = pace

    @rule()
    def the_clock_is_stored_and_read_again(self) -> None:
        self.clock = from_row(to_row(self.clock))

    @rule(down_for=short)
    def a_crash(self, down_for: timedelta) -> None:
        before = self.clock.ready_at(self.pace)
        self.now += down_for
        self.clock = self.clock.after_restart(self.now)
        assert self.clock.ready_at(self.pace) >= before
        for started_at in self.in_flight.values():
            end = started_at + seconds(60)
            assert self.clock.ready_at(self.pace) >= end + self.pace.configured.length
            self.took = max(self.took, seconds(60))
            self.last_event = max(self.last_event or end, end)
        self.in_flight.clear()

    @invariant()
    def the_clock_agrees_with_the_record(self) -> None:
        ready = self.now >= self.ready_at() and len(self.in_flight) < self.pace.per_host
        assert self.clock.allows(self.now, self.pace) == ready
        assert len(self.clock.in_flight) == len(self.in_flight)
        assert self.clock.evidence.failures == self.failures
        if self.last_event is not None:
            assert self.clock.ready_at(self.pace) == self.ready_at()


def test_no_history_makes_the_clock_break_its_promises(full_size: bool) -> None:
    sizes = settings(max_examples=20_000 if full_size else 150, stateful_step_count=40)
    run_state_machine_as_test(ClockHistory, settings=settings(sizes, deadline=None))


@given(clocks)
def test_a_clock_survives_its_row(clock: HostClock) -> None:
    assert from_row(to_row(clock)) == clock


@given(clocks)
def test_a_row_holds_only_what_every_database_can(clock: HostClock) -> None:
    assert {type(value) for value in to_row(clock)} <= {int, str, type(None)}


@given(any_moments)
def test_moments_of_other_zones_are_the_same_moments(moment: datetime) -> None:
    elsewhere = moment.astimezone(timezone(timedelta(hours=-7)))
    assert from_microseconds(to_microseconds(elsewhere)) == moment
