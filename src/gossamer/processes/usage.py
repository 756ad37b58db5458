"""What processes take of the machine, as the kernel tells it: seconds of processors, and memory."""

import os
import re
import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
MOST_PROCESSES: Final = 1_000  # of ours that are looked at
_MODULE: Final = re.compile(rb'"gossamer\.([a-z0-9_.]+)')


@dataclass(frozen=True, slots=True)
class Usage:
    """What one process, or some together, take."""

    name: str
    cpu_seconds: float
    resident_bytes: int


def has_proc() -> bool:
    """Whether the kernel of this system tells of processes in files."""
    return (PROC / "self" / "stat").exists()


def process_usage(name: str, process: int) -> Usage | None:
    """What the kernel tells of a process; None where there is none."""
    try:
        # The name of the program comes first, in brackets, and may have brackets in it.
        told = (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except (OSError, UnicodeDecodeError):
        return None
    ticks = os.sysconf("SC_CLK_TCK")
    cpu = (int(told[11]) + int(told[12])) / ticks
    return Usage(name, cpu, int(told[21]) * resource.getpagesize())


def own_usage(name: str) -> Usage:
    """What this process takes, where the kernel has no files for it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    unit = 1 if sys.platform == "darwin" else 1024  # the most it ever was: there is no better here
    return Usage(name, used.ru_utime + used.ru_stime, used.ru_maxrss * unit)


def children_of(process: int) -> list[int]:
    """The processes that any thread of a process has started."""
    found: list[int] = []
    try:
        for task in (PROC / str(process) / "task").iterdir():
            found += map(int, (task / "children").read_text().split())
    except OSError:
        return found
    return found


def descendants_of(process: int) -> Iterator[int]:
    """All processes below a process, those it started first."""
    left, seen = children_of(process), {process}
    while left and len(seen) <= MOST_PROCESSES:
        child = left.pop(0)
        if child not in seen:
            seen.add(child)
            yield child
            left += children_of(child)


def module_of(process: int) -> str | None:
    """The module of ours that a process of ours runs, by its command line; None where it is not ours."""
    try:
        found = _MODULE.search((PROC / str(process) / "cmdline").read_bytes())
    except OSError:
        return None
    return None if found is None else found[1].decode()
