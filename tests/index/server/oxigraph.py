"""A real SPARQL server on loopback, from its wheel: to be killed and started again."""

import socket
import subprocess
import sysconfig
import time
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote
from urllib.request import Request, urlopen

import pyoxigraph as ox
from tests.ports import free_port
from tests.slowness import patience

PATIENCE = patience(60)  # seconds for it to start
PROGRAM = Path(sysconfig.get_path("scripts")) / "oxigraph"


class Oxigraph:
    """`with Oxigraph(folder) as server`: its data outlives it in the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    @property
    def url(self) -> str:
        """What people give as --index."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, at the same address as before; return when it answers."""
        command = [str(PROGRAM), "serve", "-l", str(self._folder), "-b", f"127.0.0.1:{self.port}"]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
            except ConnectionRefusedError:
                assert self._process.poll() is None, "it does not start"
                assert time.monotonic() < deadline, "it takes too long to start"
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """kill -9, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def quads(self) -> set[ox.Quad]:
        """All that it holds, with nobody in between."""
        with urlopen(
            Request(f"{self.url}/store", headers={"Accept": "application/n-quads"})
        ) as all_:
            return set(ox.parse(all_.read(), ox.RdfFormat.N_QUADS))

    def graph(self, name: str) -> set[ox.Triple]:
        """One graph of it."""
        return {quad.triple for quad in self.quads() if quad.graph_name == ox.NamedNode(name)}

    def update(self, text: str) -> None:
        """Change something behind everybody's back."""
        urlopen(f"{self.url}/update?update={quote(text)}", data=b"").close()
