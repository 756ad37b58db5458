from datetime import UTC, datetime, timedelta

from gossamer.moments import now_utc


def test_it_is_now_and_time_only_goes_forward() -> None:
    moments = [now_utc() for _ in range(1000)]
    assert moments == sorted(moments)
    assert moments[0].tzinfo is UTC
    # The machine's clock may be set while the tests run, but hardly by a year.
    assert abs(moments[0] - datetime.now(UTC)) < timedelta(days=365)
