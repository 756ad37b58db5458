"""Deadlines that scale with the machine: `GOSSAMER_TEST_SLOWNESS=4` makes them four times as long.

A deadline in a test says that something hangs, never that it is slow: it is long as it stands, and
on a machine that others keep busy it is made longer still.
"""

import os
from typing import Final

SLOWNESS: Final = max(1.0, float(os.environ.get("GOSSAMER_TEST_SLOWNESS") or 1))
BUSY: Final = 3  # times as long, where eight others want the same processor


def patience(seconds: float) -> float:
    """The deadline for what takes less than so many seconds on an ordinary machine."""
    return seconds * BUSY * SLOWNESS
