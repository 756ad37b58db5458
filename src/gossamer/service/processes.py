"""What our processes take of this machine, as far as the system tells."""

import os
import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")


@dataclass(frozen=True, slots=True)
class Usage:
    """What one process, or some together, take."""

    name: str
    cpu_seconds: float
    resident_bytes: int


def usages(owner: int) -> Iterator[Usage]:
    """This process, the owner of the folder, and the processes that each of them started."""
    if not (PROC / "self" / "stat").exists():
        yield _own()
        return
    for process, name in {os.getpid(): "service", owner: "owner"}.items():
        yield from _with_children(name, process, without=owner)


def _with_children(name: str, process: int, without: int) -> Iterator[Usage]:
    if (usage := _read(name, process)) is not None:
        yield usage
    others = (child for child in _children(process) if child != without)
    children = [each for child in others if (each := _read("", child))]
    if children:
        cpu = sum(each.cpu_seconds for each in children)
        memory = sum(each.resident_bytes for each in children)
        yield Usage(f"children of {name}", cpu, memory)


def _read(name: str, process: int) -> Usage | None:
    """What the kernel tells of a process; None where there is none."""
    try:
        # The name of the program comes first, in brackets, and may have brackets in it.
        told = (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except (OSError, UnicodeDecodeError):
        return None
    ticks = os.sysconf("SC_CLK_TCK")
    cpu = (int(told[11]) + int(told[12])) / ticks
    return Usage(name, cpu, int(told[21]) * resource.getpagesize())


def _children(process: int) -> list[int]:
    try:
        told = (PROC / str(process) / "task" / str(process) / "children").read_text()
    except OSError:
        return []
    return [int(each) for each in told.split()]


def _own() -> Usage:
    used = resource.getrusage(resource.RUSAGE_SELF)
    unit = 1 if sys.platform == "darwin" else 1024  # the most it ever was: there is no better here
    return Usage("service", used.ru_utime + used.ru_stime, used.ru_maxrss * unit)
