"""What works in the background waits while others work."""

import subprocess
import sys
from pathlib import Path

import pytest

# The engine of the graph has such threads.
ENGINE = """
import os, sys
from pathlib import Path
import pyoxigraph
from gossamer.processes.background import work_last

store = pyoxigraph.Store(sys.argv[1])
assert work_last("nobody goes by this", 10) == 0
there = work_last("rocksdb:l", 10)
work_last("rocksdb:low", 5)  # whoever waits already does not come forward
names = {int(each.parent.name): each.read_text().strip() for each in Path("/proc/self/task").glob("*/comm")}
waiting = {os.getpriority(os.PRIO_PROCESS, each) for each in names if names[each] == "rocksdb:low"}
others = {os.getpriority(os.PRIO_PROCESS, each) for each in names if names[each] != "rocksdb:low"}
print(there > 0, waiting == {10}, others == {os.getpriority(os.PRIO_PROCESS, 0)})
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, threads have no names to go by")
def test_threads_of_a_name_wait_and_the_others_do_not(tmp_path: Path) -> None:
    run = [sys.executable, "-c", ENGINE, str(tmp_path)]
    done = subprocess.run(run, capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["True", "True", "True"]
