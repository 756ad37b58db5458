"""The crawl, watched: what it and its processes are at, in snapshots, and a history of them for charts.

One pair of eyes for all who watch: the owner is asked once a second, however many these are.
While nobody watches, a crawl is still looked at from time to time, for the charts of those who come
later; and where none runs, nobody is asked for more than who they are.
"""

import asyncio
import json
import math
import os
import time
from collections import deque
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Final

from gossamer.errors import GossamerError
from gossamer.owner.messages import Answering, Record, ask
from gossamer.owner.questions import Who
from gossamer.owner.unix_socket import NoOwnerError
from gossamer.processes.usage import Usage, children_of, has_proc, own_usage, process_usage

PHASES: Final = ("fetch", "read", "archive", "graph", "settle")
NO_CRAWL: Final = "none"
AWAY: Final = "away"  # the folder changes hands, or whoever has it does not answer
EVERY_SECONDS: Final = 5.0
MOST: Final = 720  # of them: an hour
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
LOOK_SECONDS: Final = 1.0
# Counting a large frontier takes its time: this share of it at most goes into looking.
LOOK_SHARE: Final = 0.1
IDLE_SHARE: Final = 0.02  # while nobody watches
BEAT_SECONDS: Final = 10.0  # between two words to those who would hear nothing else
MOST_WATCHERS: Final = 200
AGAIN_MILLISECONDS: Final = 2_000  # after which a browser that was cut off comes back


def usages(owner: int) -> Iterator[Usage]:
    """CPU and memory of this process, the owner of the folder, and the processes they started."""
    if not has_proc():
        yield own_usage("service")
        return
    for process, name in {os.getpid(): "service", owner: "owner"}.items():
        yield from _with_children(name, process, without=owner)


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


@dataclass(slots=True, kw_only=True)
class CrawlWatch:
    """What is seen of a folder. `running` while it is served."""

    answering: Answering
    status: Callable[[], Awaitable[Record]]
    history: History = field(default_factory=History)
    clock: Callable[[], float] = time.time
    look_seconds: float = LOOK_SECONDS
    idle_seconds: float = EVERY_SECONDS
    _seen: Record | None = None
    _event: bytes = b""
    _number: int = 0
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _wanted: asyncio.Event = field(default_factory=asyncio.Event)  # somebody watches
    _watchers: int = 0
    _closed: bool = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look until the block ends; then those who watch are let go."""
        looking = asyncio.create_task(self._run())
        try:
            yield
        finally:
            self._closed = True
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
            async with self._news:
                self._news.notify_all()

    @property
    def is_full(self) -> bool:
        """Whether no more may watch."""
        return self._watchers >= MOST_WATCHERS

    async def events(self) -> AsyncGenerator[bytes, None]:
        """Snapshots as server-sent events; a slow client misses some."""
        self._watchers += 1
        self._wanted.set()
        try:
            yield f"retry: {AGAIN_MILLISECONDS}\n\n".encode()
            number = 0 if self._event else self._number
            while not self._closed:
                if number != self._number:
                    number = self._number
                    yield self._event
                elif not await self._wait_for_change(number):
                    yield b": nothing new\n\n"
        finally:
            self._watchers -= 1
            if not self._watchers:
                self._wanted.clear()

    async def _wait_for_change(self, number: int) -> bool:
        try:
            async with asyncio.timeout(BEAT_SECONDS), self._news:
                await self._news.wait_for(lambda: self._closed or number != self._number)
        except TimeoutError:
            return False
        return True

    async def _run(self) -> None:
        while True:
            started = time.monotonic()
            if self._watchers or await self._is_crawled():
                await self._look()
            took = time.monotonic() - started
            if self._watchers:
                await asyncio.sleep(max(self.look_seconds, took / LOOK_SHARE))
            else:
                await self._until_wanted(max(self.idle_seconds, took / IDLE_SHARE))

    async def _until_wanted(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wanted.wait()

    async def _is_crawled(self) -> bool:
        with suppress(GossamerError, NoOwnerError):
            who = await ask(self.answering, Who())
            return bool(who["command"] == "crawl")
        return False

    async def _look(self) -> None:
        at = self.clock()
        try:
            status = await self.status()
            seen = snapshot(status, usages(status["owner"]["process"]), at, self._seen)
        except (GossamerError, NoOwnerError):
            seen = away(at)
        self.history.note(seen)
        self._seen = seen
        shown = seen if seen.get("run") is None else {**seen, "point": point(seen)}
        self._event = f"data: {json.dumps(shown, ensure_ascii=False)}\n\n".encode()
        self._number += 1
        async with self._news:
            self._news.notify_all()


def _with_children(name: str, process: int, without: int) -> Iterator[Usage]:
    if (usage := process_usage(name, process)) is not None:
        yield usage
    others = (child for child in children_of(process) if child != without)
    children = [each for child in others if (each := process_usage("", child))]
    if children:
        cpu = sum(each.cpu_seconds for each in children)
        memory = sum(each.resident_bytes for each in children)
        yield Usage(f"children of {name}", cpu, memory)


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
