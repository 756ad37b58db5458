"""Each thing has a limit of time, and whatever fails costs one thing."""

import signal

import pytest

from gossamer.index.words.guard import Guard, SkippedError


def test_a_step_that_takes_too_long_is_interrupted_and_the_next_is_not() -> None:
    before = signal.getsignal(signal.SIGALRM)
    watch = Guard(seconds=0.05)
    try:
        watch.start()
        with pytest.raises(SkippedError, match=r"took longer than 0\.05 s"):
            watch.attempt("urn:slow", _spin)
        assert watch.attempt("urn:quick", lambda: 7) == 7
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _spin() -> None:
    while True:
        pass


@pytest.mark.parametrize("error", [MemoryError, RecursionError, ValueError, AssertionError])
def test_whatever_fails_costs_one_thing(error: type[Exception]) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(SkippedError):
        Guard().attempt("urn:x", fail)
