"""The queue before the workers: fair by host, by the reading time that each has used.

Weighted fair queueing, all with the same weight. Each host has a line of its own and a tag: the reading
time that it has used, or what the queue as a whole has come to, where that is more. The host goes next
that will have used least after its next job, which probably takes what the last one took. So whoever's
pages take ten seconds has one turn in the time in which others have thousands, and still has its turn.

Hosts whose last page took over a second, and all others of their sites, are slow: they have no more
than `slow_places` of the workers at once. With a single worker they go when their turn comes, last.

No I/O and no clock: how long a job took is told. Work for nobody (the empty name) is never slow.
"""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final, Generic, TypeVar

from gossamer.urls import site_of

Item = TypeVar("Item")

SLOW_SECONDS: Final = 1.0  # a page that takes longer makes its host a slow one
LEAST_SECONDS: Final = 0.001  # that a job is charged
MOST_HOSTS: Final = 10_000  # remembered for what their pages took
MOST_UNREAD: Final = 4  # pages of a slow host that wait or are read, before no more are fetched


@dataclass(slots=True, eq=False)
class _Line(Generic[Item]):
    """One host's jobs."""

    host: str
    waiting: deque[Item] = field(default_factory=deque)
    tag: float = 0.0  # seconds
    took: float = 0.0  # the last job
    unread: int = 0  # jobs that wait or are under way
    slow: bool = False  # by its own last page
    troubles: int = 0  # jobs in a row that came to nothing
    place: int = 0  # of its one valid entry among those who stand
    stands_slow: bool = False  # and in which of the two

    @property
    def due(self) -> float:
        """The tag after its next job."""
        return self.tag + (self.took if self.took > LEAST_SECONDS else LEAST_SECONDS)


class FairQueue(Generic[Item]):
    """Jobs by host. Whoever takes one with `pop` says with `end` how it went."""

    def __init__(self, workers: int, site_of: Callable[[str], str] = site_of) -> None:
        self.slow_places = max(1, workers // 2)
        self._site_of = site_of
        self._lines: dict[str, _Line[Item]] = {}
        # Those who wait, the slow apart: what is due, place, line. One whose place is another by now is void.
        self._fast: list[tuple[float, int, _Line[Item]]] = []
        self._slow: list[tuple[float, int, _Line[Item]]] = []
        self._places = 0
        self._reached = 0.0  # the highest tag of all who went
        self._slow_sites: Counter[str] = Counter()  # their slow hosts

    def __bool__(self) -> bool:
        return bool(self._fast or self._slow)

    @property
    def has_slow(self) -> bool:
        """Whether jobs of slow hosts may wait."""
        return bool(self._slow)

    def push(self, host: str, item: Item) -> None:
        """A new job of a host."""
        line = self._lines.get(host)
        if line is None:
            line = self._open(host)
        line.unread += 1
        line.waiting.append(item)
        if len(line.waiting) == 1:
            self._stand(line)

    def push_first(self, host: str, item: Item) -> None:
        """A job that had its turn, and needs another."""
        line = self._lines.get(host)
        if line is None:
            line = self._open(host)
        line.waiting.appendleft(item)
        if len(line.waiting) == 1:
            self._stand(line)

    def pop(self, slow_room: int) -> Item | None:
        """The next job; none of a slow host where so many of the workers that they may have is 0."""
        fast, slow = _first(self._fast), _first(self._slow) if slow_room > 0 else None
        if fast is None and slow is None:
            return None
        is_slow = fast is None or (slow is not None and slow.due < fast.due)
        line = slow if is_slow else fast
        assert line is not None
        heappop(self._slow if is_slow else self._fast)
        line.place = 0
        item = line.waiting.popleft()
        self._reached = max(self._reached, line.tag)
        line.tag = line.due
        if line.waiting:
            self._stand(line)
        return item

    def clear(self) -> list[Item]:
        """All jobs that wait, and wait no more."""
        waiting = [item for line in self._lines.values() for item in line.waiting]
        self._lines.clear()
        self._fast, self._slow = [], []
        self._slow_sites.clear()
        return waiting

    def begun(self, host: str) -> None:
        """A job of the host is at work for `SLOW_SECONDS` by now, and not done."""
        line = self._lines.get(host)
        if line is not None and host:
            self._mark(line, slow=True)

    def end(self, host: str, seconds: float | None, *, lost: bool = False) -> int:
        """A job is over, after so long; None: nobody began it. How many in a row were lost by now."""
        line = self._lines.get(host)
        if line is None:
            return 0
        line.unread -= 1
        if seconds is not None:
            line.took = seconds
            line.troubles = line.troubles + 1 if lost else 0
            self._mark(line, slow=bool(host) and (lost or seconds > SLOW_SECONDS))
        troubles = line.troubles
        if not line.unread and not line.slow and line.tag <= self._reached:
            del self._lines[host]  # it would begin where all others do
        return troubles

    def is_slow(self, host: str) -> bool:
        """Whether a host counts as slow: by its own last page, or by another host of its site."""
        line = self._lines.get(host)
        return (line is not None and line.slow) or self._is_of_slow_site(host)

    def is_behind(self, host: str) -> bool:
        """Whether enough pages of a slow host are unread."""
        line = self._lines.get(host)
        return line is not None and line.unread >= MOST_UNREAD and self.is_slow(host)

    def _is_of_slow_site(self, host: str) -> bool:
        return bool(self._slow_sites and host) and self._slow_sites[self._site_of(host)] > 0

    def _open(self, host: str) -> _Line[Item]:
        if len(self._lines) >= MOST_HOSTS:
            self._forget()
        line = self._lines[host] = _Line(host)
        return line

    def _stand(self, line: _Line[Item]) -> None:
        if line.tag < self._reached:
            line.tag = self._reached
        self._places += 1
        line.place = self._places
        line.stands_slow = line.slow or self._is_of_slow_site(line.host)
        heappush(self._slow if line.stands_slow else self._fast, (line.due, line.place, line))

    def _mark(self, line: _Line[Item], *, slow: bool) -> None:
        if slow is line.slow:
            return
        line.slow = slow
        site = self._site_of(line.host)
        self._slow_sites[site] += 1 if slow else -1
        if not self._slow_sites[site]:
            del self._slow_sites[site]
        if line.waiting and slow is not line.stands_slow:
            self._stand(line)

    def _forget(self) -> None:
        """Drop what is remembered of hosts of which nothing is unread: the half that came first."""
        idle = [line for line in self._lines.values() if not line.unread]
        for line in idle[: len(idle) // 2 + 1]:
            self._mark(line, slow=False)
            del self._lines[line.host]


def _first(standing: list[tuple[float, int, _Line[Item]]]) -> _Line[Item] | None:
    while standing:
        _, place, line = standing[0]
        if line.place == place and line.waiting:
            return line
        heappop(standing)
    return None
