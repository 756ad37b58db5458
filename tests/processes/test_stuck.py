"""A process is stuck when one step takes its CPU time, whatever the clock says."""

import os
import subprocess
import sys

from gossamer.processes.stuck import Patience, thread_seconds

LIMITED = """
from gossamer.processes import stuck
stuck.LEAST_MEMORY = 100 * 1024**2
import os
os.sysconf = lambda _: 1
stuck.limit_keeper_memory()
bytearray(50 * 1024**2)
try:
    bytearray(200 * 1024**2)
except MemoryError:
    print("limited")
"""


def test_patience_ends_with_the_time_that_one_step_takes() -> None:
    patience = Patience(10.0)
    assert not patience.is_over(None, 0.0)
    assert not patience.is_over(1, 5.0)
    assert not patience.is_over(1, 14.9)
    assert patience.is_over(1, 15.0)
    assert not patience.is_over(2, 16.0)
    assert not patience.is_over(None, 100.0)
    assert not patience.is_over(2, 101.0)


def test_the_time_of_a_thread_grows_with_its_work() -> None:
    before = thread_seconds(os.getpid())
    while thread_seconds(os.getpid()) == before:
        sum(range(10_000))
    assert thread_seconds(os.getpid()) > before


def test_a_process_that_keeps_data_takes_no_more_memory_than_its_share() -> None:
    told = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "limited"
