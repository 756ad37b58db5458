"""Threads of a library that work in the background let the others go first."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

TASKS: Final = "/proc/self/task"  # on Linux; elsewhere nobody is asked to wait
_THREADS: Final = Path(TASKS)


def work_last(name: str, niceness: int) -> int:
    """Have those of our threads whose names begin so wait while others work; how many there are."""
    threads = [*_threads(name)]
    for thread in threads:
        with suppress(OSError):  # it has ended
            niceness_now = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, max(niceness, niceness_now))
    return len(threads)


def _threads(name: str) -> Iterator[int]:
    for thread in _THREADS.glob("*/comm"):
        with suppress(OSError):
            if thread.read_text().startswith(name):
                yield int(thread.parent.name)
