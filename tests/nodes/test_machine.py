from pathlib import Path

from gossamer.nodes.machine import (
    CpuTicks,
    busy_processors,
    disk_rooms,
    parse_memory,
    parse_ticks,
    read_machine,
)
from gossamer.nodes.report import MachineMemory

STAT = "cpu  100 5 50 800 40 3 2 0 7 0\ncpu0 50 2 25 400 20 1 1 0 3 0\nintr 5\n"
MEMINFO = "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    600 kB\n"


def test_waiting_for_disks_is_no_work_and_guests_count_once() -> None:
    assert parse_ticks(STAT) == CpuTicks(160, 1000)


def test_memory_that_programs_may_take_is_free() -> None:
    assert parse_memory(MEMINFO) == MachineMemory(400 * 1024, 600 * 1024, 1000 * 1024)


def test_what_the_kernel_does_not_tell_is_none() -> None:
    assert parse_ticks("") is None
    assert parse_ticks("cpu x") is None
    assert parse_memory("MemTotal: 3 kB\nMemAvailable:") is None


def test_busy_processors_are_counted_between_two_moments() -> None:
    assert busy_processors(CpuTicks(100, 1000), CpuTicks(150, 1100), 4) == 2.0
    assert busy_processors(None, CpuTicks(150, 1100), 4) is None
    assert busy_processors(CpuTicks(1, 10), CpuTicks(1, 10), 4) is None


def test_parts_on_one_disk_are_told_together_and_those_that_are_missing_not_at_all(
    tmp_path: Path,
) -> None:
    (room,) = disk_rooms({"folder": tmp_path, "log": tmp_path, "graph": tmp_path / "none"})
    assert room.parts == "folder, log"
    assert 0 < room.free <= room.total


def test_this_machine_tells_of_itself() -> None:
    machine = read_machine()
    assert machine.load is not None
