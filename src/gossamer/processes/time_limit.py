"""A limit of CPU time for one call in this process: not of a clock, since a busy machine makes nobody stuck.

Python's own code and `re` can be interrupted by a signal, in the main thread. What runs in another
thread has no limit here, and native code ends when it ends.
"""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import NoReturn, TypeVar

T = TypeVar("T")


class TooLongError(BaseException):
    """A call took more CPU time than it may. No `Exception`, so that nothing in the call catches it."""


def run_within(seconds: float, work: Callable[[], T]) -> T:
    """Run work; raise `TooLongError` where the process spends more CPU time than this meanwhile."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    before = signal.signal(signal.SIGVTALRM, _interrupt)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            return work()
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise TooLongError
