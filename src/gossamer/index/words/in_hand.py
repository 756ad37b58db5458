"""What the words process has in hand, in a file of shared memory that outlives it.

The owner reads which thing a process was at that is stuck or has died. A write takes less than a
microsecond, and no system call.
"""

import mmap
import os
import struct
import time
from pathlib import Path
from typing import Final, NamedTuple

_HEAD: Final = struct.Struct(
    "<QdII"
)  # number of the step, when it began, the process, length of the name
MOST_BYTES: Final = 8 * 1024  # of a name; IRIs in the words have 2,000 characters at most
_SIZE: Final = _HEAD.size + MOST_BYTES


class Hand(NamedTuple):
    """One step."""

    number: int
    since: float  # `time.monotonic()`, which is the same for all processes
    pid: int
    iri: str

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs: after a crash of all, nobody removed the file."""
        try:
            os.kill(self.pid, 0)
        except OSError:
            return False
        return True


class InHand:
    """The writer's end."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.ftruncate(descriptor, _SIZE)
            self._memory = mmap.mmap(descriptor, _SIZE)
        finally:
            os.close(descriptor)
        self._number = 0
        self._pid = os.getpid()
        self.drop()

    def take(self, iri: str) -> None:
        """Begin a step with this thing."""
        self._number += 1
        name = iri.encode(errors="replace")[:MOST_BYTES]
        self._memory[_HEAD.size : _HEAD.size + len(name)] = name
        _HEAD.pack_into(self._memory, 0, self._number, time.monotonic(), self._pid, len(name))

    def drop(self) -> None:
        """Have nothing in hand."""
        self._number += 1
        _HEAD.pack_into(self._memory, 0, self._number, 0.0, self._pid, 0)


def in_hand(path: Path) -> Hand | None:
    """What the process has in hand, or had when it died; None: nothing."""
    try:
        data = path.read_bytes()
        number, since, pid, length = _HEAD.unpack_from(data)
    except (OSError, struct.error):
        return None
    if not length:
        return None
    name = data[_HEAD.size : _HEAD.size + length].decode(errors="replace")
    return Hand(number, since, pid, name)
