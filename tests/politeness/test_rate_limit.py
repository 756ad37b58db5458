from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.delay import LONGEST
from gossamer.politeness.rate_limit import MAX_FIELD, quota_wait

NOW = datetime(2026, 1, 1, tzinfo=UTC)
EPOCH = int(NOW.timestamp())


def waited(**fields: str) -> float | None:
    headers = [(name.replace("_", "-"), value) for name, value in fields.items()]
    wait = quota_wait(headers, NOW)
    return None if wait is None else wait.total_seconds()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ('"default";r=0;t=30', 30),
        ('"default"; r=0; t=30', 30),
        ('"default";t=30;r=0;pk=:abc=:', 30),
        ('"a,b;r=1";r=0;t=7', 7),
        ('"say \\"so\\"";r=0;t=7', 7),
        ("default;r=0;t=30", 30),
        ('"burst";r=0;t=5, "day";r=0;t=900, "year";r=7;t=99999', 900),
        ("limit=100, remaining=0, reset=50", 50),
        ('"default";r=1;t=30', None),
        ('"default";r=0', None),
        ('"default";r=0;t=0', None),
        ('"default";t=30', None),
        ('"default";r=0;t=-5', None),
        ('"default";r=0;t=soon', None),
        ("limit=100, remaining=1, reset=50", None),
        ("", None),
        ('"unclosed;r=0;t=9', None),
    ],
)
def test_a_quota_is_waited_for_where_nothing_remains(value: str, seconds: int | None) -> None:
    assert waited(RateLimit=value) == seconds


def test_the_window_of_the_policy_counts_where_no_reset_is_told() -> None:
    policy = '"burst";q=10;w=60, "day";q=1000;w=86400'
    assert waited(RateLimit='"burst";r=0', RateLimit_Policy=policy) == 60
    assert waited(RateLimit='"burst";r=0;t=3', RateLimit_Policy=policy) == 3
    assert waited(RateLimit='"other";r=0', RateLimit_Policy=policy) is None
    assert waited(RateLimit_Policy=policy) is None


def test_a_field_may_come_in_several_lines() -> None:
    lines = [("ratelimit", '"a";r=0;t=3'), ("RATELIMIT", '"b";r=0;t=9'), ("Server", "x")]
    assert quota_wait(lines, NOW) == timedelta(seconds=9)


@pytest.mark.parametrize(
    ("reset", "seconds"), [("30", 30), ("30.5", 30), (str(EPOCH + 40), None), ("soon", None)]
)
def test_the_first_drafts_count_in_seconds(reset: str, seconds: int | None) -> None:
    assert waited(RateLimit_Remaining="0", RateLimit_Reset=reset) == seconds
    assert waited(RateLimit_Remaining="1", RateLimit_Reset=reset) is None
    assert waited(RateLimit_Reset=reset) is None


@pytest.mark.parametrize(
    ("reset", "seconds"),
    [
        ("30", 30),
        (str(EPOCH + 40), 40),
        (str(EPOCH - 40), None),
        (str((EPOCH + 40) * 1000), None),  # milliseconds, or a moment in a far future
        ("2026-01-01T00:00:40Z", None),
    ],
)
def test_the_unofficial_form_has_seconds_or_a_moment(reset: str, seconds: int | None) -> None:
    assert waited(X_RateLimit_Remaining="0", X_RateLimit_Reset=reset) == seconds


def test_no_wait_is_longer_than_a_year_and_long_fields_say_nothing() -> None:
    assert waited(RateLimit='"a";r=0;t=999999999999999') == LONGEST.total_seconds()
    assert waited(RateLimit='"a";r=0;t=1' + "0" * 400) is None
    assert waited(RateLimit='"a";r=0;t=9,' + " " * MAX_FIELD) is None


names = st.sampled_from(
    [
        "RateLimit",
        "RateLimit-Policy",
        *(f"{x}RateLimit-{what}" for x in ("", "X-") for what in ("Reset", "Remaining")),
    ]
)
pieces = st.sampled_from(['"', "\\\\", ",", ";", "=", "r", "t", "w", "0", "9" * 20, "é", " ", "\0"])
values = st.lists(pieces, max_size=40).map("".join) | st.text(max_size=40)


@given(st.lists(st.tuples(names, values), max_size=6))
def test_whatever_comes_is_no_wait_or_a_bounded_one(headers: list[tuple[str, str]]) -> None:
    wait = quota_wait(headers, NOW)
    assert wait is None or timedelta(0) < wait <= LONGEST
