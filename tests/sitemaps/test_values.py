from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.sitemaps.values import ChangeFrequency, change_frequency, moment, share


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("2024-03", datetime(2024, 3, 1, tzinfo=UTC)),
        ("2024-03-02", datetime(2024, 3, 2, tzinfo=UTC)),
        ("2024-03-02T10:20Z", datetime(2024, 3, 2, 10, 20, tzinfo=UTC)),
        ("2024-03-02T10:20+02:00", datetime(2024, 3, 2, 8, 20, tzinfo=UTC)),
        ("2024-03-02T10:20:30-05:00", datetime(2024, 3, 2, 15, 20, 30, tzinfo=UTC)),
        ("2024-03-02T10:20:30.5Z", datetime(2024, 3, 2, 10, 20, 30, 500_000, tzinfo=UTC)),
        ("2024-03-02T10:20:30.123456789Z", datetime(2024, 3, 2, 10, 20, 30, 123_456, tzinfo=UTC)),
        ("2024-03-02 10:20:30", datetime(2024, 3, 2, 10, 20, 30, tzinfo=UTC)),
        ("\n 2024-03-02 \t", datetime(2024, 3, 2, tzinfo=UTC)),
        ("Thu, 05 Jan 2017 13:34:51 +0100", datetime(2017, 1, 5, 12, 34, 51, tzinfo=UTC)),
        ("Thu, 05 Jan 17 13:34:51 GMT", datetime(2017, 1, 5, 13, 34, 51, tzinfo=UTC)),
        ("05 Jan 2017 13:34 EST", datetime(2017, 1, 5, 18, 34, tzinfo=UTC)),
    ],
)
def test_dates_of_both_standards_are_moments_in_utc(text: str, when: datetime) -> None:
    assert moment(text) == when
    assert moment(text).tzinfo is UTC  # type: ignore[union-attr]  # compared just above


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "0000-00-00",
        "2024-13-01",
        "2024-02-30",
        "202",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "Mon, 99 Jan 99999 99:99:99 +9999",
        "Mon, 01 Jan 2024 00:00:00 +99999999999",
        "2024-03-02T10:20:30" + "0" * 100,
        "٢٠٢٤-٠٣-٠٢",
        "\0",
    ],
)
def test_a_hostile_date_is_no_date(text: str) -> None:
    assert moment(text) is None


@given(st.text(max_size=80) | st.from_regex(r"[0-9:TZ+., -]{0,70}|[A-Z][a-z]{2}, [0-9 :+-]{0,50}"))
def test_no_text_raises(text: str) -> None:
    date, priority = moment(text), share(text)
    assert date is None or date.tzinfo is UTC
    assert priority is None or 0 <= priority <= 1
    assert change_frequency(text) in (None, *ChangeFrequency)


@pytest.mark.parametrize(
    ("text", "priority"),
    [
        ("0.5", 0.5),
        (" 1.0\n", 1.0),
        ("0,8", 0.8),
        ("7", 1.0),
        ("-1", 0.0),
        ("inf", 1.0),
        ("nan", None),
        ("high", None),
        ("", None),
        (None, None),
    ],
)
def test_a_priority_lies_between_zero_and_one(text: str | None, priority: float | None) -> None:
    assert share(text) == priority


def test_a_change_frequency_is_one_of_the_protocols_words() -> None:
    assert change_frequency(" Daily\n") is ChangeFrequency.DAILY
    assert change_frequency("sometimes") is None
    assert change_frequency(None) is None
