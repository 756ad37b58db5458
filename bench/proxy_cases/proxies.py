"""Proxies to measure, each in a folder of its own: squid as Debian ships it, and ours."""

import getpass
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

START_SECONDS: Final = 30.0
HOSTS: Final = 32
GOSSAMER: Final = (sys.executable, "-m", "gossamer")

SQUID: Final = """
http_port 127.0.0.1:{port}
http_access allow localhost
http_access deny all
hosts_file {folder}/hosts
visible_hostname squid.test
access_log stdio:{folder}/access.log
cache_log {folder}/cache.log
pid_filename {folder}/squid.pid
coredump_dir {folder}
cache_mem 64 MB
maximum_object_size_in_memory 512 KB
pinger_enable off
shutdown_lifetime 0 seconds
"""
HOW_TO_GET_SQUID: Final = (
    "squid is not here, so only ours is measured beside going direct. On Debian: "
    "apt-get install squid"
)


@dataclass(slots=True)
class Proxy:
    """A proxy that is running."""

    name: str
    port: int
    process: psutil.Process

    @property
    def cpu_seconds(self) -> float:
        """Of it and of all that it started, so far."""
        return sum(_cpu(each) for each in [self.process, *self.process.children(recursive=True)])

    @property
    def memory_bytes(self) -> int:
        """What it and all that it started have in memory."""
        family = [self.process, *self.process.children(recursive=True)]
        return sum(each.memory_info().rss for each in family)


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def names() -> list[str]:
    """The hosts that are asked: one a client, since we send one request to a host at a time."""
    return [f"h{number:02}.test" for number in range(HOSTS)]


@contextmanager
def squid(folder: Path) -> Iterator[Proxy | None]:
    """Squid with a cache in memory; None where it is not installed."""
    program = shutil.which("squid") or shutil.which("squid", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        print(HOW_TO_GET_SQUID, file=sys.stderr)
        yield None
        return
    port = free_port()
    (folder / "hosts").write_text("".join(f"127.0.0.1 {name}\n" for name in names()))
    (folder / "squid.conf").write_text(SQUID.format(port=port, folder=folder))
    if getpass.getuser() == "root":  # it gives up its rights, and must still be able to write
        shutil.chown(folder, "proxy", "proxy")
        folder.chmod(0o755)
    command = [program, "-N", "-f", str(folder / "squid.conf")]
    with _running("squid", command, port, folder) as proxy:
        yield proxy


@contextmanager
def ours(
    folder: Path, origin_port: int, *more: str, program: Sequence[str] = GOSSAMER
) -> Iterator[Proxy]:
    """Ours, with robots.txt and clock on, and no delay."""
    port = free_port()
    options = [
        "proxy",
        f"127.0.0.1:{port}",
        "--data",
        str(folder / "data"),
        "--config",
        "politeness.delay=0",
    ]
    options += ["--connect-to", f"*.test=127.0.0.1:{origin_port}", "--allow-net", "127.0.0.0/8"]
    with _running("gossamer", [*program, *options, *more], port, folder) as proxy:
        yield proxy


@contextmanager
def _running(name: str, command: list[str], port: int, folder: Path) -> Iterator[Proxy]:
    with (folder / f"{name}.out").open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ})
        try:
            _wait_for(port, process, folder / f"{name}.out")
            yield Proxy(name, port, psutil.Process(process.pid))
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for(port: int, process: "subprocess.Popen[bytes]", out: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit(f"A proxy did not start: {' '.join(process.args)}\n{out.read_text()}")  # type: ignore[arg-type]  # a list of str


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
