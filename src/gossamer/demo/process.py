"""A world served by a process of its own, for tests and benchmarks that are not asynchronous."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from gossamer.demo.accesslog import Access, read_log
from gossamer.demo.world import World

_PATIENCE_SECONDS = 10


class DemoServer:
    """`with DemoServer(world) as server:` serves until the block ends.

    The process ends when its standard input closes, so it cannot outlive its owner.
    """

    address: str  # "127.0.0.1:PORT", once started

    def __init__(self, world: World, log: Path | None = None, port: int = 0) -> None:
        self.world = world
        self.log = log
        self._port = port

    @property
    def connect_to(self) -> str:
        """The value of `--connect-to` that leads here."""
        return f"*.test={self.address}"

    def accesses(self) -> Iterator[Access]:
        """The requests logged so far."""
        return read_log(self.log) if self.log else iter(())

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(  # noqa: S603 (our own module, our own numbers)
            self._command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._stop()
            raise RuntimeError("the demo server did not start; its words are on standard error")
        self.address = json.loads(line)["address"]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _command(self) -> list[str]:
        world = self.world
        options = {
            "--seed": world.seed,
            "--pages": world.pages,
            "--hosts": world.hosts,
            "--crawl-delay": world.crawl_delay,
            "--slow-seconds": world.slow_seconds,
            "--port": self._port,
        }
        command = [sys.executable, "-m", "gossamer.demo"]
        command += [f"{name}={value}" for name, value in options.items()]
        command += ["--malice"] if world.malice else []
        command += ["--aliases"] if world.aliases else []
        command += [] if world.day is None else [f"--day={world.day}"]
        return command + ([f"--log={self.log}"] if self.log else [])
