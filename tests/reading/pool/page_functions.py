"""Functions that workers run in these tests: a job's first word says how the page misbehaves."""

import ctypes
import itertools
import json
import os
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

MOST_DESCRIPTORS = 1024  # a worker has its socket under the number that its owner gave it


def act(job: bytes) -> bytes:
    """Do what the first word of the job says to the rest of it."""
    word, _, rest = job.partition(b" ")
    return ACTS[word.decode()](rest)


def echo(rest: bytes) -> bytes:
    return rest[::-1]


def loop(_: bytes) -> bytes:
    while True:
        pass


def loop_in_c(_: bytes) -> bytes:
    """One call that never comes back to the interpreter: no signal handler in Python would run."""
    all(itertools.repeat(1))
    return b"unreachable"


def eat(_: bytes) -> bytes:
    held = []
    while True:
        held.append(bytearray(1 << 20))


def eat_in_c(_: bytes) -> bytes:
    """Allocate where nothing is turned into a MemoryError, and abort as Rust does."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    while libc.malloc(1 << 20):
        pass
    os.write(2, b"memory allocation of 1048576 bytes failed\n")
    os.abort()


def swallow(rest: bytes) -> bytes:
    return str(len(rest)).encode()


def segfault(_: bytes) -> bytes:
    return ctypes.string_at(0)


def leave(rest: bytes) -> bytes:
    os._exit(int(rest))


def polite_exit(_: bytes) -> bytes:
    sys.exit("enough")


def fail(rest: bytes) -> bytes:
    raise RuntimeError(rest.decode())


def garbage(_: bytes) -> bytes:
    """Noise wherever a page can make it."""
    sys.stdout.write("\x00garbage" * 10_000)
    os.write(1, b"\xff" * 10_000)
    sys.stderr.write("noise\n" * 100_000)
    warnings.warn("beware", stacklevel=1)
    return b"clean"


def liar(rest: bytes) -> bytes:
    """Write to every socket there is, as a page that has taken over its worker would."""
    for number in range(3, MOST_DESCRIPTORS):
        try:
            os.write(number, rest)
        except OSError:
            continue
    return loop(b"")


def hang_up(_: bytes) -> bytes:
    """Close every descriptor, and go on."""
    os.closerange(3, MOST_DESCRIPTORS)
    return loop(b"")


def large(rest: bytes) -> bytes:
    return b"x" * int(rest)


def once(rest: bytes) -> bytes:
    """Kill ourselves as an outsider would, but only the first time."""
    flag = Path(rest.decode())
    if not flag.exists():
        flag.touch()
        os.kill(os.getpid(), 9)
    return b"second time"


def kill_me(_: bytes) -> bytes:
    """What a system that is short of memory does."""
    os.kill(os.getpid(), 9)
    return b"unreachable"


def wait_for(rest: bytes) -> bytes:
    """Until the file is there; the owner's limit bounds it."""
    flag = Path(rest.decode())
    while not flag.exists():
        time.sleep(0.002)
    return b"seen"


def surroundings(_: bytes) -> bytes:
    """What a page could look at."""
    own = Path("/proc/self")
    descriptors = {int(each.name): each.resolve() for each in (own / "fd").iterdir()}
    threads = len(list((own / "task").iterdir()))
    answer = {
        "environment": sorted(os.environ),
        "descriptors": {number: str(descriptors[number]) for number in sorted(descriptors)},
        "threads": threads,
        "session": os.getsid(0) == os.getpid(),
        "ignores_interrupts": signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
        "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
    }
    return json.dumps(answer).encode()


ACTS: dict[str, Callable[[bytes], bytes]] = {
    "echo": echo,
    "loop": loop,
    "loop-in-c": loop_in_c,
    "eat": eat,
    "eat-in-c": eat_in_c,
    "swallow": swallow,
    "segfault": segfault,
    "leave": leave,
    "polite-exit": polite_exit,
    "fail": fail,
    "garbage": garbage,
    "liar": liar,
    "hang-up": hang_up,
    "large": large,
    "once": once,
    "kill-me": kill_me,
    "wait-for": wait_for,
    "surroundings": surroundings,
    "pid": lambda _: str(os.getpid()).encode(),
}
