"""What a process of ours does to itself before it looks at what others wrote.

Nothing here needs rights, and nothing here is undone: it holds for the life of the process.
"""

import ctypes
import faulthandler
import os
import resource
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1


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
