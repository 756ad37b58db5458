"""What a process of ours does to itself before it looks at what others wrote.

Nothing here needs rights, and nothing here is undone: it holds for the life of the process.
"""

import ctypes
import errno
import faulthandler
import os
import resource
import signal
import struct
import sys
from pathlib import Path
from typing import Final

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2
# What a filter of system calls is made of (linux/filter.h, linux/seccomp.h).
LOAD: Final = 0x20
JUMP_IF_EQUAL: Final = 0x15
RETURN: Final = 0x06
REFUSE: Final = 0x0005_0000
ALLOW: Final = 0x7FFF_0000
# The mark of each architecture, and its number for socket().
SOCKET_CALLS: Final = {"x86_64": (0xC000_003E, 41), "aarch64": (0xC000_00B7, 198)}


def leave_signals_to_the_owner() -> None:
    """Ctrl-C reaches the whole foreground group, TERM all of a service: it says what they mean."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def confine(owner: int, memory_bytes: int) -> None:
    """Die with the owner, leave signals to it, and take no more memory than this on top."""
    die_with(owner)
    leave_signals_to_the_owner()
    faulthandler.enable(all_threads=False)  # a crash says on stderr what it was doing
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no copy of a page's memory on disk
    limit_memory(memory_bytes)


def die_with(owner: int) -> None:
    """Be killed when the owner ends, even within a loop that never looks at the socket."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != owner:  # it ended before we could ask
        os._exit(0)


def limit_memory(memory_bytes: int) -> None:
    """Let allocations fail beyond what we hold already and this much more.

    `RLIMIT_DATA` counts what is writable and private, mapped memory included (Linux 4.7);
    `RLIMIT_AS` would also count address space that allocators only reserve. Systems other
    than Linux do not keep either limit: there, time alone bounds a page.
    """
    if sys.platform == "linux":
        wanted = data_bytes() + memory_bytes
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def data_bytes() -> int:
    """What of our memory `RLIMIT_DATA` counts."""
    status = Path("/proc/self/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines())
    return int(fields["VmData"].split()[0]) * 1024


def forbid_sockets() -> None:
    """Let no socket be made from here on: what we have is all there will be. Linux alone.

    A filter of system calls (seccomp), which needs no rights and cannot be taken back.
    """
    architecture = SOCKET_CALLS.get(os.uname().machine)
    if sys.platform != "linux" or architecture is None:
        return
    audit, call = architecture
    steps = [
        _step(LOAD, 4),  # the architecture the call was made in
        _step(JUMP_IF_EQUAL, audit, otherwise=3),
        _step(LOAD, 0),  # the number of the call
        _step(JUMP_IF_EQUAL, call, otherwise=1),
        _step(RETURN, REFUSE | errno.EACCES),
        _step(RETURN, ALLOW),
    ]
    code = ctypes.create_string_buffer(b"".join(steps), len(steps) * len(steps[0]))
    filter_ = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter_)


def _step(code: int, value: int, *, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, 0, otherwise, value)
