"""The machine of a node: processors, load and memory, out of the kernel's own files; and the room on disks."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from gossamer.nodes.report import MOST_DISKS, DiskRoom, MachineMemory
from gossamer.processes import usage

IDLE: Final = slice(3, 5)  # what a processor does of nothing, and of waiting for disks
COUNTED: Final = 8  # columns; guests are within those before


class CpuTicks(NamedTuple):
    """What all processors did together since the machine was started, in ticks of its clock."""

    busy: int
    total: int


@dataclass(frozen=True, slots=True)
class MachineState:
    """A machine at a moment; what this system does not tell is None."""

    ticks: CpuTicks | None
    load: float | None
    memory: MachineMemory | None


def read_machine() -> MachineState:
    """The machine as it is now."""
    return MachineState(parse_ticks(_text("stat")), _load(), parse_memory(_text("meminfo")))


def parse_ticks(stat: str) -> CpuTicks | None:
    """The first line of `/proc/stat`."""
    name, *columns = (stat.splitlines() or [""])[0].split() or [""]
    if name != "cpu" or len(columns) < IDLE.stop or not all(each.isdigit() for each in columns):
        return None
    ticks = [int(each) for each in columns[:COUNTED]]
    return CpuTicks(sum(ticks) - sum(ticks[IDLE]), sum(ticks))


def parse_memory(meminfo: str) -> MachineMemory | None:
    """The memory by `/proc/meminfo`; what programs may still take counts as free."""
    told = {
        name: rest.split()
        for name, _, rest in (line.partition(":") for line in meminfo.splitlines())
    }
    try:
        total, free = (int(told[name][0]) * 1024 for name in ("MemTotal", "MemAvailable"))
    except (KeyError, IndexError, ValueError):
        return None
    return MachineMemory(total - free, free, total)


def busy_processors(before: CpuTicks | None, now: CpuTicks | None, cores: int) -> float | None:
    """How many processors were busy between two moments, of so many."""
    if before is None or now is None or now.total <= before.total:
        return None
    share = (now.busy - before.busy) / (now.total - before.total)
    return round(min(1.0, max(0.0, share)) * cores, 3)


def disk_rooms(parts: Mapping[str, Path]) -> tuple[DiskRoom, ...]:
    """The room on each disk that parts of a folder lie on; parts that are not there yet have none."""
    disks: dict[int, tuple[list[str], Path]] = {}
    for name, path in parts.items():
        try:
            disks.setdefault(path.stat().st_dev, ([], path))[0].append(name)
        except OSError:
            continue
    return tuple(_rooms(disks))[:MOST_DISKS]


def machine_name() -> str | None:
    """What all programs on this machine have in common until it is started again, and those of others have not."""
    found = _text("sys/kernel/random/boot_id").strip()
    return blake2b(found.encode(), digest_size=8).hexdigest() if found else None


def _rooms(disks: Mapping[int, tuple[list[str], Path]]) -> Iterable[DiskRoom]:
    for device, (names, path) in disks.items():
        try:
            told = os.statvfs(path)
        except OSError:
            continue
        free, total = (blocks * told.f_frsize for blocks in (told.f_bavail, told.f_blocks))
        yield DiskRoom(", ".join(names), free, total, device)


def _load() -> float | None:
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return None


def _text(name: str) -> str:
    try:
        return (usage.PROC / name).read_text()
    except (OSError, UnicodeDecodeError):
        return ""
