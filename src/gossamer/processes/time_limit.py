"""Limits of CPU time: for one call in this process, and for one step of another process of ours.

CPU time, not the time of a clock: a busy machine or a slow disk makes nobody stuck.

Python's own code and `re` can be interrupted by a signal, in the main thread. What runs in another
thread has no limit here, and native code ends when it ends.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Hashable
from pathlib import Path
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


class StepLimit:
    """How long one step may take."""

    def __init__(self, limit_seconds: float) -> None:
        self._limit = limit_seconds
        self._step: Hashable = None
        self._since = 0.0

    def is_over(self, step: Hashable, seconds: float) -> bool:
        """Whether a step, seen again with this much CPU time taken so far, is past its limit."""
        if step is None or step != self._step:
            self._step, self._since = step, seconds
            return False
        return seconds - self._since >= self._limit


def thread_seconds(pid: int) -> float:
    """CPU seconds that the main thread of a process has taken; a clock's where nobody tells."""
    try:
        stat = Path(f"/proc/{pid}/task/{pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return time.monotonic()
