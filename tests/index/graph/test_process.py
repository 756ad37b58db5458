import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.index.made_pages import page

from gossamer.index.graph.messages import Reply, Request
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.graph.process import reply
from gossamer.index.graph.store import GraphStore

ROOT = Path(__file__).resolve().parents[3]


def test_every_request_has_its_reply(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    assert reply(store, Request("replace", (page(1), page(2)))) == Reply()
    assert reply(store, Request("flush")) == Reply()
    assert reply(store, Request("counts")) == Reply(counts=GraphCounts(2, 4, 22))
    snapshot = reply(store, Request("snapshot")).snapshot
    assert Path(snapshot).is_dir()
    assert reply(store, Request("release", snapshot=snapshot)) == Reply()
    assert reply(store, Request("close")) == Reply()
    assert (tmp_path / "counts.json").exists()


# Files may grow to 256 KiB here: that is a full disk, as far as a store can tell.
FULL = """
import resource, sys
from pathlib import Path
from tests.index.made_pages import page
from gossamer.index.graph.messages import Request
from gossamer.index.graph.process import reply
from gossamer.index.graph.store import GraphStore
store = GraphStore.open(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (2**18, 2**18))
for number in range(1000):
    said = reply(store, Request("replace", (page(number, size=50),)))
    if said.fault:
        print(number, said.fault if said.disk else "not the disk's fault")
        break
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX: limits on files")
def test_a_full_disk_is_told_in_a_sentence_and_what_was_there_stays(tmp_path: Path) -> None:
    run = [sys.executable, "-c", FULL, str(tmp_path)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    number, _, fault = done.stdout.partition(" ")
    assert fault.startswith("The graph cannot be written: ")
    assert "See to the disk" in fault
    assert GraphStore.open(tmp_path).counts.pages == int(number)
