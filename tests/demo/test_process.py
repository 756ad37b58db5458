import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.demo.walker import Client
from tests.slowness import patience

from gossamer.demo.process import DemoServer
from gossamer.demo.rendering import rendered
from gossamer.demo.world import World

WORLD = World(seed=6, pages=50, hosts=5, malice=True, crawl_delay=0.5, slow_seconds=0.1)


def test_a_process_serves_the_very_world_it_was_given(tmp_path: Path) -> None:
    with DemoServer(WORLD, log=tmp_path / "log.jsonl") as server:
        assert server.connect_to == f"*.test={server.address}"
        client = Client(server.address)
        for number in range(WORLD.pages):
            page = WORLD.page(number)
            assert client.get(page.url).body == rendered(WORLD, page).body
        assert client.get("http://malice.test/").status == 200
        client.close()
    log = list(server.accesses())
    assert [entry.path for entry in log[:-1]] == [WORLD.page(n).path for n in range(WORLD.pages)]


def test_it_ends_with_the_block() -> None:
    with DemoServer(WORLD) as server:
        client = Client(server.address)
        assert client.get(WORLD.front(0)).status == 200
        client.close()
        assert list(server.accesses()) == []
    with pytest.raises(OSError):
        Client(server.address).get(WORLD.front(0))


OWNER = """
import sys
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
with DemoServer(World()) as server:
    print(server.address, flush=True)
    sys.stdin.read()
"""


def test_it_does_not_outlive_an_owner_that_is_killed() -> None:
    command = [sys.executable, "-c", OWNER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        host, _, port = owner.stdout.readline().decode().strip().partition(":")
        with socket.create_connection((host, int(port)), timeout=patience(60)) as link:
            owner.kill()
            assert gone(link)
    with pytest.raises(OSError):
        socket.create_connection((host, int(port)), timeout=patience(60)).close()


def gone(link: socket.socket) -> bool:
    try:
        return link.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_port_that_is_taken_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with DemoServer(WORLD) as server:
        port = int(server.address.partition(":")[2])
        with pytest.raises(RuntimeError, match="did not start"), DemoServer(WORLD, port=port):
            pytest.fail("it started")
    assert "address already in use" in capfd.readouterr().err
