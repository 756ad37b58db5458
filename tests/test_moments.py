from datetime import UTC, datetime, timedelta

from gossamer.moments import http_date, now_utc


def test_it_is_now_and_time_only_goes_forward() -> None:
    moments = [now_utc() for _ in range(1000)]
    assert moments == sorted(moments)
    assert moments[0].tzinfo is UTC
    # The machine's clock may be set while the tests run, but hardly by a year.
    assert abs(moments[0] - datetime.now(UTC)) < timedelta(days=365)


def test_http_dates_are_read_in_every_form_they_have() -> None:
    moment = datetime(2026, 3, 1, 10, tzinfo=UTC)
    for text in (
        "Sun, 01 Mar 2026 10:00:00 GMT",
        "Sun Mar  1 10:00:00 2026",
        "Sunday, 01-Mar-26 10:00:00 GMT",
    ):
        assert http_date(text) == moment
    for text in ("", "tomorrow", "Sun, 41 Mar 2026 10:00:00 GMT", "1" * 5000):
        assert http_date(text) is None
