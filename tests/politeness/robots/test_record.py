"""What a kept robots.txt permits as time goes by."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import pytest

from gossamer.model import Url
from gossamer.politeness.robots.record import (
    OLD_COPY_SERVES,
    KeptRules,
    Meaning,
    RobotsRecord,
    needs_fetch,
)

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
PAGE = Url("https://example.test/page")
OTHER = Url("https://example.test/other")
RECORD = RobotsRecord(
    origin="https://example.test",
    meaning=Meaning.RULES,
    cause="answered 200",
    answered_at=NOW,
    ask_at=NOW + timedelta(hours=24),
    body=b"User-agent: *\nDisallow: /page\n\nUser-agent: other\nDisallow: /other\n",
    body_at=NOW,
)
UNREACHABLE = replace(
    RECORD,
    meaning=Meaning.UNREACHABLE,
    cause="answered 503",
    answered_at=NOW + timedelta(hours=24),
    ask_at=NOW + timedelta(hours=25),
    failures=1,
)


def test_rules_decide_for_each_agent() -> None:
    assert not RECORD.policy("gossamer", NOW).allows(PAGE)
    assert RECORD.policy("gossamer", NOW).allows(OTHER)
    assert not RECORD.policy("other", NOW).allows(OTHER)


def test_no_rules_allow_and_say_why() -> None:
    record = replace(
        RECORD, meaning=Meaning.NO_RULES, cause="answered 404", body=None, body_at=None
    )
    decision = record.policy("gossamer", NOW).decide(PAGE)
    assert decision.allowed
    assert decision.why == (
        "There are no rules: robots.txt answered 404 at 2026-01-01 12:00:00 UTC, "
        "and is asked for again at 2026-01-02 12:00:00 UTC."
    )


@pytest.mark.parametrize(
    ("meaning", "closed"),
    [
        (Meaning.FORBIDDEN, "The host is closed"),
        (Meaning.UNREACHABLE, "The host is closed for now"),
    ],
)
def test_a_host_that_gives_no_rules_is_closed_and_says_why(meaning: Meaning, closed: str) -> None:
    record = replace(UNREACHABLE, meaning=meaning, body=None, body_at=None)
    decision = record.policy("gossamer", NOW).decide(PAGE)
    assert not decision.allowed
    assert decision.why == (
        f"{closed}: robots.txt answered 503 at 2026-01-02 12:00:00 UTC, "
        "and is asked for again at 2026-01-02 13:00:00 UTC."
    )


def test_an_older_copy_serves_while_the_host_fails_and_says_how_old_it_is() -> None:
    policy = UNREACHABLE.policy("gossamer", NOW + timedelta(hours=24))
    assert policy.allows(OTHER)
    assert not policy.allows(PAGE)
    assert "the copy of 2026-01-01 12:00:00 UTC" in policy.decide(PAGE).why


def test_an_older_copy_does_not_serve_for_ever() -> None:
    assert UNREACHABLE.policy("gossamer", NOW + OLD_COPY_SERVES).allows(OTHER)
    late = NOW + OLD_COPY_SERVES + timedelta(microseconds=1)
    assert not UNREACHABLE.policy("gossamer", late).allows(OTHER)


def test_a_forbidden_file_closes_the_host_whatever_was_known() -> None:
    forbidden = replace(UNREACHABLE, meaning=Meaning.FORBIDDEN)
    assert not forbidden.policy("gossamer", NOW).allows(OTHER)


def test_a_file_is_fetched_first_and_when_it_is_due() -> None:
    assert needs_fetch(None, NOW)
    assert not needs_fetch(RECORD, RECORD.ask_at - timedelta(microseconds=1))
    assert needs_fetch(RECORD, RECORD.ask_at)


def test_a_record_is_one_row_of_plain_values() -> None:
    for field in fields(RECORD):
        assert isinstance(getattr(RECORD, field.name), str | int | bytes | datetime), field.name
    assert Meaning(str(RECORD.meaning)) is RECORD.meaning


def record(origin: str, body: bytes = b"User-agent: *\nDisallow: /a") -> RobotsRecord:
    return RobotsRecord(
        origin=origin,
        meaning=Meaning.RULES,
        cause="answered 200",
        answered_at=NOW,
        ask_at=NOW + timedelta(days=1),
        body=body,
        body_at=NOW,
    )


def test_rules_are_parsed_once_for_the_same_file() -> None:
    kept, first = KeptRules("gossamer"), record("http://a.test")
    assert kept.at_hand(first) is None
    rules = kept.of(first, NOW)
    assert not rules.policy.allows(Url("http://a.test/a"))
    assert kept.at_hand(first) is rules
    again = record("http://a.test")
    assert kept.at_hand(again) is None
    assert kept.of(again, NOW).policy is rules.policy
    assert kept.at_hand(again) is not None


def test_another_file_is_parsed_anew() -> None:
    kept = KeptRules("gossamer")
    kept.of(record("http://a.test"), NOW)
    other = kept.of(record("http://a.test", b"User-agent: *\nDisallow: /b"), NOW)
    assert other.policy.allows(Url("http://a.test/a"))


def test_the_oldest_go_when_there_are_too_many() -> None:
    kept = KeptRules("gossamer", most=2)
    a, b, c = (record(f"http://{name}.test") for name in "abc")
    for each in (a, b, a, c):
        kept.of(each, NOW)
    assert kept.at_hand(a)
    assert not kept.at_hand(b)
    assert kept.at_hand(c)


def test_large_files_leave_room_for_fewer() -> None:
    kept = KeptRules("gossamer", most_bytes=1_000)
    small = [record(f"http://{number}.test", b"#" * 100) for number in range(10)]
    for each in small * 2:
        kept.of(each, NOW)
    assert all(kept.at_hand(each) for each in small)
    large = record("http://large.test", b"#" * 5_000)
    kept.of(large, NOW)
    assert kept.at_hand(large)  # it is needed now, whatever its size
    assert not any(kept.at_hand(each) for each in small)
    kept.of(small[0], NOW)
    assert kept.at_hand(small[0])
    assert not kept.at_hand(large)
