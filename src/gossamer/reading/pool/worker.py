"""The process side: take a job from the socket, call the function, send its answer, again.

One thread, no state between jobs, no way out but the socket. It ends when the socket does.
"""

import gc
import os
import signal
import socket
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from io import BufferedReader
from typing import Any, BinaryIO, Final

from gossamer.processes.confine import confine
from gossamer.processes.process import Program
from gossamer.processes.protocol import (
    EXIT_MEMORY,
    HEADER,
    MAX_ANSWER_BYTES,
    Kind,
    header,
    read_header,
)
from gossamer.processes.sandbox import Sandbox, enter_sandbox

JobFunction = Callable[[bytes], bytes]
SEVERAL_BYTES: Final = 256 * 1024  # of jobs, taken from the socket at once
SMALL_BYTES: Final = 64 * 1024  # below this, one system call is cheaper than no copy
MAX_TRACE_CHARS: Final = 8000


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """What a worker is told at its start, in plain values."""

    function: str  # "module:function", bytes to bytes
    path: tuple[str, ...]  # where modules are found: the worker looks nowhere else
    memory_bytes: int  # for one page, on top of what the worker itself holds
    time_limit: float  # seconds; the owner enforces it
    sandbox: Sandbox = field(default_factory=Sandbox)  # what else it may do


def program(spec: WorkerSpec) -> Program:
    """What the process of a worker runs."""
    return Program(f"{__name__}:{main.__name__}", asdict(spec), spec.path)


def main(told: Mapping[str, Any], descriptor: int, owner: int) -> None:
    """Be a worker until the owner hangs up."""
    spec = WorkerSpec(**{**told, "sandbox": Sandbox.of(told["sandbox"])})
    function = load(spec.function)
    confine(owner, spec.memory_bytes)
    # One large block, made and freed: from here on the C library keeps freed memory instead of
    # giving it back after every page, which takes a third off the time of small pages.
    bytearray(8 << 20)
    gc.collect()
    gc.freeze()  # what is loaded stays: no later collection has to look at it
    enter_sandbox(spec.sandbox)  # from here on, somebody else's bytes
    # Only a second line: should the owner be too stopped to act, the page ends all the same.
    serve(socket.socket(fileno=descriptor), function, alarm_after=2 * spec.time_limit + 1)


def load(name: str) -> JobFunction:
    """The function that "module:function" names."""
    module, _, attribute = name.partition(":")
    function: JobFunction = getattr(import_module(module), attribute)
    return function


def serve(connection: socket.socket, function: JobFunction, *, alarm_after: float) -> None:
    """Answer jobs in turn until the connection ends."""
    send(connection, Kind.READY, 0, b"")
    with BufferedReader(socket.SocketIO(connection, "r"), SEVERAL_BYTES) as reader:
        while len(start := reader.read(HEADER.size)) == HEADER.size:
            _, number, length = read_header(start)
            kind, answer = attempt(function, reader, length, alarm_after)
            send(connection, kind, number, answer)


def attempt(
    function: JobFunction, reader: BinaryIO, length: int, alarm_after: float
) -> tuple[Kind, bytes]:
    """What the function makes of the job, or what it raised."""
    try:
        job = reader.read(length)
        signal.setitimer(signal.ITIMER_REAL, alarm_after)  # unhandled: ends the process
        answer = function(job)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return _fitting(answer)
    except MemoryError:
        os._exit(EXIT_MEMORY)  # nothing more can be relied on, not even memory to say so
    except BaseException:  # a page that reaches sys.exit() ends itself, not its worker
        signal.setitimer(signal.ITIMER_REAL, 0)
        trace = traceback.format_exc(limit=-20)[-MAX_TRACE_CHARS:]
        return Kind.RAISED, trace.encode(errors="replace")


def _fitting(answer: bytes) -> tuple[Kind, bytes]:
    if len(answer) > MAX_ANSWER_BYTES:
        return Kind.RAISED, f"The answer has {len(answer)} bytes, too many to pass on.".encode()
    return Kind.ANSWER, answer


def send(connection: socket.socket, kind: Kind, number: int, payload: bytes) -> None:
    """Write one frame."""
    start = header(kind, number, len(payload))
    if len(payload) < SMALL_BYTES:
        connection.sendall(start + payload)
    else:
        connection.sendall(start)
        connection.sendall(payload)
