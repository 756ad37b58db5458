"""The ledger as a whole: several hosts, many clients, virtual time, and real threads."""

import heapq
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.config import Politeness
from gossamer.politeness.delay import Delay, bounded
from gossamer.politeness.ledger import Expired, Go, HostLedger, Ledger, Slot, Wait
from gossamer.politeness.outcome import Answered, NoAnswer, Outcome

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
OK = Answered(200)


def start(ledger: Ledger, host: str, now: datetime, client: str = "") -> Go:
    slot = ledger.reserve(host, now, client=client)
    assert isinstance(slot, Slot)
    go = ledger.start(slot, now, now + 60 * SECOND)
    assert isinstance(go, Go)
    return go


def test_what_is_known_of_hosts_elsewhere_counts_and_is_not_changed_there() -> None:
    known = Ledger(Politeness())
    known.finish(start(known, "a.test", NOW), NOW, SECOND, OK)
    elsewhere, here = {**known._hosts}, dict[str, HostLedger]()
    ledger = Ledger(Politeness(), here, elsewhere)
    assert ledger.rested_from("a.test") == NOW
    start(ledger, "a.test", NOW + 2 * SECOND)
    assert here.keys() == {"a.test"}
    assert ledger.rested_from("a.test") == NOW + 2 * SECOND
    assert elsewhere == known._hosts


def test_hosts_do_not_wait_for_each_other() -> None:
    ledger = Ledger(Politeness())
    start(ledger, "a.test", NOW)
    start(ledger, "b.test", NOW)


def test_all_clients_share_one_clock() -> None:
    ledger = Ledger(Politeness())
    go = start(ledger, "a.test", NOW, "proxy")
    ledger.finish(go, NOW + SECOND / 2, SECOND / 2, Answered(503, 60 * SECOND))
    slot = ledger.reserve("a.test", NOW + SECOND, client="rest")
    assert isinstance(slot, Slot)
    assert slot.at == NOW + 60.5 * SECOND
    assert ledger.delay("a.test") == Delay(60, "Retry-After, status 503")


def test_a_refused_client_learns_when_to_come_back() -> None:
    ledger = Ledger(Politeness())
    ledger.finish(start(ledger, "a.test", NOW), NOW, 0 * SECOND, OK)
    wait = ledger.reserve("a.test", NOW + SECOND / 5, expires_at=NOW + SECOND / 5)
    assert wait == Wait(NOW + SECOND, Delay(1, "default"))


def test_without_a_last_moment_a_caller_waits_as_long_as_patience() -> None:
    ledger = Ledger(Politeness(patience=10 * SECOND))
    ledger.finish(start(ledger, "a.test", NOW), NOW, 0 * SECOND, Answered(503, 10 * SECOND))
    assert isinstance(ledger.reserve("a.test", NOW), Slot)
    ledger.learn("a.test", bounded(11, "Crawl-delay, line 2"))
    assert isinstance(ledger.reserve("a.test", NOW), Wait)
    parked = ledger.parked("a.test", NOW)
    assert parked is not None
    assert "Crawl-delay, line 2" in parked.why


def test_a_changed_configuration_holds_for_those_who_wait() -> None:
    ledger = Ledger(Politeness())
    ledger.finish(start(ledger, "a.test", NOW), NOW, 0 * SECOND, OK)
    slot = ledger.reserve("a.test", NOW)
    assert isinstance(slot, Slot)
    ledger.configure(Politeness(delays={"a.test": 5 * SECOND}))
    answer = ledger.start(slot, NOW + SECOND, NOW + 9 * SECOND)
    assert answer == Wait(NOW + 5 * SECOND, Delay(5, "configured for a.test"))


def test_a_slot_given_back_goes_to_the_next() -> None:
    ledger = Ledger(Politeness())
    first, second = ledger.reserve("a.test", NOW), ledger.reserve("a.test", NOW)
    assert isinstance(first, Slot)
    assert isinstance(second, Slot)
    ledger.give_back(first, NOW)
    assert ledger.next_turn("a.test", NOW) == (second.token, NOW)
    assert isinstance(ledger.start(second, NOW, NOW + SECOND), Go)


class YieldingHosts(dict[str, HostLedger]):
    """A store that lets other threads run between reading and writing."""

    def __setitem__(self, host: str, ledger: HostLedger) -> None:
        time.sleep(0)
        super().__setitem__(host, ledger)


def test_threads_never_get_the_same_slot() -> None:
    ledger = Ledger(Politeness(), YieldingHosts())

    def reserve_some(client: int) -> list[int]:
        slots = [ledger.reserve("a.test", NOW, client=f"{client}") for _ in range(25)]
        return [slot.token for slot in slots if isinstance(slot, Slot)]

    with ThreadPoolExecutor(8) as threads:
        tokens = [token for some in threads.map(reserve_some, range(8)) for token in some]
    assert sorted(tokens) == list(range(1, 201))


# A small whole world: hosts that answer as they like, clients that do as they like.


@dataclass
class Host:
    """A server that keeps its own log of what it saw."""

    name: str
    crawl_delay: float
    slow: float
    trouble: float
    log: list[tuple[datetime, datetime, Outcome, str]] = field(default_factory=list)

    def answer(self, dice: random.Random, now: datetime, client: str) -> tuple[timedelta, Outcome]:
        took = timedelta(seconds=dice.expovariate(1 / self.slow))
        outcome: Outcome = OK
        if dice.random() < self.trouble:
            asks_for = timedelta(seconds=dice.randrange(60))
            bad: list[Outcome] = [Answered(503, asks_for), Answered(500), NoAnswer("reset")]
            outcome = dice.choice(bad)
        self.log.append((now, now + took, outcome, client))
        return took, outcome


@dataclass
class World:
    """Runs clients against hosts through one ledger, in the order of virtual time."""

    dice: random.Random
    politeness: Politeness
    hosts: list[Host]
    now: datetime = NOW
    leaving: float = 0.0  # how likely a waiting client walks away, or dies without a word

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.politeness)
        self.plans: list[tuple[datetime, int, Callable[[], None]]] = []
        self.planned = 0
        self.refused: Counter[str] = Counter()
        self.in_flight: Counter[str] = Counter()
        for host in self.hosts:
            self.ledger.learn(host.name, bounded(host.crawl_delay, "Crawl-delay, line 1"))

    def plan(self, when: datetime, action: Callable[[], None]) -> None:
        self.planned += 1
        heapq.heappush(self.plans, (when, self.planned, action))

    def run(self) -> None:
        while self.plans:
            assert self.planned < 100_000, "the world does not come to rest"
            self.now, _, action = heapq.heappop(self.plans)
            action()

    def visit(self, when: datetime, client: str, host: Host, patience: timedelta) -> None:
        """Plan one request of a client, which takes no slot later than its patience allows."""
        self.plan(when, lambda: self.ask(client, host, self.now + patience))

    def ask(self, client: str, host: Host, last: datetime) -> None:
        slot = self.ledger.reserve(host.name, self.now, client=client, expires_at=last)
        if isinstance(slot, Wait):
            self.refused[client] += 1
        else:
            self.plan(slot.at, lambda: self.try_to_start(client, host, slot))

    def try_to_start(self, client: str, host: Host, slot: Slot) -> None:
        if self.dice.random() < self.leaving:
            if self.dice.random() < 0.5:
                self.ledger.give_back(slot, self.now)
            return
        answer = self.ledger.start(slot, self.now, self.now + 60 * SECOND)
        if isinstance(answer, Wait):
            self.plan(answer.until, lambda: self.try_to_start(client, host, slot))
        elif isinstance(answer, Expired):
            self.refused[client] += 1
        else:
            self.send(client, host, answer)

    def send(self, client: str, host: Host, go: Go) -> None:
        self.in_flight[host.name] += 1
        assert self.in_flight[host.name] <= self.politeness.per_host
        took, outcome = host.answer(self.dice, self.now, client)
        self.plan(self.now + took, lambda: self.finish(host, go, took, outcome))

    def finish(self, host: Host, go: Go, took: timedelta, outcome: Outcome) -> None:
        self.in_flight[host.name] -= 1
        self.ledger.finish(go, self.now, took, outcome)


def check_gaps(host: Host, politeness: Politeness) -> None:
    """What a site owner could work out from the server's log: nobody came too soon."""
    troubles = doubts = 0  # in a row; two doubts are forgiven
    for (began, ended, outcome, _), (next_start, *_) in zip(host.log, host.log[1:], strict=False):
        if outcome == OK:
            troubles = doubts = 0
        elif isinstance(outcome, Answered) and outcome.status == 503:
            troubles += 1
        else:
            doubts += 1
        failures = troubles + max(doubts - 2, 0)
        owed = [politeness.delay, timedelta(seconds=host.crawl_delay), ended - began]
        if failures and outcome != OK:
            owed.append(
                min(politeness.backoff_first * 2 ** (failures - 1), politeness.backoff_most)
            )
        if isinstance(outcome, Answered) and outcome.status == 503 and outcome.asks_for:
            owed.append(outcome.asks_for)
        assert next_start - ended >= max(owed)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), leaving=st.sampled_from([0.0, 0.05, 0.3]))
def test_in_no_world_does_a_host_see_anybody_too_soon(seed: int, leaving: float) -> None:
    dice = random.Random(seed)
    politeness = Politeness(delay=dice.choice([SECOND / 10, SECOND, 3 * SECOND]))
    hosts = [
        Host(f"h{n}.test", dice.choice([0, 0, 2]), dice.choice([0.01, 0.5, 4]), dice.random() / 5)
        for n in range(3)
    ]
    world = World(dice, politeness, hosts, leaving=leaving)
    for n in range(120):
        when = NOW + timedelta(seconds=dice.random() * 60)
        patience = timedelta(seconds=dice.choice([0, 2, 30, 3600]))
        world.visit(when, f"client {n % 5}", dice.choice(hosts), patience)
    world.run()
    for host in hosts:
        check_gaps(host, politeness)
    seen = sum(len(host.log) for host in hosts)
    assert seen + sum(world.refused.values()) == 120 or leaving


def test_everybody_patient_is_served_and_the_host_is_never_idle_for_long() -> None:
    host = Host("a.test", 0, 0.01, 0)
    world = World(random.Random(1), Politeness(), [host])
    for n in range(300):
        world.visit(NOW, f"client {n % 10}", host, timedelta(days=1))
    world.run()
    assert len(host.log) == 300
    assert host.log[-1][1] - NOW < 300 * 1.2 * SECOND


def test_a_greedy_client_does_not_starve_a_modest_one() -> None:
    host = Host("a.test", 0, 0.01, 0)
    world = World(random.Random(2), Politeness(), [host])
    for _ in range(90):
        world.visit(NOW, "greedy", host, timedelta(days=1))
    for n in range(10):
        world.visit(NOW + n * 5 * SECOND, "modest", host, 10 * SECOND)
    world.run()
    assert world.refused["modest"] == 0
    waits = [began for began, _, _, client in host.log if client == "modest"]
    assert len(waits) == 10
    for n, began in enumerate(waits):
        assert began - (NOW + n * 5 * SECOND) < 5 * SECOND


@pytest.mark.parametrize(("patience", "passing"), [(0, 17), (600, 100)])
def test_a_request_every_200_ms_against_a_delay_of_a_second(patience: int, passing: int) -> None:
    # Of those that will not wait, one in six passes and not one in five: the gap counts from
    # the end of an answer, so what comes exactly a second after its start is a hair too soon.
    host = Host("a.test", 0, 0.001, 0)
    world = World(random.Random(3), Politeness(), [host])
    for n in range(100):
        world.visit(NOW + n * SECOND / 5, "script", host, patience * SECOND)
    world.run()
    assert len(host.log) == passing
    assert world.refused["script"] == 100 - passing
    check_gaps(host, Politeness())


def test_asking_how_long_one_would_wait_reserves_nothing() -> None:
    ledger = Ledger(Politeness())
    assert ledger.wait("a.test", NOW) is None
    slot = ledger.reserve("a.test", NOW)
    assert isinstance(slot, Slot)
    go = ledger.start(slot, NOW, NOW + timedelta(seconds=60))
    assert isinstance(go, Go)
    ledger.finish(go, NOW, timedelta(0), Answered(200))
    for _ in range(3):
        wait = ledger.wait("a.test", NOW)
        assert wait is not None
        assert wait.until == NOW + timedelta(seconds=1)
    assert ledger.wait("a.test", NOW + timedelta(seconds=1)) is None


def test_a_host_that_is_being_asked_may_not_be_asked_now_however_short_its_delay() -> None:
    ledger = Ledger(Politeness(delay=timedelta(0)))
    slot = ledger.reserve("a.test", NOW)
    assert isinstance(slot, Slot)
    go = ledger.start(slot, NOW, NOW + timedelta(seconds=60))
    assert isinstance(go, Go)
    wait = ledger.wait("a.test", NOW)
    assert wait is not None
    assert wait.until > NOW
    ledger.finish(go, NOW, timedelta(0), Answered(200))
    assert ledger.wait("a.test", NOW) is None
