import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.deployed import metrics_asked_for
from tests.slowness import patience

from gossamer.cli import program
from gossamer.cli.commands.proxy import told_of_owner
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.errors import GossamerError
from gossamer.folder.data import DataFolder
from gossamer.log import read_events
from gossamer.proxy.access import User

WORLD = World(seed=3, pages=30, hosts=3)
WAIT = patience(60)


@contextmanager
def gossamer(
    *words: str, before: str = "true"
) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """A command that stays, and where it says that it is; the shell does something before."""
    command = ["sh", "-c", f'{before}; exec "$@"', "sh", sys.executable, "-m", "gossamer", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process, _places(process, 2 if "--proxy" in words else 1)
        finally:
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            process.stderr.read()
            process.wait(WAIT)


def _places(process: subprocess.Popen[str], count: int) -> dict[str, str]:
    found: dict[str, str] = {}
    assert process.stderr is not None
    while len(found) < count:
        line = process.stderr.readline()
        assert line, "it ended before it said where it is"
        words = line.split()
        if words[0] in ("Proxy", "Serving") and words[-1].startswith("http://"):
            found[words[0]] = words[-1]
    return found


# A request under way while the folder changes hands holds its host for as long as it may last, 20 s.
PATIENT = {"X-Gossamer-Max-Wait": str(WAIT - 20)}


def through(proxy: str, url: str, **headers: str) -> tuple[int, bytes]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": proxy}))
    request = urllib.request.Request(url, headers=headers)
    try:
        with opener.open(request, timeout=WAIT) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def plain(url: str) -> bytes:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=WAIT) as answer:
        body: bytes = answer.read()
        return body


def test_a_proxy_beside_the_service_is_polite_and_seen_there(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with DemoServer(WORLD) as demo:
        options = ["--data", str(data), "--connect-to", f"*.test={demo.address}"]
        options += ["--agent-contact", "me@example.org", "--config", "politeness.delay=0.2"]
        options += ["--config", "politeness.slowness=0"]  # a busy machine answers slowly
        front = WORLD.front(0)
        with gossamer("serve", "127.0.0.1:0", "--proxy", "127.0.0.1:0", *options) as (_, places):
            for _ in range(3):
                status, body = through(places["Proxy"], front)
                assert (status, b"<" in body) == (200, True)
            shown = json.loads(plain(places["Serving"] + "/api/proxy"))["proxy"]
            assert shown["statuses"] == {"200": 3}
            assert shown["address"] == places["Proxy"].removeprefix("http://")
            metrics = plain(places["Serving"] + "/metrics").decode()
            assert 'gossamer_cache{cache="robots",what="misses"} 1' in metrics
            assert 'gossamer_cache{cache="pages",what="entries"}' in metrics
            caches = json.loads(plain(places["Serving"] + "/api/caches"))["caches"]
            assert caches.keys() == {"pages", "robots", "names"}
            words = ["cache", "clear", "robots", "pages", "--json", "--data", str(data)]
            cleared = json.loads(CliRunner().invoke(program, words).output)
            assert (cleared.keys(), cleared["robots"]) == ({"robots", "pages"}, 1)
            assert 'gossamer_proxy_statuses_total{status="200"} 3' in metrics
            assert "gossamer_proxy_tunnels_total 0" in metrics
            on_the_board = {name for name in metrics_asked_for() if "_proxy_" in name}
            assert on_the_board <= set(re.findall(r"(?m)^# TYPE (gossamer_\w+)", metrics))
            delays = json.loads(plain(places["Serving"] + "/delays"))
            assert delays["hosts"][0]["delay"] >= 0.2
            # A crawl that begins takes the folder, and the proxy asks it from then on.
            crawl = [sys.executable, "-m", "gossamer", "crawl", front, "--max-pages", "4", *options]
            with subprocess.Popen(crawl, stderr=subprocess.DEVNULL) as crawling:
                number = 0
                while crawling.poll() is None:
                    status, _ = through(places["Proxy"], f"{front}?n={number}", **PATIENT)
                    assert status in (200, 404)
                    number += 1
            assert number > 0
            status, _ = through(places["Proxy"], f"{front}?last", **PATIENT)
            assert status in (200, 404)
    events = [each for each in read_events(data / "log") if "purpose" in each]
    assert {"proxy", "page", "robots"} <= {each["purpose"] for each in events}
    done = CliRunner().invoke(program, ["audit", "--json", "--data", str(data)])
    assert done.exit_code == 0, done.output
    assert '"violations": 0' in done.output
    access = list(read_events(data / "log" / "proxy"))
    assert {each["event"] for each in access} == {"proxied"}


def test_a_proxy_of_its_own_ends_in_good_order(tmp_path: Path) -> None:
    with gossamer("proxy", "127.0.0.1:0", "--data", str(tmp_path / "d")) as (process, places):
        status, body = through(places["Proxy"], "http://127.0.0.1:65000/")
        assert status == 403
        assert b"--allow-net" in body
        # Whoever may use it is taken up while it runs, like all that is configured.
        line = str(User.new("anna", "secret"))
        words = ["config", "set", f"proxy.users={line}", "--data", str(tmp_path / "d")]
        assert CliRunner().invoke(program, words).exit_code == 0
        deadline = time.monotonic() + WAIT
        while status != 407 and time.monotonic() < deadline:
            status, _ = through(places["Proxy"], "http://127.0.0.1:65000/")
        assert status == 407
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        assert process.stderr.read().splitlines()[-1] == "Stopped."
        process.wait(WAIT)
    assert process.returncode == 0


def test_a_proxy_may_run_inside_a_crawl(tmp_path: Path) -> None:
    endless = replace(WORLD, pages=30_000)
    with DemoServer(endless) as demo:
        options = ["--data", str(tmp_path / "d"), "--connect-to", f"*.test={demo.address}"]
        options += ["--agent-contact", "me@example.org", "--config", "politeness.delay=0.5"]
        with gossamer(
            "crawl", "--serve", "127.0.0.1:0", "--proxy", "127.0.0.1:0", endless.front(0), *options
        ) as (_, places):
            status, _ = through(places["Proxy"], endless.front(0) + "?again", **PATIENT)
            assert status in (200, 404)
            shown = json.loads(plain(places["Serving"] + "/api/proxy"))["proxy"]
            assert sum(shown["statuses"].values()) == 1
    done = CliRunner().invoke(program, ["audit", "--json", "--data", str(tmp_path / "d")])
    assert '"violations": 0' in done.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["0.0.0.0:0"], "an open proxy is everybody's"),
        (["nowhere"], "is no place to listen"),
        (["127.0.0.1:0", "--intercept"], "gossamer ca create"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    done = CliRunner().invoke(program, ["proxy", *words, "--data", str(tmp_path / "d")])
    assert done.exit_code != 0
    assert isinstance(done.exception, GossamerError)
    assert sentence in str(done.exception)


def test_a_line_for_a_user_is_printed(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        program, ["proxy", "--hash", "anna", "--data", str(tmp_path)], input="secret\n"
    )
    assert User.read(done.stdout.strip().splitlines()[-1]).has("secret")
    assert done.stderr == ""


def test_a_user_without_a_password_is_a_sentence(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        program, ["proxy", "--hash", "anna", "--data", str(tmp_path)], input="\n"
    )
    assert done.exit_code != 0
    assert "A password is wanted" in str(done.exception) + done.stderr


def test_options_that_do_not_reach_the_owner_of_the_folder_are_named(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "d")
    given = {"politeness.delay": "5", "fetch.connect_to": ("*=a:1",), "proxy.intercept": "true"}
    assert told_of_owner(data, given) is None
    with data.owned():
        told = told_of_owner(data, given)
        assert told is not None
        assert "--delay and --connect-to will count there only while" in told
        assert "`gossamer config set politeness.delay=5`" in told
        assert told_of_owner(data, {"proxy.intercept": "true"}) is None


@contextmanager
def idle_clients(proxy: str, count: int) -> Iterator[None]:
    host, _, port = proxy.removeprefix("http://").partition(":")
    with ExitStack() as life:
        for _ in range(count):
            life.enter_context(socket.create_connection((host, int(port)), timeout=WAIT))
        yield


@pytest.mark.parametrize(("hard", "idle"), [(600, 130), (120, 50)])
def test_idle_clients_do_not_use_up_the_files_that_may_be_open(
    tmp_path: Path, hard: int, idle: int
) -> None:
    options = ["127.0.0.1:0", "--data", str(tmp_path / "d"), "--agent-contact", "me@example.org"]
    options += ["--config", "politeness.delay=0", "--config", "proxy.max_connections=150"]
    with DemoServer(WORLD) as demo:
        options += ["--connect-to", f"*.test={demo.address}"]
        limits = f"ulimit -S -n 100; ulimit -H -n {hard}"
        with gossamer("proxy", *options, before=limits) as (process, places):
            client = HTTPConnection(places["Proxy"].removeprefix("http://"), timeout=WAIT)
            client.connect()
            with closing(client), idle_clients(places["Proxy"], idle):
                for host in range(3):
                    client.request("GET", WORLD.front(host))
                    answer = client.getresponse()
                    assert (answer.status, len(answer.read()) > 0) == (200, True)
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            assert "Traceback" not in process.stderr.read()
