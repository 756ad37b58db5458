"""How long to leave a host alone after errors in a row: doubling, capped."""

from datetime import timedelta

MOST_DOUBLINGS = 60  # further ones would overflow; no cap is that far away


def backoff(failures: int, first: timedelta, most: timedelta) -> timedelta:
    """The wait after so many failures in a row; nothing after a success."""
    if failures <= 0:
        return timedelta(0)
    doublings = min(failures - 1, MOST_DOUBLINGS)
    # Whole numbers, so that a large `first` cannot overflow before the cap applies.
    microseconds = (first // timedelta(microseconds=1)) << doublings
    return min(most, timedelta(microseconds=min(microseconds, most // timedelta(microseconds=1))))
