"""Ties a process to its owner and bounds its memory and open files; `sandbox.py` takes its rights away.

Nothing here needs rights, and limits are not undone: they hold for the life of the process.

Memory that is free goes back to the system, where the C library would keep it for later. Whoever works in
bursts would otherwise hold the memory of the largest one for good, and after many of them some more, for
what is free lies between what is not; and that once for each thread.
"""

import ctypes
import faulthandler
import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

PR_SET_PDEATHSIG = 1
LEAST_MEMORY = 2 * 1024**3  # bytes: several times what a graph of ten million quads takes
_LIBRARY: Final = ctypes.CDLL(None)
_TRIM: Final = getattr(_LIBRARY, "malloc_trim", None)  # glibc alone has it
_ARENA_MAX: Final = -8  # as glibc's malloc.h has it
_MMAP_THRESHOLD: Final = -3  # likewise
ARENAS: Final = 2  # the main thread's own, and one for all others
LARGE_BYTES: Final = (
    1024 * 1024
)  # as the engine of the graph takes it for what is not in tables yet
TASKS: Final = "/proc/self/task"  # on Linux; elsewhere nobody is asked to wait
_THREADS: Final = Path(TASKS)
_NO_LIMIT = 1 << 20  # where the system names none


def confine(owner: int, memory_bytes: int) -> None:
    """Die with the owner, leave signals to it, and take no more memory than this on top."""
    die_with(owner)
    leave_signals_to_the_owner()
    faulthandler.enable(all_threads=False)  # a crash says on stderr what it was doing
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no copy of a page's memory on disk
    limit_memory(memory_bytes)


def leave_signals_to_the_owner() -> None:
    """Ctrl-C reaches the whole foreground group, TERM all of a service: it says what they mean."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


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


def limit_keeper_memory() -> None:
    """Limit the memory of this process to half of the machine's, but no less than 2 GiB on top.

    For processes that hold data which grows with the folder: one hostile page must not take the
    machine, and a large folder must not hit the limit.
    """
    with suppress(ValueError, OSError):  # a system that does not tell
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        limit_memory(max(LEAST_MEMORY, machine // 2))


def share_memory() -> None:
    """Have all threads take memory from one place; at the start of a process, before they are."""
    if _TRIM is not None:
        _LIBRARY.mallopt(_ARENA_MAX, ARENAS)


def give_back_large_pieces() -> None:
    """Have large pieces go back to the system as soon as they are free; at the start of a process.

    By itself the C library does so until the first of them is free: then it keeps all of that size.
    """
    if _TRIM is not None:
        _LIBRARY.mallopt(_MMAP_THRESHOLD, LARGE_BYTES)


def give_back_memory() -> None:
    """Have the system take what is free: some milliseconds, in which others can run."""
    if _TRIM is not None:
        _TRIM(0)


def work_last(name: str, niceness: int) -> int:
    """Have those of our threads whose names begin so wait while others work; how many there are."""
    threads = [*_threads(name)]
    for thread in threads:
        with suppress(OSError):  # it has ended
            niceness_now = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, max(niceness, niceness_now))
    return len(threads)


def _threads(name: str) -> Iterator[int]:
    for thread in _THREADS.glob("*/comm"):
        with suppress(OSError):
            if thread.read_text().startswith(name):
                yield int(thread.parent.name)


def raise_open_files() -> int:
    """Allow ourselves as many as the system lets us, from now on; gives how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS names a limit that it does not grant
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return _NO_LIMIT if soft == resource.RLIM_INFINITY else soft


def open_files() -> int:
    """How many are open now."""
    return len([*Path("/dev/fd").iterdir()]) - 1  # one of which is that folder
