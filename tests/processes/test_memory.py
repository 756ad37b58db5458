"""Free memory goes back to the system."""

import subprocess
import sys

import pytest

BURST = """
import gc
from pathlib import Path
from gossamer.processes.memory import give_back_memory

def taken():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0])

pieces = [bytes(60_000) for _ in range(2_000)]
kept = [bytes(1_000) for _ in range(100)]  # on top: nothing below goes by itself
del pieces
before = taken()
give_back_memory()
print(before - taken())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, the C library is another one")
def test_what_a_burst_left_goes_back_to_the_system() -> None:
    done = subprocess.run([sys.executable, "-c", BURST], capture_output=True, check=True, text=True)
    assert int(done.stdout) > 50_000  # of 120,000 KiB
