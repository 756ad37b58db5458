"""Whether a process is stuck: how much CPU time its main thread spends on one step.

CPU time, not the time of a clock: a busy machine or a slow disk makes nobody stuck.
"""

import os
import time
from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path

from gossamer.processes.confine import limit_memory

LEAST_MEMORY = 2 * 1024**3  # bytes: several times what a graph of ten million quads takes


def limit_keeper_memory() -> None:
    """Limit the memory of this process to half of the machine's, but no less than 2 GiB on top.

    For processes that hold data which grows with the folder: one hostile page must not take the
    machine, and a large folder must not hit the limit.
    """
    with suppress(ValueError, OSError):  # a system that does not tell
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        limit_memory(max(LEAST_MEMORY, machine // 2))


def thread_seconds(pid: int) -> float:
    """CPU seconds that the main thread of a process has taken; a clock's where nobody tells."""
    try:
        stat = Path(f"/proc/{pid}/task/{pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return time.monotonic()


class Patience:
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
