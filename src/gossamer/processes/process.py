"""One process of ours as its owner sees it: started clean, heard on stderr, killed, reaped, and why it ended."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gossamer.processes.protocol import EXIT_MEMORY

# Read by a fresh interpreter that knows none of our modules yet.
BOOT: Final = """
import json, sys
path, main, told, descriptor, owner = json.loads(sys.argv[1])
sys.path[:] = path
from importlib import import_module
module, _, function = main.partition(":")
getattr(import_module(module), function)(told, descriptor, owner)
"""
# -I: no environment variables of Python, no user folder, no current folder.
INTERPRETER: Final = (sys.executable, "-I", "-X", "utf8", "-c", BOOT)
LAST_WORDS_BYTES: Final = 8 * 1024
KEPT_VARIABLES: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")  # else libraries go unfound
# What the run-time libraries of Rust and C++ say before they abort.
OUT_OF_MEMORY_WORDS: Final = ("memory allocation of ", "std::bad_alloc", "MemoryError")


@dataclass(frozen=True, slots=True)
class Program:
    """What a process is to run."""

    main: str  # "module:function", given what it is told, its socket's descriptor and our number
    told: Mapping[str, object]  # as JSON has it
    path: tuple[str, ...]  # where modules are found: the process looks nowhere else


class ChildProcess:
    """A running process, and our end of its socket."""

    def __init__(self, popen: "subprocess.Popen[bytes]", connection: socket.socket) -> None:
        assert popen.stderr is not None
        self._popen = popen
        self._stderr = popen.stderr
        self.connection = connection
        self._said = b""
        os.set_blocking(self._stderr.fileno(), False)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._popen.pid

    @property
    def stderr(self) -> int:
        """A descriptor to wait on; `listen` when it is readable."""
        return self._stderr.fileno()

    @property
    def last_words(self) -> str:
        """The end of what the process wrote to stderr."""
        return self._said.decode(errors="replace").strip()

    def listen(self) -> bool:
        """Take in what the process wrote to stderr; whether there may be more to come."""
        try:
            said = os.read(self.stderr, 64 * 1024)
        except BlockingIOError:
            return True
        self._said = (self._said + said)[-LAST_WORDS_BYTES:]
        return bool(said)

    def kill(self) -> None:
        """End the process now, whatever it is doing."""
        self._popen.kill()

    def status(self) -> int | None:
        """The exit status, minus a signal's number; None while it runs."""
        return self._popen.poll()

    def bury(self) -> None:
        """Kill, reap, and close what we hold of it."""
        self.kill()
        with suppress(subprocess.TimeoutExpired):  # only a broken disk or driver keeps it
            self._popen.wait(timeout=5)
        self._stderr.close()
        self.connection.close()


@contextmanager
def spawn(program: Program) -> Iterator[ChildProcess]:
    """A new process, which is gone at the end of the block."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = ChildProcess(_start(program, theirs), ours)
        theirs.close()  # else we would never see that it hung up
        try:
            yield process
        finally:
            process.bury()


def _start(program: Program, theirs: socket.socket) -> "subprocess.Popen[bytes]":
    orders = [program.path, program.main, dict(program.told), theirs.fileno(), os.getpid()]
    return subprocess.Popen(  # noqa: S603 (our own interpreter, no shell, arguments of ours)
        [*INTERPRETER, json.dumps(orders)],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=_environment(),
        start_new_session=True,  # no signal of the terminal reaches it, not even at its start
    )


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    # One place and one time for everybody: the same page, the same quads.
    return {"LC_ALL": "C.UTF-8", "TZ": "UTC", **kept}


async def status_of(process: ChildProcess, grace: float) -> int | None:
    """How a process ended, if it does within that many seconds."""
    pause = 0.0005
    while (status := process.status()) is None and grace > 0:
        await asyncio.sleep(pause)
        grace -= pause
        pause = min(2 * pause, 0.05)
    return status


@contextmanager
def hear(process: ChildProcess, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Keep reading stderr, so that the process never waits for somebody to listen."""

    def listen() -> None:
        if not process.listen():
            loop.remove_reader(process.stderr)

    loop.add_reader(process.stderr, listen)
    try:
        yield
    finally:
        loop.remove_reader(process.stderr)


class Loss(StrEnum):
    """Why there is no answer."""

    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"  # the process ended, or sent what is no answer
    KILLED = "killed"  # by somebody else: an operator, or the system short of memory
    RAISED = "raised"  # the function raised: a defect of ours


@dataclass(frozen=True, slots=True)
class Lost:
    """A job without an answer."""

    loss: Loss
    detail: str = ""  # for whoever looks for the defect; may hold what a page wrote

    @property
    def last_line(self) -> str:
        """The end of what is known, which says most."""
        return (self.detail.splitlines() or [self.loss])[-1]


def loss_of(status: int | None, last_words: str) -> Loss:
    """What the end of a process that we did not kill says about the page it had.

    A process without a status hung up and ran on: a page got hold of its socket.
    """
    if status == -signal.SIGKILL:
        return Loss.KILLED
    if status == -signal.SIGALRM:  # its own alarm: we were not there to end it
        return Loss.TIME
    if status == EXIT_MEMORY or any(words in last_words for words in OUT_OF_MEMORY_WORDS):
        return Loss.MEMORY
    return Loss.CRASH
