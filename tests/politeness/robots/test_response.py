"""What each answer to a request for robots.txt means."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Politeness
from gossamer.model import Url
from gossamer.politeness.robots.groups import MAX_ROBOTS_BYTES
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.politeness.robots.response import (
    MAX_HOPS,
    RobotsRequest,
    RobotsResponse,
    after_response,
)

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ORIGIN = "https://example.test"
POLITENESS = Politeness()
RULES = b"User-agent: *\nDisallow: /secret\n"


def record_after(
    response: RobotsResponse,
    previous: RobotsRecord | None = None,
    now: datetime = NOW,
    politeness: Politeness = POLITENESS,
) -> RobotsRecord:
    after = after_response(RobotsRequest.first(ORIGIN, previous), response, now, politeness)
    assert isinstance(after, RobotsRecord)
    return after


def good() -> RobotsRecord:
    return record_after(RobotsResponse(200, RULES))


def test_it_begins_at_the_origin() -> None:
    assert RobotsRequest.first(ORIGIN).url == "https://example.test/robots.txt"


@pytest.mark.parametrize(
    ("status", "meaning"),
    [
        (200, Meaning.RULES),
        (204, Meaning.RULES),
        (400, Meaning.NO_RULES),
        (401, Meaning.FORBIDDEN),
        (403, Meaning.FORBIDDEN),
        (404, Meaning.NO_RULES),
        (410, Meaning.NO_RULES),
        (451, Meaning.NO_RULES),
        (429, Meaning.UNREACHABLE),
        (500, Meaning.UNREACHABLE),
        (503, Meaning.UNREACHABLE),
        (599, Meaning.UNREACHABLE),
        (999, Meaning.UNREACHABLE),
        (103, Meaning.UNREACHABLE),
        (304, Meaning.UNREACHABLE),
        (None, Meaning.UNREACHABLE),
    ],
)
def test_every_status_has_a_meaning(status: int | None, meaning: Meaning) -> None:
    assert record_after(RobotsResponse(status)).meaning is meaning


@pytest.mark.parametrize("status", [401, 403])
def test_whether_a_forbidden_file_closes_the_host_can_be_switched(status: int) -> None:
    lenient = Politeness(robots_forbidden_closes=False)
    record = record_after(RobotsResponse(status), politeness=lenient)
    assert record.meaning is Meaning.NO_RULES


@pytest.mark.parametrize("status", [200, 401, 404])
def test_an_answer_is_kept_for_a_day_or_as_configured(status: int) -> None:
    assert record_after(RobotsResponse(status)).ask_at == NOW + DAY
    hourly = Politeness(robots_max_age=timedelta(hours=1))
    record = record_after(RobotsResponse(status), politeness=hourly)
    assert record.ask_at == NOW + timedelta(hours=1)


@pytest.mark.parametrize(
    ("told", "lifetime"),
    [
        ("max-age=7200", timedelta(hours=2)),
        ("public, Max-Age=7200, must-revalidate", timedelta(hours=2)),
        ('max-age="7200"', timedelta(hours=2)),
        ("max-age=0", timedelta(hours=1)),
        ("max-age=60", timedelta(hours=1)),
        ("no-cache", timedelta(hours=1)),
        ("No-Store, max-age=7200", timedelta(hours=1)),
        ("no-cache, must-revalidate, max-age=0", timedelta(hours=1)),
        ("max-age=604800", DAY),
        ("max-age=" + "9" * 900, DAY),
        ("max-age=-1", DAY),
        ("s-maxage=7200", DAY),
        ('private="max-age=7200"', DAY),
        ("x" * 2000 + ",no-store", DAY),
        ("", DAY),
    ],
)
def test_cache_control_shortens_its_day_and_never_lengthens_it(
    told: str, lifetime: timedelta
) -> None:
    for response in (
        RobotsResponse(200, RULES, cache_control=told),
        RobotsResponse(404, cache_control=told),
    ):
        assert record_after(response).ask_at == NOW + lifetime
    renewed = record_after(RobotsResponse(304, cache_control=told), good())
    assert renewed.ask_at == NOW + lifetime
    hasty = Politeness(robots_max_age=timedelta(minutes=5))
    soon = record_after(RobotsResponse(200, RULES, cache_control=told), politeness=hasty)
    assert soon.ask_at == NOW + timedelta(minutes=5)


def test_a_file_is_kept_as_far_as_we_read_it() -> None:
    body = RULES + b"# x\n" * MAX_ROBOTS_BYTES
    kept = record_after(RobotsResponse(200, body)).body
    assert kept is not None
    assert len(kept) <= MAX_ROBOTS_BYTES
    assert body.startswith(kept)


def test_a_missing_file_ends_the_older_copy() -> None:
    assert record_after(RobotsResponse(404), good()).body is None
    assert record_after(RobotsResponse(403), good()).body is None


@pytest.mark.parametrize("status", [None, 429, 503])
def test_failures_back_off_keep_the_older_copy_and_end_with_success(status: int | None) -> None:
    record, now = good(), NOW + DAY
    waits = []
    for _ in range(12):
        record = record_after(RobotsResponse(status), record, now)
        waits.append((record.ask_at - now).total_seconds())
        now = record.ask_at
    assert waits == [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600]
    assert (record.body, record.body_at, record.failures) == (RULES, NOW, 12)
    assert record_after(RobotsResponse(200, RULES), record, now).failures == 0


def test_failures_without_an_older_copy_close_the_host() -> None:
    record = record_after(RobotsResponse(None, error="connection refused"))
    decision = record.policy("gossamer", NOW).decide(Url(f"{ORIGIN}/"))
    assert not decision.allowed
    assert "could not be fetched (connection refused)" in decision.why


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_honoured_where_it_is_longer(status: int) -> None:
    assert record_after(RobotsResponse(status, retry_after="120")).ask_at == NOW + timedelta(
        minutes=2
    )
    assert record_after(RobotsResponse(status, retry_after="1")).ask_at == NOW + timedelta(
        seconds=10
    )
    date = "Thu, 01 Jan 2026 13:00:00 GMT"
    assert record_after(RobotsResponse(status, retry_after=date)).ask_at == NOW + timedelta(hours=1)


def test_retry_after_says_nothing_on_other_answers() -> None:
    assert record_after(RobotsResponse(500, retry_after="120")).ask_at == NOW + timedelta(
        seconds=10
    )
    assert record_after(RobotsResponse(200, RULES, retry_after="120")).ask_at == NOW + DAY


def test_not_modified_renews_the_older_copy() -> None:
    renewed = record_after(RobotsResponse(304), good(), NOW + DAY)
    assert (renewed.meaning, renewed.body, renewed.body_at) == (Meaning.RULES, RULES, NOW + DAY)


def test_redirects_are_followed_across_hosts_and_the_rules_are_the_first_ones() -> None:
    step: RobotsRequest | RobotsRecord = RobotsRequest.first(ORIGIN)
    for target in ("//www.example.test/robots.txt", "http://cdn.test/r", "/r2", "/r3", "r4?x#y"):
        assert isinstance(step, RobotsRequest)
        step = after_response(step, RobotsResponse(301, location=target), NOW, POLITENESS)
    assert isinstance(step, RobotsRequest)
    assert step.url == "http://cdn.test/r4?x"
    assert len(step.asked) == 1 + MAX_HOPS
    record = after_response(step, RobotsResponse(200, RULES), NOW, POLITENESS)
    assert isinstance(record, RobotsRecord)
    assert (record.origin, record.meaning) == (ORIGIN, Meaning.RULES)


def test_a_sixth_redirect_means_a_missing_file() -> None:
    step: RobotsRequest | RobotsRecord = RobotsRequest.first(ORIGIN)
    for hop in range(MAX_HOPS + 1):
        assert isinstance(step, RobotsRequest)
        step = after_response(step, RobotsResponse(302, location=f"/{hop}"), NOW, POLITENESS)
    assert isinstance(step, RobotsRecord)
    assert (step.meaning, step.cause) == (Meaning.NO_RULES, "redirected more than 5 times")


@pytest.mark.parametrize(
    ("location", "cause"),
    [
        (None, "redirected to no http address"),
        ("", "redirected to no http address"),
        ("ftp://example.test/robots.txt", "redirected to no http address"),
        ("http://", "redirected to no http address"),
        ("/robots.txt", "redirected in a circle"),
        ("https://EXAMPLE.test:443/robots.txt", "redirected in a circle"),
    ],
)
def test_a_redirect_that_leads_nowhere_means_a_missing_file(
    location: str | None, cause: str
) -> None:
    record = record_after(RobotsResponse(307, location=location))
    assert (record.meaning, record.cause) == (Meaning.NO_RULES, cause)


def test_a_redirect_to_a_failing_host_is_a_failure() -> None:
    step = after_response(
        RobotsRequest.first(ORIGIN, good()),
        RobotsResponse(301, location="//b.test/"),
        NOW,
        POLITENESS,
    )
    assert isinstance(step, RobotsRequest)
    record = after_response(step, RobotsResponse(502), NOW, POLITENESS)
    assert isinstance(record, RobotsRecord)
    assert (record.meaning, record.body) == (Meaning.UNREACHABLE, RULES)


responses = st.builds(
    RobotsResponse,
    st.one_of(st.none(), st.integers(100, 999)),
    st.binary(max_size=50),
    st.one_of(st.none(), st.text(max_size=20), st.sampled_from(["/a", "//b.test/"])),
    st.one_of(st.none(), st.text(max_size=10), st.integers(0, 10**12).map(str)),
)


@given(st.lists(responses, min_size=1, max_size=20))
def test_whatever_hosts_answer_we_end_with_a_record_and_never_ask_too_early(
    answers: list[RobotsResponse],
) -> None:
    now, record = NOW, None
    step = RobotsRequest.first(ORIGIN)
    hops = 0
    for answer in answers:
        after = after_response(step, answer, now, POLITENESS)
        if isinstance(after, RobotsRequest):
            step, hops = after, hops + 1
            assert hops <= MAX_HOPS
            continue
        record, hops = after, 0
        assert record.ask_at >= now + POLITENESS.backoff_first
        record.policy("gossamer", now).decide(Url(f"{ORIGIN}/page"))
        now = record.ask_at
        step = RobotsRequest.first(ORIGIN, record)


@pytest.mark.parametrize(
    ("rests", "asked_after"),
    [(timedelta(hours=1), timedelta(hours=1)), (-DAY, timedelta(seconds=10))],
)
def test_where_it_leads_to_a_host_that_rests_it_is_asked_for_after_that_rest(
    rests: timedelta, asked_after: timedelta
) -> None:
    record = record_after(RobotsResponse(None, error="b.test rests", rests_until=NOW + rests))
    assert record.meaning is Meaning.UNREACHABLE
    assert record.ask_at == NOW + asked_after
