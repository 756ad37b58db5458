"""The queue in virtual time: who goes next, with how many workers, when jobs take how long."""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.reading.pool.fair_queue import MOST_HOSTS, MOST_UNREAD, SLOW_SECONDS, FairQueue

GOOD, HOSTILE = 0.005, 10.0


def one_by_one(queue: FairQueue[str]) -> list[str]:
    """All jobs in the order of their turns, with room for slow hosts."""
    found = []
    while (job := queue.pop(1)) is not None:
        found.append(job)
    return found


def test_without_hosts_jobs_go_as_they_come() -> None:
    queue: FairQueue[str] = FairQueue(2)
    for job in "abc":
        queue.push("", job)
    queue.push_first("", "0")
    queue.end("", 60.0)
    assert not queue.is_slow("")
    assert one_by_one(queue) == ["0", "a", "b", "c"]
    assert not queue


def test_hosts_take_turns_whoever_came_first_with_how_many() -> None:
    queue: FairQueue[str] = FairQueue(2)
    for job in ("a1", "a2", "a3", "a4", "b1", "c1", "c2"):
        queue.push(f"{job[0]}.test", job)
    assert one_by_one(queue) == ["a1", "b1", "c1", "a2", "c2", "a3", "a4"]


def test_turns_go_by_the_time_that_they_take() -> None:
    queue: FairQueue[str] = FairQueue(2)
    for host in ("a.test", "b.test"):
        queue.push(host, "before")
    one_by_one(queue)
    queue.end("a.test", 0.3)
    queue.end("b.test", 0.1)
    for _ in range(20):
        queue.push("a.test", "a")
        queue.push("b.test", "b")
    first = Counter(queue.pop(1) for _ in range(16))
    assert (first["a"], first["b"]) == (4, 12)


def test_a_slow_host_waits_for_room_and_others_pass_it() -> None:
    queue: FairQueue[str] = FairQueue(4)
    assert queue.slow_places == 2
    queue.push("a.test", "a1")
    assert queue.pop(0) == "a1"
    queue.end("a.test", SLOW_SECONDS + 0.1)
    queue.push("a.test", "a2")
    queue.push("b.test", "b1")
    assert [queue.pop(0), queue.pop(0)] == ["b1", None]
    assert queue.pop(1) == "a2"
    queue.end("a.test", 0.01)
    queue.push("a.test", "a3")
    assert queue.pop(0) == "a3"  # it is as good as any again


def test_a_host_is_slow_from_the_moment_that_a_page_takes_a_second() -> None:
    queue: FairQueue[str] = FairQueue(2)
    for job in ("1", "2"):
        queue.push("a.test", job)
    assert queue.pop(0) == "1"
    queue.begun("a.test")
    assert queue.pop(0) is None
    assert queue.pop(1) == "2"


def test_new_names_of_a_slow_site_are_slow_too() -> None:
    queue: FairQueue[str] = FairQueue(2)
    queue.push("a.example.org", "1")
    queue.pop(1)
    queue.end("a.example.org", 10.0)
    queue.push("b.example.org", "2")
    queue.push("example.com", "3")
    assert [queue.pop(0), queue.pop(0)] == ["3", None]
    queue.push("a.example.org", "4")
    assert queue.pop(1) == "2"
    assert queue.pop(1) == "4"
    queue.end("a.example.org", 0.1)
    queue.push("c.example.org", "5")
    assert queue.pop(0) == "5"


def test_losses_in_a_row_are_counted() -> None:
    queue: FairQueue[str] = FairQueue(2)
    queue.push("a.test", "1")
    assert [queue.end("a.test", 1.0, lost=True) for _ in range(3)] == [1, 2, 3]
    assert queue.is_slow("a.test")
    queue.push("a.test", "2")
    assert queue.end("a.test", 0.1) == 0


def test_of_a_slow_host_some_pages_are_enough() -> None:
    queue: FairQueue[str] = FairQueue(2)
    for _ in range(MOST_UNREAD + 1):
        queue.push("a.test", "x")
    assert not queue.is_behind("a.test")
    queue.end("a.test", 5.0)
    assert queue.is_behind("a.test")
    queue.end("a.test", None)
    assert not queue.is_behind("a.test")


def test_what_is_remembered_has_a_bound() -> None:
    queue: FairQueue[str] = FairQueue(2)
    for number in range(3 * MOST_HOSTS):
        host = f"{number}.test"
        queue.push(host, host)
        assert queue.pop(1) == host
        queue.end(host, 10.0 if number % 2 else 0.01)
    assert len(queue._lines) <= MOST_HOSTS
    assert len(queue._slow_sites) <= MOST_HOSTS


@dataclass
class Simulation:
    """Workers that take jobs from the queue; a page takes what its host's pages take."""

    workers: int
    takes: Mapping[str, float]
    now: float = 0.0
    held: Counter[str] = field(default_factory=Counter)
    done: list[tuple[float, str]] = field(default_factory=list)

    def run(self, arrivals: Sequence[tuple[float, str]], until: float) -> None:
        """Have pages arrive, and be read, until then; see that slow hosts hold no more than half."""
        queue: FairQueue[str] = FairQueue(self.workers)
        known: set[str] = set()  # hosts whose last page took over a second
        running: list[tuple[float, str]] = []
        coming = sorted(arrivals)
        while True:
            while coming and coming[0][0] <= self.now:
                queue.push(coming[0][1], coming[0][1])
                coming.pop(0)
            while len(running) < self.workers:
                slow = sum(host in known for _, host in running)
                host = queue.pop(queue.slow_places - slow)
                if host is None:
                    break
                assert host not in known or slow < max(1, self.workers // 2)
                heapq.heappush(running, (self.now + self.takes[host], host))
            moments = [each[0] for each in (*coming[:1], *running[:1])]
            if not moments or min(moments) > until:
                return
            self.now = min(moments)
            while running and running[0][0] <= self.now:
                _, host = heapq.heappop(running)
                queue.end(host, self.takes[host])
                (known.add if self.takes[host] > SLOW_SECONDS else known.discard)(host)
                self.done.append((self.now, host))


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 8), st.integers(1, 6), st.integers(1, 12), st.randoms(use_true_random=False))
def test_good_hosts_are_read_whatever_the_hostile_ones_take(
    workers: int, hostile: int, good: int, chance: Random
) -> None:
    takes = {f"good{n}.test": GOOD for n in range(good)}
    takes |= {f"bad{n}.test": HOSTILE for n in range(hostile)}
    arrivals = [
        (second + begins, host)
        for host, begins in ((host, chance.random()) for host in takes)
        for second in range(60)
    ]
    simulation = Simulation(workers, takes)
    simulation.run(arrivals, until=1000.0)
    finished = Counter(host for _, host in simulation.done)
    assert all(finished[host] == 60 for host in takes if host.startswith("good"))
    # A page of a good host waits for hostile ones that run already, once, and for no second one.
    last = max(at for at, host in simulation.done if host.startswith("good"))
    assert last <= 60 + HOSTILE + 60 * good * GOOD + 1
    assert all(finished[host] > 1 for host in takes)


@settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 4),
    st.lists(st.floats(0.001, 20.0), min_size=1, max_size=8),
    st.integers(1, 30),
)
def test_every_job_has_its_turn_once(workers: int, seconds: list[float], jobs: int) -> None:
    takes = {f"{n}.test": each for n, each in enumerate(seconds)}
    simulation = Simulation(workers, takes)
    simulation.run([(0.0, host) for host in takes for _ in range(jobs)], until=10.0**9)
    assert Counter(host for _, host in simulation.done) == Counter(dict.fromkeys(takes, jobs))
