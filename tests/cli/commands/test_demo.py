import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests.cli.conftest import Gossamer
from tests.slowness import patience

from gossamer.demo.paths import Shelf
from gossamer.demo.robots import KINDS, forbidden
from gossamer.demo.truth import Rules, truth
from gossamer.demo.world import World


def test_the_summary_tells_the_truth_and_stops(gossamer: Gossamer, tmp_path: Path) -> None:
    done = gossamer("demo", "--once", "--json", "--no-crawl")
    shown = json.loads(done.stdout)
    assert done.returncode == 0
    assert (shown["pages"], shown["hosts"], sum(shown["formats"].values())) == (120, 12, 120)
    allowed = [verdict["allowed"] for verdict in shown["checked"]]
    assert allowed == [Shelf.PRIVATE not in forbidden(kind, "gossamer") for kind in KINDS]
    assert shown["crawled"] is None
    assert list(tmp_path.iterdir()) == []  # nothing is left behind


def test_people_see_a_table_and_a_crawl_that_finds_what_sitemaps_alone_list(
    gossamer: Gossamer,
) -> None:
    world = World(pages=25, hosts=2)
    linked = truth(world, [world.front(0)], scope="any")
    listed = truth(world, [world.front(0)], scope="any", rules=Rules(sitemaps=True))
    assert len(linked.visited) < len(listed.visited)
    done = gossamer("demo", "--once", "--pages", "25", "--hosts", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "25 pages on 2 hosts" in done.stdout
    assert "exactly what is there" in done.stdout.splitlines()[-1]
    assert max(map(len, done.stdout.splitlines())) <= 120


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_without_a_crawl_it_serves_until_it_is_stopped(how: signal.Signals) -> None:
    process = begun("--no-crawl")
    assert process.stderr is not None
    served = next(line for line in process.stderr if line.startswith("Serving on 127.0.0.1:"))
    assert "until Ctrl-C" in served
    process.send_signal(how)
    _, rest = process.communicate(timeout=patience(60))
    assert process.returncode == 0
    assert rest.splitlines()[-1] == "Stopped."
    assert "--data" not in rest


def test_what_was_crawled_can_be_looked_at_until_it_is_stopped(tmp_path: Path) -> None:
    process = begun(temporary=tmp_path)
    assert process.stderr is not None
    said = iter(process.stderr)
    address = next(line for line in said if "Look at it: http://" in line).split()[-1]
    with urlopen(address) as page:
        assert b"Gossamer" in page.read()
    tries = [next(line for line in said if f" {word} " in line) for word in ("check", "explain")]
    assert all(f"--data {tmp_path}/" in line for line in tries)
    assert "exactly what is there" in next(line for line in said if line.startswith("Crawled:"))
    with urlopen(f"{address}search?q=the") as page:
        assert b"result" in page.read()
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=patience(60))
    assert (process.returncode, rest.strip()) == (0, "Stopped. What was crawled is gone.")
    assert list(tmp_path.iterdir()) == []  # nothing is left behind
    with pytest.raises(OSError, match="refused"):
        urlopen(address)


def begun(*options: str, temporary: Path | None = None) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "gossamer", "demo", "--pages", "10", "--hosts", "1", *options]
    places = {} if temporary is None else {"TMPDIR": str(temporary)}
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **places},
    )


def test_more_hosts_than_pages_is_a_sentence(gossamer: Gossamer) -> None:
    done = gossamer("demo", "--pages", "10", "--hosts", "11")
    assert done.returncode == 2
    assert "--hosts 11 is more than --pages 10" in done.stderr
