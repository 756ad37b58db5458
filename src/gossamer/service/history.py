"""The history of a run: snapshots of a crawl and its processes, their figures for charts, and the file that keeps them.

The crawl writes the file, once a minute and at its end, so charts show a run when it is over. It has
figures alone, no addresses.
"""

import asyncio
import json
import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from gossamer.owner.messages import Record
from gossamer.processes.usage import Usage, children_of, has_proc, own_usage, process_usage

PHASES: Final = ("fetch", "read", "archive", "graph", "settle")
NO_CRAWL: Final = "none"
AWAY: Final = "away"  # the folder changes hands, or whoever has it does not answer
EVERY_SECONDS: Final = 5.0
MOST: Final = 720  # of them: an hour
FIRST_EVERY: Final = 1.0  # seconds between two points that a crawl notes of itself, at first
SAVE_SECONDS: Final = 60.0
MOST_BYTES: Final = 2 * 1024 * 1024
OF_RUN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "pages": "pages_per_second",
        "quads": "quads_per_second",
        "visits": "visits",
        "reading": "reading",
        "keeping": "keeping",
    }
)
RATES: Final = ("fetch", "read", "archive", "graph", "settle", "bytes", "cpu")
SERIES: Final = (*OF_RUN, *RATES, "left", "memory")
"""What is kept, by name."""


def usages(owner: int) -> Iterator[Usage]:
    """CPU and memory of this process, the owner of the folder, and the processes they started."""
    if not has_proc():
        yield own_usage("service")
        return
    for process, name in {os.getpid(): "service", owner: "owner"}.items():
        yield from _with_children(name, process, without=owner)


def _with_children(name: str, process: int, without: int) -> Iterator[Usage]:
    if (usage := process_usage(name, process)) is not None:
        yield usage
    others = (child for child in children_of(process) if child != without)
    children = [each for child in others if (each := process_usage("", child))]
    if children:
        cpu = sum(each.cpu_seconds for each in children)
        memory = sum(each.resident_bytes for each in children)
        yield Usage(f"children of {name}", cpu, memory)


def snapshot(
    status: Record, usages: Iterable[Usage], at: float, before: Record | None = None
) -> Record:
    """The status at a moment (seconds since 1970), with rates since the snapshot before."""
    run = status["run"]
    running = list(usages)
    told = {
        **status,
        "at": round(at, 3),
        "state": NO_CRAWL if run is None else run["state"],
        "processes": [asdict(each) for each in running],
        "cpu_seconds": round(sum(each.cpu_seconds for each in running), 2),
        "memory": sum(each.resident_bytes for each in running),
    }
    return {**told, "rates": _rates(told, before)}


def _rates(now: Record, before: Record | None) -> Mapping[str, float | None]:
    """A second: pages by phase, bytes, and seconds of processors."""
    if not _continues(now, before):
        return dict.fromkeys((*PHASES, "bytes", "cpu"))
    assert before is not None
    seconds = now["at"] - before["at"]
    counts, earlier = _counts(now), _counts(before)
    return {name: max(0.0, round((counts[name] - earlier[name]) / seconds, 3)) for name in counts}


def _continues(now: Record, before: Record | None) -> bool:
    """Whether these are two moments of one run."""
    if before is None or before.get("run") is None or now["run"] is None:
        return False
    same = now["owner"]["process"] == before["owner"]["process"]
    return bool(same and now["at"] > before["at"])


def _counts(told: Record) -> dict[str, float]:
    run, totals = told["run"], told["run"]["phase_totals"]
    pages = {phase: totals.get(phase, {}).get("pages", 0) for phase in PHASES}
    return {**pages, "bytes": run["bytes"], "cpu": told["cpu_seconds"]}


def away(at: float) -> Record:
    """The snapshot while the owner does not answer."""
    return {"at": round(at, 3), "state": AWAY}


@dataclass(slots=True)
class History:
    """Points of time, the oldest first; nothing is noted while no crawl runs."""

    every: float = EVERY_SECONDS
    _points: deque[tuple[float, tuple[float | None, ...]]] = field(
        default_factory=lambda: deque(maxlen=MOST)
    )

    def note(self, told: Record) -> None:
        """Keep a snapshot, unless the one before was a moment ago."""
        at = told["at"]
        if told.get("run") is None or (self._points and at < self._points[-1][0] + self.every):
            return
        self._points.append((at, tuple(point(told).values())))

    def thin(self) -> None:
        """Leave out every second point, and keep half as many from now on."""
        kept = [*self._points][::2]
        self._points.clear()
        self._points.extend(kept)
        self.every *= 2

    @property
    def is_full(self) -> bool:
        """Whether the next point takes the place of the first."""
        return len(self._points) == MOST

    @classmethod
    def of_record(cls, told: Record) -> "History":
        """The history that a record has; raises `KeyError`, `TypeError` or `ValueError` on a damaged one."""
        columns = [[_figure(each) for each in told["series"][name]] for name in SERIES]
        history = cls(every=float(told["every"]))
        for at, *values in zip(map(float, told["at"]), *columns, strict=True):
            history._points.append((at, tuple(values)))
        return history

    def record(self) -> Record:
        """The whole history, a column each."""
        columns = zip(*(values for _, values in self._points), strict=True)
        series = dict(zip(SERIES, columns, strict=False)) or dict.fromkeys(SERIES, ())
        return {
            "every": self.every,
            "at": [at for at, _ in self._points],
            "series": {name: list(values) for name, values in series.items()},
        }


def _figure(told: object) -> float | None:
    if told is None or (isinstance(told, int | float) and math.isfinite(told)):
        return told
    raise ValueError(f"{told!r} is no figure")


def point(told: Record) -> dict[str, float | None]:
    """What charts show of a snapshot of a crawl that runs; None where it is not known."""
    return {
        **{name: told["run"][field] for name, field in OF_RUN.items()},
        **{name: told["rates"][name] for name in RATES},
        "left": told["left"],
        "memory": told["memory"],
    }


def load_history(file: Path) -> History:
    """The history that is kept there; an empty one where there is none, or a damaged one."""
    with suppress(OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        if file.stat().st_size <= MOST_BYTES:
            return History.of_record(json.loads(file.read_text(encoding="utf-8")))
    return History()


def save_history(file: Path, history: History) -> None:
    """Keep a history there, whole or not at all; a full disk is no reason to end a crawl."""
    draft = file.with_suffix(f".{os.getpid()}.tmp")
    try:
        draft.write_text(json.dumps(history.record()), encoding="utf-8")
        draft.replace(file)
    except OSError:
        draft.unlink(missing_ok=True)


@dataclass(slots=True)
class HistoryKeeper:
    """Notes how a crawl of this process goes, until cancelled."""

    file: Path
    status: Callable[[], Record]  # of the run, with what is left
    clock: Callable[[], float] = time.time
    history: History = field(default_factory=lambda: History(every=FIRST_EVERY))
    _before: Record | None = None

    async def run(self) -> None:
        """Look from time to time."""
        saved_at = self.clock()
        try:
            while True:
                self.look()
                if self.clock() >= saved_at + SAVE_SECONDS:
                    saved_at = self.clock()
                    save_history(self.file, self.history)  # some 100 kB, once a minute
                await asyncio.sleep(self.history.every)
        finally:
            self.look()
            save_history(self.file, self.history)

    def look(self) -> None:
        """Note how it is now."""
        if self.history.is_full:
            self.history.thin()
        self._before = snapshot(self.status(), usages(os.getpid()), self.clock(), self._before)
        self.history.note(self._before)
