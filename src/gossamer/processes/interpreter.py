"""How the interpreter is set while it crawls; see docs/performance.md."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# Answers, links and settlements live until their batch is settled, and nearly all of them then
# die without the collector's help: asked to look every 700 new objects, it takes an eighth of
# our time and finds nothing.
ALLOCATIONS: Final = 50_000
# The frontier's thread computes; each time the event loop reads a socket it may lose its turn,
# and waits this long to have it back (by default ten times as long).
SWITCH_SECONDS: Final = 0.0005


@contextmanager
def set_for_crawling() -> Iterator[None]:
    """Collect garbage seldom and change threads often, until the end of the block."""
    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(ALLOCATIONS, *thresholds[1:])
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(interval)
