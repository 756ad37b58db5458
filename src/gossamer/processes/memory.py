"""Memory that is free goes back to the system, where the C library would keep it for later.

Whoever works in bursts would otherwise hold the memory of the largest one for good, and after many
of them some more, for what is free lies between what is not; and that once for each thread.
"""

import ctypes
from typing import Final

_LIBRARY: Final = ctypes.CDLL(None)
_TRIM: Final = getattr(_LIBRARY, "malloc_trim", None)  # glibc alone has it
_ARENA_MAX: Final = -8  # as glibc's malloc.h has it
_MMAP_THRESHOLD: Final = -3  # likewise
ARENAS: Final = 2  # the main thread's own, and one for all others
LARGE_BYTES: Final = (
    1024 * 1024
)  # as the engine of the graph takes it for what is not in tables yet


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
