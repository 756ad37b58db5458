"""What the tests of the pool share: workers that run `page_functions.act`, and who still lives."""

import sys
import tempfile
import time
from pathlib import Path

import pytest
from tests.slowness import patience

from gossamer.processes.process import Program
from gossamer.processes.sandbox import Sandbox
from gossamer.reading.pool.worker import WorkerSpec, program

HERE = Path(__file__).resolve().parent
PATH = (str(HERE), *sys.path)
NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs procfs: no /proc")
MIB = 1024 * 1024


def spec(
    *, function: str = "page_functions:act", memory_mib: int = 128, time_limit: float = 30
) -> WorkerSpec:
    """A worker's orders; the limits are wide unless the test is about them."""
    # Some of these functions leave a file behind, or look at their own process.
    sandbox = Sandbox(reads=("/proc/self/",), writes=(tempfile.gettempdir(),))
    return WorkerSpec(function, PATH, memory_mib * MIB, time_limit, sandbox)


def worker(*, function: str = "page_functions:act", memory_mib: int = 128) -> Program:
    """A process that is such a worker."""
    return program(spec(function=function, memory_mib=memory_mib))


def lives(pid: int) -> bool:
    """Whether the process runs; one that only waits to be reaped does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def all_end(pids: list[int], within: float = patience(60)) -> bool:
    """Whether these processes end, given some time."""
    deadline = time.monotonic() + within
    while any(lives(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
