"""Processes of ours that are forked from an interpreter that has loaded their modules already.

Every crawl in a test starts four processes, and most of what they take is loading modules: more
than all the tests themselves. Here a process that waits has loaded them once, and the others are
its copies. They are clean (the waiting process does nothing else), children of the test's process
as always, and from their `main` on there is no difference. Where the start itself is tested,
`is_wanted` is off and processes start as in the product.
"""

import ctypes
import json
import os
import resource
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gossamer.processes import process
from gossamer.processes.process import Program

# Two forks: the second process loses its parent at once and falls to the test's process, which is
# then the one that reaps it, and with which it dies.
PROGRAM: Final = """
import json, os, resource, socket, sys, time
from importlib import import_module
path, modules, descriptor = json.loads(sys.argv[1])
sys.path[:] = path
for module in modules:
    import_module(module)
control = socket.socket(fileno=descriptor)
while True:
    asked, received, _, _ = socket.recv_fds(control, 1 << 20, 2)
    if not asked:
        os._exit(0)
    between = os.fork()
    if between:
        for each in received:
            os.close(each)
        os.waitpid(between, 0)
        control.send(b"done")
        continue
    made = os.fork()
    if made:
        control.send(str(made).encode())
        os._exit(0)
    break
control.close()
path, main, told, owner, folder, umask, limits = json.loads(asked)
descriptor, errors = received
while os.getppid() != owner:
    time.sleep(0.0002)
os.chdir(folder)
os.umask(umask)
for which, limit in limits:
    resource.setrlimit(which, limit)
os.setsid()
os.dup2(errors, 2)
os.close(errors)
sys.path[:] = path
module, _, function = main.partition(":")
getattr(import_module(module), function)(told, descriptor, owner)
"""
PR_SET_CHILD_SUBREAPER: Final = 36
LIMITS: Final = (
    *(resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_DATA),
    *(resource.RLIMIT_CORE, resource.RLIMIT_CPU),
)
LARGEST: Final = 64 * 1024  # bytes of one message; whoever has more to say starts as usual

is_wanted = True
_usual_start: Final = process._start
_waiting: Final[dict[tuple[str, ...], "Waiting"]] = {}
_one_at_a_time: Final = threading.Lock()


class Forked(subprocess.Popen[bytes]):
    """A child that somebody else has started."""

    def __init__(self, pid: int, stderr: int) -> None:
        self.args = "forked"
        self.pid = pid
        self.stdin = self.stdout = None
        self.stderr = open(stderr, "rb", buffering=0)  # noqa: SIM115
        self.returncode: int | None = None
        self._child_created = True
        self._waitpid_lock = threading.Lock()


@dataclass(frozen=True)
class Waiting:
    """An interpreter that has loaded some modules, and how to speak to it."""

    popen: "subprocess.Popen[bytes]"
    control: socket.socket

    def fork(self, asked: bytes, descriptors: list[int]) -> int:
        """Have it make a process, which is a child of ours; the number of this."""
        socket.send_fds(self.control, [asked], descriptors)
        pid = int(self.control.recv(64))
        assert self.control.recv(64) == b"done"
        return pid

    def end(self) -> None:
        """It ends when nobody can ask any more."""
        self.control.close()
        self.popen.wait()


def install() -> None:
    """Have processes forked from here on, on systems that can."""
    if sys.platform == "linux":
        process._start = _start


def end() -> None:
    """End the interpreters that wait."""
    for waiting in _waiting.values():
        waiting.end()
    _waiting.clear()


def _start(program: Program, theirs: socket.socket) -> "subprocess.Popen[bytes]":
    modules = _modules(program)
    asked = json.dumps(
        [program.path, program.main, dict(program.told), os.getpid(), *_inherited()]
    ).encode()
    if not is_wanted or modules is None or len(asked) > LARGEST:
        return _usual_start(program, theirs)
    with _one_at_a_time:
        if modules not in _waiting:
            _waiting[modules] = _interpreter(program.path, modules)
        ours, errors = os.pipe()
        _adopt_orphans(True)
        try:
            pid = _waiting[modules].fork(asked, [theirs.fileno(), errors])
        finally:
            _adopt_orphans(False)
            os.close(errors)
    return Forked(pid, ours)


def _modules(program: Program) -> tuple[str, ...] | None:
    """What a process of this kind has loaded when it begins; None where we cannot know."""
    named = (program.main, program.told.get("function", program.main))
    modules = tuple(str(each).partition(":")[0] for each in named)
    return modules if all(each.startswith("gossamer.") for each in modules) else None


def _inherited() -> tuple[str, int, list[tuple[int, tuple[int, int]]]]:
    """What a process has from its parent: folder, mask of rights, and limits."""
    status = Path("/proc/self/status").read_text()
    umask = next(line.split()[1] for line in status.splitlines() if line.startswith("Umask:"))
    return str(Path.cwd()), int(umask, 8), [(each, resource.getrlimit(each)) for each in LIMITS]


def _interpreter(path: tuple[str, ...], modules: tuple[str, ...]) -> Waiting:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        popen = subprocess.Popen(
            [
                *(sys.executable, "-I", "-X", "utf8", "-c", PROGRAM),
                json.dumps([path, modules, theirs.fileno()]),
            ],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=process._environment(),
            start_new_session=True,
        )
    return Waiting(popen, ours)


def _adopt_orphans(wanted: bool) -> None:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)
