import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.processes.test_process import ask, receive
from tests.reading.pool.crew import MIB, NEEDS_PROC, worker
from tests.slowness import patience

from gossamer.processes.confine import open_files
from gossamer.processes.process import spawn

LIMITED = """
from gossamer.processes import confine
confine.LEAST_MEMORY = 100 * 1024**2
import os
os.sysconf = lambda _: 1
confine.limit_keeper_memory()
bytearray(50 * 1024**2)
try:
    bytearray(200 * 1024**2)
except MemoryError:
    print("limited")
"""
# The engine of the graph has such threads.
ENGINE = """
import os, sys
from pathlib import Path
import pyoxigraph
from gossamer.processes.confine import work_last

store = pyoxigraph.Store(sys.argv[1])
assert work_last("nobody goes by this", 10) == 0
there = work_last("rocksdb:l", 10)
work_last("rocksdb:low", 5)  # whoever waits already does not come forward
names = {int(each.parent.name): each.read_text().strip() for each in Path("/proc/self/task").glob("*/comm")}
waiting = {os.getpriority(os.PRIO_PROCESS, each) for each in names if names[each] == "rocksdb:low"}
others = {os.getpriority(os.PRIO_PROCESS, each) for each in names if names[each] != "rocksdb:low"}
print(there > 0, waiting == {max(10, os.nice(0))}, others == {os.getpriority(os.PRIO_PROCESS, 0)})
"""
BURST = """
import gc
from pathlib import Path
from gossamer.processes.confine import give_back_memory

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
from gossamer.processes.confine import share_memory

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
from gossamer.processes.confine import give_back_large_pieces

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
ASK = "from gossamer.processes.confine import raise_open_files as r; print(r(), r())"


@NEEDS_PROC
def test_a_page_finds_nothing_of_ours_in_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_SECRET", "do not tell")
    with spawn(worker()) as process:
        receive(process.connection)
        seen = json.loads(ask(process, b"surroundings")[1])
    assert seen["environment"] == ["LC_ALL", "TZ"]
    assert seen["descriptors"]["0"] == seen["descriptors"]["1"] == "/dev/null"
    # stderr, the socket, and the folder that is being read to find these out
    assert len(seen["descriptors"]) == 5
    assert seen["threads"] == 1
    assert seen["session"]
    assert seen["ignores_interrupts"]
    assert seen["core"] == 0


@NEEDS_PROC
def test_what_the_worker_itself_holds_is_not_the_pages() -> None:
    with spawn(worker(function="heavy_functions:measure", memory_mib=64)) as process:
        receive(process.connection)
        assert ask(process, b"")[1] == b"%d" % (20 * MIB)


@NEEDS_PROC
def test_memory_is_counted_as_the_system_counts_it() -> None:
    # In a process of its own: here, a thread may end meanwhile and give its memory back.
    run = f"""
from gossamer.processes.confine import data_bytes
before, ballast = data_bytes(), bytearray({200 * MIB})
print(data_bytes() - before - len(ballast))
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, check=True)
    assert 0 <= int(done.stdout) < MIB


@NEEDS_PROC
def test_a_worker_whose_owner_is_gone_before_it_starts_does_not_start() -> None:
    run = "import sys; from gossamer.processes.confine import die_with; die_with(1); print(1)"
    assert os.getpid() != 1
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, check=True)
    assert done.stdout == b""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, threads have no names to go by")
def test_threads_of_a_name_wait_and_the_others_do_not(tmp_path: Path) -> None:
    run = [sys.executable, "-c", ENGINE, str(tmp_path)]
    done = subprocess.run(run, capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["True", "True", "True"]


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


def limited(how: str) -> str:
    command = f'{how}; exec "$0" -c "$1"'
    words = ["sh", "-c", command, sys.executable, ASK]
    return subprocess.run(
        words, capture_output=True, text=True, check=True, timeout=patience(60)
    ).stdout


def test_what_the_system_allows_is_taken() -> None:
    assert limited("ulimit -S -n 100; ulimit -H -n 300") == "300 300\n"


def test_there_is_no_more_than_that() -> None:
    assert limited("ulimit -n 200") == "200 200\n"


def test_open_files_are_counted() -> None:
    before = open_files()
    ours, theirs = os.pipe()
    try:
        assert open_files() == before + 2
    finally:
        os.close(ours)
        os.close(theirs)
    assert open_files() == before


def test_a_process_that_keeps_data_takes_no_more_memory_than_its_share() -> None:
    told = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "limited"
