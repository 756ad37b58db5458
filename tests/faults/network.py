"""Network namespaces for a test: a hub with a web and a database, and nodes with a wire to each of the two.

A wire that is cut swallows packets and says nothing, as a broken switch does. The namespaces are this
test's own, reach nothing outside, and are gone when the block ends; those of a test that was killed are removed by the next.
"""

import ctypes
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeVar

import pytest

T = TypeVar("T")
Wire = Literal["web", "db"]
WIRES: Final[tuple[Wire, ...]] = ("web", "db")
ADDRESSES: Final = {"web": "10.77.1.1", "db": "10.77.2.1"}
NODES: Final = "10.77.0.0/16"
_PREFIX: Final = "gossamer-"
_NAMED: Final = Path("/run/netns")
_CLONE_NEWNET: Final = 0x40000000


class Network:
    """A hub and so many nodes."""

    def __init__(self, name: str, nodes: int) -> None:
        self._name = name
        self._nodes = nodes

    @property
    def hub(self) -> str:
        """The namespace of web and database."""
        return f"{self._name}-hub"

    def node(self, number: int) -> str:
        """The namespace of a node."""
        return f"{self._name}-{number}"

    def cut(self, number: int, wire: Wire) -> None:
        """Have everything vanish that travels on a wire of a node."""
        _ip("-n", self.hub, "link", "set", f"{wire}{number}", "nomaster")

    def mend(self, number: int, wire: Wire) -> None:
        """Have a wire carry packets again."""
        _ip("-n", self.hub, "link", "set", f"{wire}{number}", "master", wire)

    def build(self) -> None:
        """Make all of it."""
        _ip("netns", "add", self.hub)
        _ip("-n", self.hub, "link", "set", "lo", "up")
        for wire in WIRES:
            _ip("-n", self.hub, "link", "add", wire, "type", "bridge")
            _ip("-n", self.hub, "addr", "add", f"{ADDRESSES[wire]}/24", "dev", wire)
            _ip("-n", self.hub, "link", "set", wire, "up")
        for number in range(self._nodes):
            node = self.node(number)
            _ip("netns", "add", node)
            _ip("-n", node, "link", "set", "lo", "up")
            for wire in WIRES:
                ours = ("link", "add", f"{wire}{number}", "netns", self.hub)
                _ip(*ours, "type", "veth", "peer", "name", wire, "netns", node)
                own = f"{ADDRESSES[wire].rpartition('.')[0]}.{10 + number}/24"
                _ip("-n", node, "addr", "add", own, "dev", wire)
                _ip("-n", node, "link", "set", wire, "up")
                self.mend(number, wire)
                _ip("-n", self.hub, "link", "set", f"{wire}{number}", "up")

    def remove(self) -> None:
        """Remove what there is of it."""
        for name in (self.hub, *map(self.node, range(self._nodes))):
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


@contextmanager
def network(nodes: int) -> Iterator[Network]:
    """A network for a test, or a skip that says why there is none."""
    if shutil.which("ip") is None:
        pytest.skip("needs namespaces: there is no `ip` here (Debian: apt install iproute2)")
    _remove_left_over()
    made = Network(f"{_PREFIX}{os.getpid()}", nodes)
    try:
        try:
            made.build()
        except subprocess.CalledProcessError as error:
            why = (error.stderr or str(error)).strip().splitlines()[-1]
            pytest.skip(f"needs namespaces: they cannot be made here ({why}); root can")
        yield made
    finally:
        made.remove()


def within(namespace: str, work: Callable[[], T]) -> T:
    """Do something in a network namespace; processes that it starts stay there."""
    done: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            with (_NAMED / namespace).open("rb") as file:
                if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), _CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), f"setns {namespace}")
            done.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)  # a namespace belongs to a thread
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return done[0]


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True, timeout=60)


def _remove_left_over() -> None:
    """Remove namespaces of tests that were killed, by the number of their process."""
    for path in _NAMED.glob(f"{_PREFIX}*"):
        number = path.name.removeprefix(_PREFIX).partition("-")[0]
        if number.isdigit() and not Path(f"/proc/{number}").exists():
            subprocess.run(["ip", "netns", "del", path.name], capture_output=True, check=False)
