"""Memory that is free goes back to the system, where the C library would keep it for later.

Whoever works in bursts would otherwise hold the memory of the largest one for good, and after many
of them some more, for what is free lies between what is not.
"""

import ctypes
from typing import Final

_TRIM: Final = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc alone has it


def give_back_memory() -> None:
    """Have the system take what is free: some milliseconds, in which others can run."""
    if _TRIM is not None:
        _TRIM(0)
