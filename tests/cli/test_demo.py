import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.demo.paths import Shelf
from gossamer.demo.robots import KINDS, forbidden

from .conftest import Gossamer


def test_the_summary_tells_the_truth_and_stops(gossamer: Gossamer, tmp_path: Path) -> None:
    done = gossamer("demo", "--once", "--json")
    shown = json.loads(done.stdout)
    assert done.returncode == 0
    assert (shown["pages"], shown["hosts"], sum(shown["formats"].values())) == (120, 12, 120)
    allowed = [verdict["allowed"] for verdict in shown["checked"]]
    assert allowed == [Shelf.PRIVATE not in forbidden(kind, "gossamer") for kind in KINDS]
    assert list(tmp_path.iterdir()) == []  # nothing is left behind


def test_people_see_a_table_and_how_to_go_on(gossamer: Gossamer) -> None:
    done = gossamer("demo", "--once", "--pages", "20", "--hosts", "3")
    assert "20 pages on 3 hosts" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 120


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_stopped_and_says_how_to_reach_it(how: signal.Signals) -> None:
    command = [
        str(Path(sys.executable).with_name("gossamer")),
        "demo",
        "--pages",
        "10",
        "--hosts",
        "1",
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    assert process.stderr is not None
    served = next(line for line in process.stderr if line.startswith("Serving on 127.0.0.1:"))
    assert "until Ctrl-C" in served
    process.send_signal(how)
    _, rest = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "Traceback" not in rest


def test_more_hosts_than_pages_is_a_sentence(gossamer: Gossamer) -> None:
    done = gossamer("demo", "--pages", "10", "--hosts", "11")
    assert done.returncode == 2
    assert "--hosts 11 is more than --pages 10" in done.stderr
