"""How the work of a reader grows with its input, measured at three sizes.

Work is counted twice. Calls of functions, Python's and C's, are counted by the interpreter: these
are the same at each run. What happens within native code shows in CPU time alone, of which the
least of several runs counts; where it seems to grow too fast, it is measured again before anybody
is told. No clock on the wall is looked at, and what else the machine does matters little.

For work `a + b·nᵏ`, the ratio `(w(16n) - w(n)) / (w(4n) - w(n))` is free of a and b, and tells k.
"""

import gc
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, TypeVar

Input = TypeVar("Input")
STEP = 4
WORST = 1.3  # the largest exponent that we accept
ENOUGH_SECONDS = 0.0006  # of CPU, at the smallest size: less cannot be told from noise
HARDLY_ANY_SECONDS = 0.008  # at the largest
LARGEST = 1 << 12  # units at the smallest size, however little they take
TRIES = 3  # of measuring CPU time, before a reader is said to be slow …
RETRIES = 2  # … and of doing so at larger sizes,
LONG_SECONDS = 0.5  # unless these take long


@dataclass(frozen=True)
class Growth:
    """What a reader did at three sizes."""

    size: int  # the smallest; the others are 4 and 16 times as large
    calls: tuple[float, ...]
    seconds: tuple[float, ...]

    @property
    def worst(self) -> float:
        """The exponent of calls or of CPU time, whichever is larger."""
        few_calls = 4 * STEP * STEP * self.size  # a reader that looks at each unit makes as many
        return max(exponent(self.calls, few_calls), exponent(self.seconds, HARDLY_ANY_SECONDS))

    def __str__(self) -> str:
        calls = ", ".join(f"{count:,.0f}" for count in self.calls)
        seconds = ", ".join(f"{each * 1000:.1f} ms" for each in self.seconds)
        return f"n^{self.worst:.2f} from n = {self.size:,}: calls {calls}; CPU {seconds}"


def exponent(work: tuple[float, ...], negligible: float) -> float:
    """The k of `a + b·nᵏ`, from the work at n, 4n and 16n; 0 where there is hardly any."""
    first, second, third = work
    if third - first < negligible:
        return 0.0
    ratio = (third - first) / max(second - first, negligible / 100)
    # (16ᵏ - 1) / (4ᵏ - 1) = 4ᵏ + 1
    return math.log(max(ratio - 1, 1), STEP)


def growth_of(
    read: Callable[[Input], object],
    shape: Callable[[int], Input],
    start: int = 32,
    retries: int = RETRIES,
) -> Growth:
    """Measure a reader on inputs of a shape, from a size on at which it has something to do."""
    read(shape(1))  # whatever is imported and kept for good
    size = start
    while size < LARGEST and _seconds(read, shape(size)) < ENOUGH_SECONDS:
        size *= 2
    growth = _measured(read, shape, size)
    # Where a limit or a first allocation lies between two sizes, work jumps there; further on it
    # does not. What grows too fast does so at all sizes.
    for _ in range(retries):
        if growth.worst <= WORST or growth.seconds[-1] > LONG_SECONDS:
            break
        size *= STEP
        growth = _measured(read, shape, size)
    return growth


def _measured(read: Callable[[Input], object], shape: Callable[[int], Input], size: int) -> Growth:
    sizes = (size, STEP * size, STEP * STEP * size)
    calls = tuple(_calls(read, shape(each)) for each in sizes)
    growth = Growth(size, calls, (math.inf,) * 3)
    for _ in range(TRIES):
        seconds = (_seconds(read, shape(each)) for each in sizes)
        growth = Growth(size, calls, tuple(map(min, growth.seconds, seconds)))
        if growth.worst <= WORST:
            break
    return growth


def _seconds(read: Callable[[Input], object], given: Input) -> float:
    with _no_collector():
        start = time.process_time()
        read(given)
        return time.process_time() - start


def _calls(read: Callable[[Input], object], given: Input) -> float:
    count = 0

    def note(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    with _no_collector():
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            read(given)
        finally:
            sys.setprofile(before)
    return count


@contextmanager
def _no_collector() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
