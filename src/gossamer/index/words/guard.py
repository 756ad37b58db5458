"""A limit for each thing that words gather: what takes too long, or fails, is skipped and reported.

A timer ticks in the main thread. Its handler raises where the step in hand has had its share of CPU
time: Python's own code and `re` let themselves be interrupted. Native code does not; the owner kills
the process then (`client.py`), and knows from `InHand` what to blame.
"""

import signal
import time
from collections.abc import Callable, Collection
from types import FrameType
from typing import Final, TypeVar

from gossamer.index.words.in_hand import InHand
from gossamer.index.words.skipped import Skipped

STEP_SECONDS: Final = 10.0  # of CPU, for one thing; the slowest honest ones take a tenth of one
LEAST_SECONDS: Final = 1.0  # what is left of that when many things took too long
TICK_SECONDS: Final = 1.0

T = TypeVar("T")


class SkippedError(Exception):
    """A thing cannot be gathered; says why."""


AVOIDED: Final = SkippedError("the process that gathers it was stuck or ended with it before")


class TooLongError(BaseException):
    """Raised into a step by the timer. No `Exception`, so that nothing in the step catches it."""


class Guard:
    """Watches over steps, one at a time, and collects what was skipped."""

    def __init__(self, hand: InHand | None = None, seconds: float = STEP_SECONDS) -> None:
        self._hand = hand
        self._full = seconds
        self._limit = seconds
        self._least = min(LEAST_SECONDS, seconds)
        self._since: float | None = None
        self.avoided: Collection[str] = frozenset()
        """Things that are not to be tried."""
        self.listed: Collection[str] = frozenset()
        """Things that were left out before."""
        self.skipped: list[Skipped] = []
        self.mended: list[str] = []

    def start(self) -> None:
        """Let the timer tick. For the main thread of a process, once."""
        signal.signal(signal.SIGALRM, self._tick)
        signal.siginterrupt(signal.SIGALRM, False)  # system calls go on by themselves
        tick = min(TICK_SECONDS, self._full / 4)
        signal.setitimer(signal.ITIMER_REAL, tick, tick)

    def begin(self, avoided: Collection[str], listed: Collection[str]) -> None:
        """Begin a job."""
        self.avoided, self.listed = frozenset(avoided), frozenset(listed)
        self.skipped, self.mended = [], []

    def hold(self, iri: str) -> None:
        """Say what is in hand, for as long as it takes; refuse what is to be avoided."""
        if iri in self.avoided:
            raise AVOIDED
        if self._hand is not None:
            self._hand.take(iri)

    def let_go(self) -> None:
        """Say that nothing is in hand."""
        if self._hand is not None:
            self._hand.drop()

    def attempt(self, iri: str, work: Callable[[], T]) -> T:
        """What the work gives, within the limit; raises `SkippedError`."""
        self.hold(iri)
        try:
            self._since = time.thread_time()
            try:
                return work()
            finally:
                self._since = None
        except TooLongError:
            limit, self._limit = self._limit, max(self._least, self._limit / 2)
            raise SkippedError(f"it took longer than {limit:g} s to gather") from None
        except MemoryError:
            raise SkippedError("it took too much memory to gather") from None
        except Exception as error:  # a defect of ours, which is to cost one thing
            raise SkippedError(f"it could not be gathered ({type(error).__name__})") from error
        finally:
            self.let_go()

    def skip(self, iri: str, error: SkippedError, pages: Collection[str]) -> None:
        """Note that a thing is left out."""
        self.skipped.append(Skipped(iri, str(error), tuple(sorted(pages)[:3])))

    def wrote(self, iri: str) -> None:
        """Note that a thing is not left out, if it was before."""
        if iri in self.listed:
            self.mended.append(iri)

    def _tick(self, _signal: int, _frame: FrameType | None) -> None:
        if self._since is not None and time.thread_time() - self._since > self._limit:
            raise TooLongError
