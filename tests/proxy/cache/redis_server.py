"""A real Redis or Valkey server on loopback, where one is installed: to be stopped and started again."""

import shutil
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from tests.ports import free_port
from tests.slowness import patience

PROGRAM = shutil.which("valkey-server") or shutil.which("redis-server")


class RedisServer:
    """`with RedisServer(folder) as server`; what it holds is gone when it is stopped."""

    def __init__(self, folder: Path) -> None:
        if PROGRAM is None:
            pytest.skip("needs redis: neither redis-server nor valkey-server is installed")
        self._folder = folder
        self.port = free_port()

    @property
    def address(self) -> str:
        """What people give as proxy.cache_shared."""
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start it, at the same port as before, and return when it answers."""
        assert PROGRAM is not None
        settings = ("--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder))
        command = [PROGRAM, "--port", str(self.port), *settings]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + patience(60)
        while not self._answers():
            assert self._process.poll() is None, "it does not start"
            assert time.monotonic() < deadline, "it takes too long to start"
            time.sleep(0.05)

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        """Whether a server of its kind is there; a connection alone may be to whoever took the port."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as asked:
            asked.sendall(b"PING\r\n")
            return asked.recv(16).startswith(b"+PONG")
        return False
