import os
import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.nodes.sampling import Sampler, kind_of
from gossamer.processes.usage import descendants_of, has_proc, module_of


@pytest.mark.parametrize(
    ("module", "kind"),
    [
        ("index.graph.reader_process", "queries"),
        ("index.graph.process", "graph"),
        ("index.words.process", "words"),
        ("reading.page_worker", "readers"),
        ("reading.pool.worker", "readers"),
        ("readings", "others"),
        (None, "others"),
    ],
)
def test_a_process_is_named_by_what_it_is_for(module: str | None, kind: str) -> None:
    assert kind_of(module) == kind


def test_cpu_is_what_was_taken_since_the_sample_before(tmp_path: Path) -> None:
    moments = iter([0.0, 10.0])
    sampler = Sampler("crawl", lambda: {"folder": tmp_path}, lambda: next(moments))
    first, second = sampler.sample(), sampler.sample()
    assert [each.cpu for each in first.processes if each.kind == "crawl"] == [None]
    (crawl,) = (each for each in second.processes if each.kind == "crawl")
    assert crawl.count == 1
    assert crawl.cpu is not None
    assert crawl.memory > 1_000_000
    assert [disk.parts for disk in second.disks] == ["folder"]
    assert second.host


@pytest.mark.skipif(not has_proc(), reason="needs proc: this system has no /proc")
def test_processes_below_ours_are_found_and_what_they_run() -> None:
    run = '"gossamer.index.words.process:main"; print(flush=True); input()'
    ours = (sys.executable, "-c", run)
    with subprocess.Popen(ours, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()  # before it runs, the system may not know its command yet
        below = list(descendants_of(os.getpid()))
        module = module_of(child.pid)
        child.communicate(b"\n")
    assert child.pid in below
    assert module == "index.words.process"
    assert module_of(2**22 + 1) is None
