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


THREADS = """
import re
from pathlib import Path
from threading import Barrier, Thread
from gossamer.processes.memory import share_memory

share_memory()
all_there = Barrier(8)

def work():
    pieces = [bytes(60_000) for _ in range(100)]
    all_there.wait()

threads = [Thread(target=work) for _ in range(8)]
for each in threads:
    each.start()
for each in threads:
    each.join()
arenas = [  # each begins where 64 MiB do
    start
    for start, end in re.findall(r"^(\\w+)-(\\w+) rw-p 0+ 00:00 0 *$", Path("/proc/self/maps").read_text(), re.M)
    if int(start, 16) % (64 << 20) == 0
]
print(len(arenas))
"""


LARGE = """
from pathlib import Path
from gossamer.processes.memory import give_back_large_pieces

give_back_large_pieces()

def taken():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0])

for _ in range(3):  # the C library would keep them from the second time on
    pieces = [b"a" * (1 << 20) for _ in range(100)]
    kept = [bytes(1_000) for _ in range(100)]
    before = taken()
    del pieces
print(before - taken())
"""


LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere, the C library is another one"
)


@LINUX
def test_many_threads_take_memory_from_one_place() -> None:
    done = subprocess.run(
        [sys.executable, "-c", THREADS], capture_output=True, check=True, text=True
    )
    assert int(done.stdout) <= 1


@LINUX
def test_large_pieces_go_back_as_soon_as_they_are_free() -> None:
    done = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, check=True, text=True)
    assert int(done.stdout) > 90_000  # of 102,400 KiB


@LINUX
def test_what_a_burst_left_goes_back_to_the_system() -> None:
    done = subprocess.run([sys.executable, "-c", BURST], capture_output=True, check=True, text=True)
    assert int(done.stdout) > 50_000  # of 120,000 KiB
