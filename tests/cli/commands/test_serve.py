"""`gossamer serve` as people use it: a process, beside crawls and without."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from subprocess import Popen

import pytest
from tests.cli.conftest import Gossamer
from tests.crawl.commands import until
from tests.crawl.door import Door
from tests.service.running import Client
from tests.slowness import patience

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder

PROGRAM = str(Path(sys.executable).with_name("gossamer"))
WORLD = World(seed=3, pages=30, hosts=2)
LONG, OTHER = "a-token-of-our-own", "another-token-of-ours"


class Running:
    """A command that serves, and what it says."""

    def __init__(self, process: Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []
        self._lines: Queue[str | None] = Queue()
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put(None)

    def end(self) -> None:
        """End it in good order, if it has not come to its end, and hear it out."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(patience(30))
        self._listener.join(patience(60))
        while not self._lines.empty():
            self.said.append(self._lines.get() or "")
        assert self.process.stdout is not None
        self.process.stdout.close()

    def address(self) -> Client:
        """Wait until it says where it is."""
        while (line := self._lines.get(timeout=patience(60))) is not None:
            self.said.append(line)
            if "at http://" in line:
                return Client(line.strip().rpartition(" ")[2])
        raise AssertionError("".join(self.said))


@contextmanager
def running(folder: Path, *arguments: str, **variables: str) -> Iterator[Running]:
    clean = {name: value for name, value in os.environ.items() if "GOSSAMER" not in name}
    process = Popen(
        [PROGRAM, *arguments],
        cwd=folder,
        env={**clean, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    command = Running(process)
    try:
        yield command
    finally:
        command.end()


def content(ask: Client) -> int:
    """How many pages have content, as the status says, which may be a moment old."""
    count: int = ask("/api/status").json["ended"]["content"]
    return count


def owner(ask: Client) -> str | None:
    """Who has the folder; nobody, where an owner that has begun does not answer yet."""
    name: str | None = ask("/health").json.get("owner")
    return name


def test_a_folder_is_served_until_ctrl_c(small_crawl: DataFolder, tmp_path: Path) -> None:
    with running(tmp_path, "serve", "127.0.0.1:0") as service:
        ask = service.address()
        assert ask("/health").json["owner"] == "serve"
        assert ask("/api/status").json["ended"]["content"] == 2
        query = "SELECT ?o { ?s <http://v.test/says> ?o }"
        assert len(ask("/sparql", query=query).json["results"]["bindings"]) == 3
        service.process.send_signal(signal.SIGINT)
        assert service.process.wait(patience(30)) == 0
    assert "Traceback" not in "".join(service.said)
    with small_crawl.owned():  # which it has given back
        pass


def test_a_crawl_takes_over_from_a_service_and_gives_the_folder_back(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    with running(tmp_path, "serve", "127.0.0.1:0", GOSSAMER_SERVICE_TOKEN="t") as service:
        ask = service.address()
        assert ask("/health").json["owner"] == "serve"
        with DemoServer(WORLD) as demo, Door(demo.address) as door:
            door.close(after=3)
            reach = (
                *("--connect-to", door.connect_to, "--delay", "0", "--scope", "any"),
                *("--config", "politeness.slowness=0"),
            )
            with running(tmp_path, "crawl", WORLD.front(0), *reach, "--json") as crawl:
                until(lambda: owner(ask) == "crawl")
                assert ask("/api/status").json["owner"]["command"] == "crawl"
                door.open()
                assert crawl.process.wait(patience(60)) == 0
                assert crawl.process.stdout is not None
                pages = json.loads(crawl.process.stdout.read())["pages"]
            assert pages > 10
            until(lambda: owner(ask) == "serve")
            until(lambda: content(ask) == pages)
            forgotten = gossamer("forget", "www.site0.test")
            assert forgotten.returncode == 0, forgotten.stderr
            until(lambda: content(ask) < pages)


def test_what_a_crawl_was_told_meanwhile_holds_for_the_service_too(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    with running(tmp_path, "serve", "127.0.0.1:0") as service, DemoServer(WORLD) as demo:
        ask = service.address()
        for pages, delay in enumerate((0.1, 2.5), 1):
            reach = ("--connect-to", demo.connect_to, "--config", "politeness.slowness=0")
            limits = ("--max-pages", str(pages), "--delay", str(delay))
            done = gossamer("crawl", "www.site0.test", *limits, *reach)
            assert done.returncode == 0, done.stderr
            # Whoever leases a host from it now is as slow as the crawl was.
            (host,) = [each for each in ask("/delays").json["hosts"] if "site0" in each["host"]]
            assert host["delay"] == delay
            assert ask("/api/config/politeness.delay").json["value"] == delay
            shown = json.loads(gossamer("config", "--json").stdout)
            assert shown["politeness.delay"]["value"] == delay


def test_a_crawl_serves_itself_if_it_is_told_to(tmp_path: Path) -> None:
    with DemoServer(WORLD) as demo:
        arguments = ("--connect-to", demo.connect_to, "--delay", "1000", "--token", LONG)
        with running(
            tmp_path, "crawl", "--serve", "127.0.0.1:0", WORLD.front(0), *arguments
        ) as crawl:
            ask = crawl.address()
            status = ask("/api/status").json
            assert status["owner"] == {"process": crawl.process.pid, "command": "crawl"}
            assert status["run"]["seconds"] >= 0
            assert b"gossamer_crawl_running 1" in ask("/metrics").body
            explained = ask("/api/explain", url=WORLD.front(0)).json
            assert explained["page"]["seed"] is True
            made = ask.put("/api/config/politeness.delay", {"value": 0.01}, LONG).json
            assert made["crawl"] == {
                "process": crawl.process.pid,
                "waits": [],
                "refused": None,
            }
            assert crawl.process.wait(patience(60)) == 0


def test_a_folder_that_is_new_or_empty_is_told_of(tmp_path: Path) -> None:
    with running(tmp_path, "serve", "127.0.0.1:0", "--data", "new") as service:
        service.address()
    assert service.said[0].startswith("There is no data folder new yet: an empty one is made.")
    with running(tmp_path, "serve", "127.0.0.1:0", "--data", "new") as service:
        service.address()
    assert not service.said[0].startswith("There is no data folder")


def test_a_service_that_has_the_folder_says_what_it_takes_up(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    with running(tmp_path, "serve", "127.0.0.1:0", "--token", LONG) as service:
        ask = service.address()
        set_ = gossamer("config", "set", f"service.token={OTHER}", "service.address=127.0.0.1:9")
        who = f"`gossamer serve` (process {service.process.pid})"
        assert f"{who} takes this up with its next run: service.address." in set_.stderr
        assert ask.put("/api/config/politeness.delay", {"value": 2}, LONG).status == 401
        assert ask.put("/api/config/politeness.delay", {"value": 2}, OTHER).status == 200
    with running(tmp_path, "serve", "127.0.0.1:0", "--token", LONG) as service:
        service.address()
    assert service.said[0].startswith("--token does not count: another service.token was set")


def test_a_token_is_made_for_those_who_want_one(gossamer: Gossamer, tmp_path: Path) -> None:
    with running(tmp_path, "serve", "127.0.0.1:0", "--token", "new") as service:
        ask = service.address()
        made = service.said[0].strip().rpartition(" ")[2]
        assert ask.put("/api/config/politeness.delay", {"value": 2}, made).status == 200
        kept = gossamer("config", "set", "service.token=new").stderr.splitlines()[0]
        other = kept.rpartition(" ")[2]
        assert ask.put("/api/config/politeness.delay", {"value": 2}, other).status == 200
        refused = ask.put("/api/config/service.token", {"value": "x"}, other)
        assert (refused.status, refused.json["code"]) == (400, "bad-value")
        assert "16 characters or more" in refused.json["detail"]


def test_a_short_token_of_an_old_configuration_is_warned_about(tmp_path: Path) -> None:
    with running(tmp_path, "serve", "127.0.0.1:0", GOSSAMER_SERVICE_TOKEN="short") as service:
        ask = service.address()
        assert ask.put("/api/config/politeness.delay", {"value": 2}, "short").status == 200
    assert "service.token has fewer than 16 characters" in "".join(service.said)


def test_a_host_that_was_only_asked_about_is_not_listed(tmp_path: Path) -> None:
    with running(tmp_path, "serve", "127.0.0.1:0") as service:
        ask = service.address()
        told = ask("/api/explain", url="http://10.1.2.3/").json
        assert not told["verdict"]["allowed"]
        assert ask("/api/hosts").json["hosts"] == []
        assert ask("/delays").json["hosts"] == []


def test_a_port_that_is_taken_is_a_sentence(gossamer: Gossamer, tmp_path: Path) -> None:
    with running(tmp_path, "serve", "127.0.0.1:0") as service:
        place = service.address().url.removeprefix("http://")
        other = gossamer("serve", place, "--data", "other")
        assert (other.returncode, other.stdout) == (1, "")
        assert other.stderr.startswith(f"gossamer: {place} cannot be listened on: Address already")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("serve", "nowhere"), "write ADDR:PORT"),
        (("serve", "127.0.0.1:0", "--token", "x"), "a token has 16 characters or more"),
        (("config", "set", "service.token=x"), "a token has 16 characters or more"),
        (("serve", "0.0.0.0:0"), "set one with GOSSAMER_SERVICE_TOKEN or --token"),
        (("crawl", "--serve", "[::]:0", "a.test"), "so whoever asks has to send a token"),
        (("crawl", "--serve", "a.test", "--depth", "x"), "--depth"),
    ],
)
def test_what_cannot_be_is_a_sentence(
    here: Gossamer, arguments: tuple[str, ...], told: str
) -> None:
    done = here(*arguments)
    assert done.returncode == 2
    assert told in done.stderr
