"""What a kept robots.txt permits as time goes by."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import pytest

from gossamer.model import Url
from gossamer.politeness.robots.record import (
    OLD_COPY_SERVES,
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
