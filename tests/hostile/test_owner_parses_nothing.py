"""Nothing that strangers wrote is parsed by native code in the process that owns the folder."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Where the owner may unpack or parse all the same, each within a limit and for a reason.
BOUNDED = {
    "fetch/decode.py": "robots.txt, 512 KB, and contexts, in small pieces and windows",
    "archive/record.py": "our own archive, which the frontier has places in",
    "frontier/rows.py": "our own links, out of our own database",
}


def test_a_crawl_is_made_by_a_process_without_parsers(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "tests.hostile.trapped_crawl", str(tmp_path)]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    ended = found["pages"]
    assert ended["http://a.test/listed"] == "content"
    assert ended["http://a.test/gzip"] == ended["http://a.test/brotli"] == "content"
    assert sum(each == "content" for each in ended.values()) >= 10
    assert found["quads"] > 10
    places = {call.partition(" in ")[2] for call in found["calls"]}
    assert places <= set(BOUNDED), found["calls"]


OWNING = [
    "cli.commands.crawl",
    "cli.own_folder",
    "cli.listeners",
    "web.app",
    "web.copies",
]


def test_no_module_that_the_owner_runs_loads_a_parser_of_pages() -> None:
    load = "; ".join(f"import gossamer.{name}" for name in OWNING)
    program = f"import sys; {load}; print({{'lxml', 'selectolax', 'pyld'}} & set(sys.modules))"
    run = [sys.executable, "-c", program]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "set()\n"
