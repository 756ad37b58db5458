"""Entities that words leave out, because gathering them failed, took too long, or ended the process.

Three parts: `SkippedList`, a file of JSON lines beside the words, which only the owner of the folder
writes; an entity leaves it when its document is written after all, or when all words are made anew.
`InHand`, which names what is being gathered, and outlives a process that dies of it. `StepGuard`, a time
limit for each step.
"""

import json
import mmap
import os
import signal
import struct
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple, TypeVar

from gossamer.folder.durable import sync
from gossamer.processes.time_limit import TooLongError

# Number of the step, when it began, the process, length of the name.
_HEAD: Final = struct.Struct("<QdII")
_LENGTH: Final = slice(_HEAD.size - 4, _HEAD.size)
_NOTHING: Final = bytes(4)
MOST_BYTES: Final = 8 * 1024  # of a name; IRIs in the words have 2,000 characters at most
_SIZE: Final = _HEAD.size + MOST_BYTES
MOST_LISTED: Final = 1_000  # the oldest go
STRIKES: Final = 2  # deaths of the process with the same thing in hand: once may be an accident
STEP_SECONDS: Final = 10.0  # of CPU, for one thing; the slowest honest ones take a tenth of one
LEAST_SECONDS: Final = 1.0  # what is left of that when many things took too long
TICK_SECONDS: Final = 1.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A thing that is left out."""

    iri: str
    why: str
    pages: tuple[str, ...] = ()  # some of those that speak of it
    deaths: int = 0  # of the process, with this in hand

    @property
    def is_avoided(self) -> bool:
        """Whether it is not even tried."""
        return self.deaths >= STRIKES

    @property
    def is_left_out(self) -> bool:
        """Whether it is missing among the words: after the first death it is tried again."""
        return self.is_avoided or not self.deaths

    def __str__(self) -> str:
        said = f", of which {self.pages[0]} speaks," if self.pages else ""
        return f"Search leaves out {self.iri}{said} because {self.why}."


class SkippedList:
    """The list in its file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._listed = {each.iri: each for each in read_skipped(path)}

    @property
    def names(self) -> tuple[str, ...]:
        """Every thing that is listed."""
        return tuple(self._listed)

    @property
    def avoided(self) -> tuple[str, ...]:
        """The things that are not to be tried."""
        return tuple(iri for iri, each in self._listed.items() if each.is_avoided)

    def note(self, found: Iterable[Skipped], mended: Iterable[str] = ()) -> None:
        """List these, and those that are mended no more; return when that is on the disk."""
        before = dict(self._listed)
        for iri in mended:
            self._listed.pop(iri, None)
        for each in found:
            known = self._listed.pop(each.iri, None)
            deaths = max(each.deaths, known.deaths if known else 0)
            self._listed[each.iri] = replace(each, deaths=deaths)
        for iri in list(self._listed)[:-MOST_LISTED]:
            del self._listed[iri]
        if self._listed != before:
            self._write()

    def forget(self, is_gone: Callable[[str], bool]) -> None:
        """Have no line name what is gone; return when that is on the disk."""
        self._path.with_suffix(".tmp").unlink(missing_ok=True)  # by somebody who was stopped
        kept = [
            replace(each, pages=tuple(page for page in each.pages if not is_gone(page)))
            for each in self._listed.values()
            if not is_gone(each.iri)
        ]
        if kept != [*self._listed.values()]:
            self._listed = {each.iri: each for each in kept}
            self._write()

    def note_death(self, iri: str, why: str, *, is_certain: bool = False) -> Skipped:
        """List a thing with which the process died; from when it is certain, it is avoided."""
        known = self._listed.get(iri)
        deaths = STRIKES if is_certain else 1 + (known.deaths if known else 0)
        found = Skipped(iri, why, known.pages if known else (), deaths)
        self.note([found])
        return found

    def clear(self) -> None:
        """Give everything another chance, but for what ends the process."""
        self.note((), [iri for iri, each in self._listed.items() if not each.is_avoided])

    def _write(self) -> None:
        draft = self._path.with_suffix(".tmp")
        with suppress(OSError):  # a full disk: then it is known as long as we run
            draft.write_text(
                "".join(json.dumps(asdict(each)) + "\n" for each in self._listed.values())
            )
            sync(draft)
            draft.replace(self._path)


def read_skipped(path: Path) -> list[Skipped]:
    """What is listed; a line that makes no sense is left out."""
    found = []
    with suppress(OSError):
        for line in path.read_bytes().splitlines():
            with suppress(ValueError, TypeError):
                fields = json.loads(line)
                found.append(Skipped(**{**fields, "pages": tuple(fields["pages"])}))
    return found


class Hand(NamedTuple):
    """A step of the index that is being made now, and by which process."""

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
    """Names the entity that is being gathered, in a file of shared memory that outlives the process.

    The owner reads which entity a process was at that is stuck or has died. A write takes less than a
    microsecond, and no system call.
    """

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
        self._memory[_LENGTH] = _NOTHING


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


class SkippedError(Exception):
    """A thing cannot be gathered; says why."""


AVOIDED: Final = SkippedError("the process that gathers it was stuck or ended with it before")


class StepGuard:
    """A time limit for each step, one at a time; collects what was skipped.

    A timer ticks in the main thread. Its handler raises where the step in hand has had its share of CPU
    time, counted from the first tick that finds it: a step that no tick finds costs no look at a clock.
    Python's own code and `re` let themselves be interrupted. Native code does not; the owner kills the
    process then (`client.py`), and knows from `InHand` what to blame.
    """

    def __init__(self, hand: InHand | None = None, seconds: float = STEP_SECONDS) -> None:
        self._hand = hand
        self._full = seconds
        self._limit = seconds
        self._least = min(LEAST_SECONDS, seconds)
        self._step = 0  # counts attempts
        self._is_working = False
        self._seen: tuple[int, float] = (0, 0.0)  # the step of the last tick, its CPU time by then
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
            self._step += 1
            self._is_working = True
            try:
                return work()
            finally:
                self._is_working = False
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
        """Raise where the step of the tick before is still at work, and has had its share since then."""
        if not self._is_working:
            return
        step, used = self._seen
        if step != self._step:
            self._seen = self._step, time.thread_time()
        elif time.thread_time() - used > self._limit:
            raise TooLongError
