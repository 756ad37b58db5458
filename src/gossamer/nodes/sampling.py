"""Samples of a node's machine and processes, one after the other: what they take since the sample before."""

import os
import platform
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gossamer.nodes.machine import CpuTicks, busy_processors, disk_rooms, machine_name, read_machine
from gossamer.nodes.report import MOST_PROCESSES, NodeReport, ProcessFigures
from gossamer.processes.usage import (
    Usage,
    descendants_of,
    has_proc,
    module_of,
    own_usage,
    process_usage,
)

KINDS: Final[Mapping[str, str]] = {
    "index.graph.reader_process": "queries",
    "index.server.reading": "queries",
    "index.graph": "graph",
    "index.server": "graph",
    "index.words": "words",
    "reading": "readers",
    "sinks": "sinks",
    "proxy": "proxy",
}
"""What a process of ours is for, by the module that it runs; the first that fits."""
OTHER: Final = "others"


@dataclass(slots=True)
class Sampler:
    """Looks at this machine, and at this process and those below it. For one thread at a time."""

    kind: str  # of this process: what the command is about
    parts: Callable[[], Mapping[str, Path]]  # of the data folder, by name
    clock: Callable[[], float] = time.monotonic
    _ticks: CpuTicks | None = None
    _cpu: dict[int, float] = field(default_factory=dict)  # seconds so far, by process
    _at: float | None = None

    def sample(self) -> NodeReport:
        """The machine, the processes and the disks as they are now."""
        at, cores, machine = self.clock(), os.cpu_count() or 1, read_machine()
        cpu, self._ticks = busy_processors(self._ticks, machine.ticks, cores), machine.ticks
        seconds, self._at = None if self._at is None else at - self._at, at
        return NodeReport(
            host=socket.gethostname(),
            machine=machine_name(),
            system=f"{platform.system()} {platform.release()}",
            cores=cores,
            cpu=cpu,
            load=machine.load,
            memory=machine.memory,
            disks=disk_rooms(self.parts()),
            processes=self._processes(seconds),
        )

    def _processes(self, seconds: float | None) -> tuple[ProcessFigures, ...]:
        now = dict(our_processes(self.kind))
        before, self._cpu = self._cpu, {pid: each.cpu_seconds for pid, each in now.items()}
        counts, cpu, memory = Counter[str](), Counter[str](), Counter[str]()
        for pid, each in now.items():
            counts[each.name] += 1
            memory[each.name] += each.resident_bytes
            # One that is new has done all that it did since the sample before.
            cpu[each.name] += each.cpu_seconds - before.get(pid, 0.0)  # type: ignore[assignment] # a Counter of seconds adds up as well
        return tuple(
            ProcessFigures(
                kind, count, round(cpu[kind] / seconds, 3) if seconds else None, memory[kind]
            )
            for kind, count in counts.most_common(MOST_PROCESSES)
        )


def our_processes(kind: str) -> Iterator[tuple[int, Usage]]:
    """Our processes by number: this one, which is of that kind, and all below it, as far as the system tells."""
    us = os.getpid()
    if not has_proc():
        yield us, own_usage(kind)
        return
    for pid, name in (
        (us, kind),
        *((each, kind_of(module_of(each))) for each in descendants_of(us)),
    ):
        if (usage := process_usage(name, pid)) is not None:
            yield pid, usage


def kind_of(module: str | None) -> str:
    """What a process is for that runs a module of ours."""
    if module is None:
        return OTHER
    return next(
        (kind for name, kind in KINDS.items() if f"{module}.".startswith(f"{name}.")), OTHER
    )
