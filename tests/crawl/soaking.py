"""A long crawl of the demo web with no delay: how its rate and its memory go.

A machine that does other work besides is slower at times, and rates with it. So a fixed piece of work is
done beside the crawl, twice a second: how much CPU time it took tells how fast the machine was. Of two
rates, `rate_ratio` is the quotient as it is, and `steady_ratio` the one on a machine that stays the same.
"""

import json
import os
import threading
import time
import zlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.crawl.commands import CrawlCommand, until
from tests.crawl.door import Door

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World

EVERY = 0.5  # seconds between two looks at memory
PATIENCE = 6_000  # seconds; a long crawl that takes longer hangs
PROCESSES = {
    "graph": "gossamer.index.graph.process",
    "words": "gossamer.index.words.process",
    "workers": "gossamer.reading.pool.worker",
}
MIB = 1024 * 1024

TICKS = os.sysconf("SC_CLK_TCK")


class Sample(NamedTuple):
    """What was seen at a moment, of each kind of process."""

    moment: float
    taken: Mapping[str, int]  # bytes
    worked: Mapping[str, int]  # ticks, since they began
    effort: float = 1.0  # CPU seconds that a fixed piece of work took


@dataclass(frozen=True)
class Soaked:
    """What a long crawl came to. `growth` is late memory by early memory, for each process.

    `effort_ratio` is by how much the machine was slower late, while the crawl had its last tenth.
    """

    pages: int
    ended: str
    seconds: float
    pages_per_second: float
    first_rate: float
    last_rate: float
    rate_ratio: float
    effort_ratio: float
    steady_ratio: float
    cpu_ms_first: Mapping[str, float]
    cpu_ms_last: Mapping[str, float]
    mebibytes: Mapping[str, int]  # at most
    growth: Mapping[str, float]

    def line(self) -> str:
        """All figures in one line."""
        return json.dumps({"name": "soak", **asdict(self)})


def soak(pages: int, folder: Path) -> Soaked:
    """Crawl so many pages of a world that has more, so that no host runs dry before the end."""
    hosts = min(max(pages // 100, 10), 5_000)
    world = World(seed=5, pages=2 * pages, hosts=hosts, crawl_delay=0)
    with DemoServer(world, folder / "access.jsonl") as server, Door(server.address) as door:
        options = ("--scope", "any", "--delay", "0", "--max-pages", str(pages))
        # A small crawl might be over before anybody has looked at it.
        is_short = pages < 10_000
        reach = ("--connect-to", (door if is_short else server).connect_to)
        if is_short:
            door.close(after=50)
        with CrawlCommand(folder / "data", world.front(0), *options, *reach) as command:
            memory = Memory(command)
            if is_short:
                until(lambda: memory.has_seen_all)
                door.open()
            summary = command.summary(PATIENCE)
            samples = memory.end()
    asked = sorted(each.arrived for each in server.accesses() if each.status == 200)
    first, last = rate(asked, 0.1, 0.2), rate(asked, 0.9, 1.0)
    slower = effort(asked, samples, 0.9, 1.0) / effort(asked, samples, 0.1, 0.2)
    return Soaked(
        pages=summary["pages"],
        ended=summary["ended"],
        seconds=summary["seconds"],
        pages_per_second=summary["pages_per_second"],
        first_rate=round(first, 1),
        last_rate=round(last, 1),
        rate_ratio=round(last / first, 3),
        effort_ratio=round(slower, 3),
        steady_ratio=round(last / first * slower, 3),
        cpu_ms_first=cpu_ms(asked, samples, 0.1, 0.2),
        cpu_ms_last=cpu_ms(asked, samples, 0.9, 1.0),
        mebibytes={kind: most // MIB for kind, most in _most(samples).items()},
        growth=growth(asked, samples),
    )


def rate(moments: Sequence[float], start: float, end: float) -> float:
    """Requests a second in a part of a crawl: from 0.9 to 1.0 is its last tenth."""
    some = _part(moments, start, end)
    return (len(some) - 1) / (some[-1] - some[0])


def effort(moments: Sequence[float], samples: Sequence[Sample], start: float, end: float) -> float:
    """What the fixed piece of work usually took in a part of a crawl."""
    some = _part(moments, start, end)
    seen = [each.effort for each in samples if some[0] <= each.moment <= some[-1]]
    return median(seen) if seen else 1.0


def _part(moments: Sequence[float], start: float, end: float) -> Sequence[float]:
    return moments[int(len(moments) * start) : int(len(moments) * end)]


def cpu_ms(
    moments: Sequence[float], samples: Sequence[Sample], start: float, end: float
) -> dict[str, float]:
    """Milliseconds of CPU time that a request took each kind of process in a part of a crawl."""
    some = _part(moments, start, end)
    seen = [sample for sample in samples if some[0] <= sample.moment <= some[-1]]
    if len(seen) < 2:
        return {}  # it was over too soon
    first, last = seen[0], seen[-1]
    requests = max(1, bisect_left(some, last.moment) - bisect_left(some, first.moment))
    worked = {kind: last.worked[kind] - first.worked[kind] for kind in last.worked}
    return {kind: round(1000 * ticks / TICKS / requests, 2) for kind, ticks in worked.items()}


def growth(asked: Sequence[float], samples: Iterable[Sample]) -> dict[str, float]:
    """The memory of each process in the last fifth of a crawl, by that in its second fifth.

    Before that, caches fill.
    """
    parts: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        part = 5 * bisect_left(asked, sample.moment) // len(asked)
        for kind, size in sample.taken.items():
            parts[part][kind].append(size)
    early, late = parts[1], {**parts[5], **parts[4]}
    return {
        kind: round(median(late[kind]) / median(early[kind]), 3) for kind in early.keys() & late
    }


def _most(samples: Iterable[Sample]) -> dict[str, int]:
    most: dict[str, int] = defaultdict(int)
    for sample in samples:
        for kind, size in sample.taken.items():
            most[kind] = max(most[kind], size)
    return most


class Memory:
    """Looks at the memory of a crawl's processes from its making to its `end`."""

    def __init__(self, command: CrawlCommand) -> None:
        self._command = command
        self._samples: list[Sample] = []
        self._worked: dict[str, int] = defaultdict(int)  # ticks of each kind, of those gone too
        self._seen: dict[int, int] = {}  # ticks of each process at the last look
        self._over = threading.Event()
        self._looking = threading.Thread(target=self._look, daemon=True)
        self._looking.start()

    @property
    def has_seen_all(self) -> bool:
        """Whether processes of all kinds were there at a look."""
        return bool(self._samples)

    def end(self) -> list[Sample]:
        """What was seen."""
        self._over.set()
        self._looking.join()
        return self._samples

    def _look(self) -> None:
        while not self._over.wait(EVERY):
            pids = {"main": [self._command.process.pid]}
            pids |= {kind: self._command.named(module) for kind, module in PROCESSES.items()}
            taken = {kind: sum(map(_own_bytes, some)) for kind, some in pids.items()}
            for kind, some in pids.items():
                self._worked[kind] += sum(map(self._since, some))
            if all(taken.values()):
                worked = dict(self._worked)
                self._samples.append(Sample(time.time(), taken, worked, _fixed_work()))

    def _since(self, pid: int) -> int:
        """What a process has worked since the last look: workers come and go."""
        before, self._seen[pid] = self._seen.get(pid, 0), _ticks(pid)
        return max(0, self._seen[pid] - before)


def _fixed_work() -> float:
    """Do a bit of what crawlers do, always the same; the CPU seconds that it took, some thousandths."""
    began = time.thread_time()
    records = [{"name": f"thing {each}", "links": [*range(each % 20)]} for each in range(2_000)]
    read = json.loads(json.dumps(records))
    sorted(read, key=lambda record: zlib.crc32(record["name"].encode()))
    return time.thread_time() - began


def _ticks(pid: int) -> int:
    """What a process has worked so far."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    return 0


def _own_bytes(pid: int) -> int:
    """What a process holds for itself: pages of files that it has mapped are anybody's."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    return 0
