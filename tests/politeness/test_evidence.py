"""A page that fails is no host that fails: the rule, in sequences of all kinds, in virtual time."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Politeness
from gossamer.model import Cause
from gossamer.politeness.clock import HostClock, from_row, to_row
from gossamer.politeness.delay import Pace, pace_for
from gossamer.politeness.evidence import (
    BY_CAUSE,
    FORGIVEN,
    MOST_DOUBTS,
    NO_EVIDENCE,
    Bearing,
    HostEvidence,
    bearing_of_cause,
    bearing_of_status,
    mark_of,
)
from gossamer.politeness.outcome import Answered, NoAnswer, Outcome

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
DOUBTFUL_CAUSES = [Cause.RESET, Cause.TIMEOUT_FIRST_BYTE, Cause.TIMEOUT_TOTAL, Cause.SLOW]
HOSTS_CAUSES = [Cause.CONNECT, Cause.TLS, Cause.TIMEOUT_CONNECT, Cause.NAME_LOOKUP]
PAGES_CAUSES = [Cause.TRUNCATED, Cause.BAD_RESPONSE, Cause.BAD_ENCODING, Cause.TOO_LARGE]

urls = st.sampled_from([f"http://a.test/{number}" for number in range(30)])
waits = st.none() | st.timedeltas(timedelta(0), timedelta(minutes=10))


def answers(*statuses: int, is_whole: bool = True) -> st.SearchStrategy[Outcome]:
    """Answers with these statuses, about any URL, some of them with `Retry-After`."""
    kinds = st.tuples(st.sampled_from(statuses), waits, urls)
    return kinds.map(lambda kind: Answered(kind[0], kind[1], None, kind[2], is_whole))


def silences(causes: Sequence[Cause]) -> st.SearchStrategy[Outcome]:
    """Requests without an answer, for these causes, about any URL."""
    return st.tuples(st.sampled_from(causes), urls).map(lambda kind: NoAnswer(*kind))


good = answers(200, 204, 301, 304)
about_pages = st.one_of(
    answers(400, 401, 403, 404, 408, 410, 501, 505),
    answers(200, is_whole=False),
    silences(PAGES_CAUSES),
)
in_doubt = answers(500, 502, 504, 520) | silences(DOUBTFUL_CAUSES)
about_hosts = answers(429, 503) | silences(HOSTS_CAUSES)
anything = st.lists(st.one_of(good, about_pages, in_doubt, about_hosts), max_size=40)
paces = st.sampled_from([0, 0.5, 1, 20]).map(
    lambda delay: pace_for("a.test", Politeness(delay=timedelta(seconds=delay)))
)


def of(outcome: Outcome, url: str) -> Outcome:
    """The outcome of a request for this URL."""
    return outcome._replace(url=url) if isinstance(outcome, Answered) else replace(outcome, url=url)


@dataclass
class History:
    """Requests to one host in virtual time, each as soon as the clock lets it."""

    pace: Pace
    clock: HostClock = field(default_factory=HostClock)
    now: datetime = NOW

    def send(self, outcome: Outcome) -> timedelta:
        """Send a request with this outcome; how long the host rests afterwards."""
        self.now = max(self.now, self.clock.ready_at(self.pace))
        self.clock = self.clock.start(1, self.now, self.now + 60 * SECOND, self.pace)
        self.now += SECOND / 4
        self.clock = self.clock.finish(1, self.now, SECOND / 4, outcome, self.pace)
        self.clock = from_row(to_row(self.clock))  # as it survives a restart, or goes to a node
        return self.clock.ready_at(self.pace) - self.now

    def send_all(self, outcomes: Sequence[Outcome]) -> list[timedelta]:
        """Send requests one after the other; how long the host rests after each."""
        return [self.send(outcome) for outcome in outcomes]

    @property
    def usual(self) -> timedelta:
        """How long the host rests after a good answer."""
        return max(self.pace.configured.length, self.pace.slowness * SECOND / 4)


def test_every_cause_has_a_bearing_and_an_unknown_one_is_in_doubt() -> None:
    assert set(BY_CAUSE) == set(Cause)
    assert bearing_of_cause("somebody's own word") is Bearing.DOUBT
    for causes, bearing in (
        (HOSTS_CAUSES, Bearing.TROUBLE),
        (DOUBTFUL_CAUSES, Bearing.DOUBT),
        (PAGES_CAUSES, Bearing.NOTHING),
    ):
        assert {bearing_of_cause(cause) for cause in causes} == {bearing}


@pytest.mark.parametrize(
    ("bearing", "statuses"),
    [
        (Bearing.WELL, (200, 206, 301, 304)),
        (Bearing.NOTHING, (400, 401, 403, 404, 408, 410, 451, 501, 505)),
        (Bearing.DOUBT, (500, 502, 504, 520, 999)),
        (Bearing.TROUBLE, (429, 503)),
    ],
)
def test_the_bearing_of_statuses(bearing: Bearing, statuses: Sequence[int]) -> None:
    assert {bearing_of_status(status) for status in statuses} == {bearing}


def test_a_broken_body_is_no_good_answer_and_no_bad_one() -> None:
    assert bearing_of_status(200, is_whole=False) is Bearing.NOTHING
    assert bearing_of_status(500, is_whole=False) is Bearing.DOUBT


def test_a_doubt_without_a_url_is_about_another_one_each_time() -> None:
    evidence = NO_EVIDENCE
    for _ in range(FORGIVEN + 3):
        evidence = evidence.after(Bearing.DOUBT, None)
    assert evidence.failures == 3


def test_the_marks_that_are_kept_are_few_and_small() -> None:
    evidence = NO_EVIDENCE
    for number in range(1000):
        evidence = evidence.after(Bearing.DOUBT, f"http://a.test/{number}")
    assert len(evidence.doubts) == MOST_DOUBTS
    assert all(0 < mark < 1 << 16 for mark in evidence.doubts)
    assert evidence.doubts[-1] == mark_of("http://a.test/999")
    assert evidence.in_a_row == evidence.failures + FORGIVEN


@given(anything, paces)
def test_no_sequence_makes_a_gap_shorter_than_the_delay(
    outcomes: list[Outcome], pace: Pace
) -> None:
    history = History(pace)
    assert all(rest >= history.usual for rest in history.send_all(outcomes))


@given(anything, about_hosts, paces)
def test_what_a_host_asks_for_is_obeyed_whatever_came_before(
    before: list[Outcome], asks: Outcome, pace: Pace
) -> None:
    history = History(pace)
    history.send_all(before)
    rest = history.send(asks)
    assert rest >= pace.backoff_first
    if isinstance(asks, Answered):
        assert rest >= (asks.asks_for or timedelta(0))


@given(
    st.lists(st.tuples(in_doubt, about_pages), min_size=1, max_size=20).map(
        lambda pairs: [of(doubt, "http://a.test/0") for doubt, _ in pairs] + [p for _, p in pairs]
    ),
    st.randoms(use_true_random=False),
    paces,
)
def test_one_url_that_fails_never_backs_off_its_host(
    outcomes: list[Outcome], dice: Random, pace: Pace
) -> None:
    dice.shuffle(outcomes)
    history = History(pace)
    assert set(history.send_all(outcomes)) == {history.usual}
    assert history.clock.evidence.failures == 0


@given(anything, good, in_doubt, paces)
def test_a_good_answer_takes_everything_back(
    before: list[Outcome], answer: Outcome, doubt: Outcome, pace: Pace
) -> None:
    history = History(pace)
    history.send_all(before)
    assert history.send(answer) == history.usual
    assert history.clock.evidence == NO_EVIDENCE
    assert history.send(doubt) == history.usual


@given(anything, about_pages, paces)
def test_what_is_about_a_page_changes_nothing(
    before: list[Outcome], outcome: Outcome, pace: Pace
) -> None:
    history = History(pace)
    history.send_all(before)
    evidence = history.clock.evidence
    assert history.send(outcome) == history.usual
    assert history.clock.evidence == evidence


@given(st.lists(in_doubt, min_size=1, max_size=MOST_DOUBTS), paces)
def test_different_urls_that_fail_double_the_back_off(kinds: list[Outcome], pace: Pace) -> None:
    history = History(pace)
    rests = history.send_all(
        [of(kind, f"http://a.test/{number}") for number, kind in enumerate(kinds)]
    )
    doubled = [min(pace.backoff_first * 2**count, pace.backoff_most) for count in range(len(kinds))]
    owed = [timedelta(0)] * FORGIVEN + doubled
    assert rests == [max(history.usual, each) for each in owed[: len(rests)]]


def test_urls_that_fail_again_keep_the_back_off_and_do_not_lengthen_it() -> None:
    history = History(pace_for("a.test", Politeness(delay=timedelta(0))))
    three: list[Outcome] = [NoAnswer(Cause.RESET, f"http://a.test/{number}") for number in range(3)]
    rests = [rest.total_seconds() for rest in history.send_all(three * 3)]
    assert rests == [0, 0, 10, 10, 10, 10, 10, 10, 10]


def test_evidence_is_told_with_what_it_means() -> None:
    assert NO_EVIDENCE.meaning is None
    assert (
        HostEvidence(0, (1,)).meaning == "a failure, which is forgiven: only a page may be broken"
    )
    assert HostEvidence(0, (1, 2)).meaning == (
        "2 failures in a row, which is forgiven: only a page may be broken"
    )
    assert HostEvidence(1, (1, 2, 3)).meaning == (
        "3 failures in a row: after each further one, the host is left alone for twice as long"
    )


def test_evidence_of_both_kinds_adds_up() -> None:
    evidence = HostEvidence(2, (1, 2))
    assert evidence.after(Bearing.TROUBLE, "http://a.test/").failures == 3
    assert evidence.after(Bearing.DOUBT, "http://a.test/").failures == 3
    assert evidence.after(Bearing.NOTHING, "http://a.test/") is evidence
