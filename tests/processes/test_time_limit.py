"""A limit of CPU time for one call."""

import re
import signal
import threading

import pytest

from gossamer.processes.time_limit import TooLongError, run_within

ENDLESS = re.compile(r"(a|a)*b"), "a" * 64


def test_what_ends_in_time_is_returned() -> None:
    before = signal.getsignal(signal.SIGVTALRM)
    assert run_within(60, lambda: 42) == 42
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_an_expression_that_never_ends_is_interrupted() -> None:
    expression, text = ENDLESS
    with pytest.raises(TooLongError):
        run_within(0.1, lambda: expression.fullmatch(text))
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_what_the_work_raises_is_raised() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        run_within(60, lambda: int("no number"))


def test_in_another_thread_work_is_done_without_a_limit() -> None:
    found: list[int] = []
    thread = threading.Thread(
        target=lambda: found.append(run_within(0.001, lambda: sum(range(10**6))))
    )
    thread.start()
    thread.join()
    assert found == [sum(range(10**6))]
