import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.slowness import patience

from gossamer.errors import DataFolderError, StorageAwayError, StorageFullError
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import MOST_CLASHES, PostgresStore
from gossamer.frontier.protocol import Ended, HostStage, Lease, NewUrl
from gossamer.frontier.store import Row, Transaction
from gossamer.moments import now_utc

from .crashing import Place, fetch_the_rest, said
from .relay import relay
from .server import Server
from .steps import HURRIED, ended, seeds, settle, url
from .test_crashes import (
    check_diary,
    check_pages,
    check_sums,
    kill,
    rounds_of,
    start,
    wait_until,
)

Connection = psycopg.Connection[Any]
COMMIT = b"COMMIT\x00"  # the statement, and not the level of isolation that is called so too
RAISE = "DO $$ BEGIN RAISE EXCEPTION 'because' USING ERRCODE = '{}'; END $$"


@pytest.fixture
def schema(server: Server) -> Iterator[str]:
    name = f"test_{uuid.uuid4().hex}"
    yield name
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


@pytest.fixture
def place(server: Server, schema: str, tmp_path: Path) -> Place:
    diary = tmp_path / "diary"
    diary.touch()
    return Place(diary, 40, 8, dsn=server.dsn, schema=schema)


@pytest.fixture
def store(server: Server, schema: str) -> Iterator[PostgresStore]:
    store = PostgresStore(server.dsn, schema=schema)
    yield store
    store.close()


NewNode = Callable[[str], SqlFrontier]


@pytest.fixture
def new_node(server: Server, schema: str) -> Iterator[NewNode]:
    """Makes frontiers in a hurry, each on a connection of its own."""
    with ExitStack() as opened:

        def new(name: str) -> SqlFrontier:
            frontier = SqlFrontier(PostgresStore(server.dsn, schema=schema), name, HURRIED)
            return opened.enter_context(closing(frontier))

        yield new


def backend(txn: Transaction) -> int:
    ((number,),) = txn.rows("SELECT pg_backend_pid()")
    return int(number)


def add_host(txn: Transaction, name: str) -> list[Row]:
    return txn.insert("hosts", ("host", "site"), [(name, name)], "RETURNING id")


def hosts(store: PostgresStore) -> list[str]:
    return [row[0] for row in store.read(lambda txn: txn.rows("SELECT host FROM hosts"))]


# Transactions that meet head on


def test_those_who_wait_for_each_other_both_get_through(
    server: Server, schema: str, store: PostgresStore
) -> None:
    for name in ("a.test", "b.test"):
        store.transact(lambda txn, name=name: add_host(txn, name))  # type: ignore[misc] # a default binds the name
    both, runs = threading.Barrier(2), []

    def lock(first: str, second: str) -> None:
        own = PostgresStore(server.dsn, schema=schema)

        def work(txn: Transaction) -> None:
            runs.append(first)
            for name in (first, second):
                txn.rows("UPDATE hosts SET content = content + 1 WHERE host = ?", name)
                if runs.count(first) == 1 and name == first:
                    both.wait(20)

        own.transact(work)
        own.close()

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lock, ("a.test", "b.test"), ("b.test", "a.test")))
    assert len(runs) >= 3  # whom the server sends back, it may send back again
    assert store.read(lambda txn: txn.rows("SELECT content FROM hosts")) == [(2,), (2,)]


def test_a_clash_without_end_is_told(store: PostgresStore) -> None:
    runs = []

    def work(txn: Transaction) -> None:
        runs.append(1)
        txn.rows(RAISE.format("40001"))

    with pytest.raises(DataFolderError, match="cannot be used: because"):
        store.transact(work)
    assert len(runs) == MOST_CLASHES + 1


def test_a_full_disk_is_told_as_such_and_leaves_nothing_half_done(store: PostgresStore) -> None:
    def work(txn: Transaction) -> None:
        add_host(txn, "a.test")
        txn.rows(RAISE.format("53100"))

    with pytest.raises(StorageFullError, match="disk is full"):
        store.transact(work)
    assert hosts(store) == []
    store.transact(lambda txn: add_host(txn, "b.test"))
    assert hosts(store) == ["b.test"]


# Connections that are lost


def test_work_whose_connection_is_cut_runs_again(
    store: PostgresStore, server_connection: Connection
) -> None:
    backends = []

    def work(txn: Transaction) -> None:
        backends.append(backend(txn))
        add_host(txn, "a.test")
        if len(backends) < 3:
            server_connection.execute("SELECT pg_terminate_backend(%s, 5000)", [backends[-1]])
        add_host(txn, "b.test")

    store.transact(work)
    assert len(set(backends)) == 3
    assert hosts(store) == ["a.test", "b.test"]


def test_a_commit_that_nobody_heard_of_is_settled_once(server: Server, schema: str) -> None:
    server.require_own()
    with (
        tempfile.TemporaryDirectory() as folder,
        relay(Path(folder), server.dsn) as (between, dsn),
    ):
        frontier = SqlFrontier(PostgresStore(dsn, schema=schema), "one", HURRIED)
        frontier.add(seeds(url("1"), url("2")))
        (lease,) = frontier.lease(1)
        between.last_words = COMMIT
        outcome = settle(frontier, *(ended(page, Ended.CONTENT, url("3")) for page in lease.pages))
        assert between.cuts == 1
        assert outcome.stale == ()
        counts = frontier.counts()
        assert (counts.known, counts.pending, counts.handed) == (3, 1, 0)
        assert counts.ended == {Ended.CONTENT: 2}
        frontier.close()


def test_a_lease_whose_commit_nobody_heard_of_is_freed_by_who_asked_for_it(
    server: Server, schema: str
) -> None:
    server.require_own()
    with (
        tempfile.TemporaryDirectory() as folder,
        relay(Path(folder), server.dsn) as (between, dsn),
        closing(SqlFrontier(PostgresStore(dsn, schema=schema), "one", HURRIED)) as frontier,
    ):
        names = ("a.test", "b.test")
        frontier.add(seeds(*(url(str(number), name) for name in names for number in range(6))))

        between.last_words = COMMIT
        leases = {lease.host: lease for lease in frontier.lease(9, pages=2)}
        assert between.cuts == 1
        assert leases.keys() == {"a.test", "b.test"}
        assert frontier.counts().handed == 4

        between.last_words = COMMIT
        more = frontier.more(leases["a.test"], 2)
        assert (between.cuts, len(more), frontier.counts().handed) == (2, 2, 6)

        unused = [*more, *(page for lease in leases.values() for page in lease.pages)]
        frontier.release({lease.token: lease.clock for lease in leases.values()}, unused)
        counts = frontier.counts()
        assert (counts.handed, counts.pending) == (0, 12)
        assert not counts.hosts[HostStage.LEASED]

        between.last_words = COMMIT
        assert isinstance(frontier.reserve("c.test"), Lease)
        assert between.cuts == 3
        assert frontier.counts().hosts[HostStage.LEASED] == 1


def test_a_lease_is_freed_too_when_the_server_is_back_after_patience_ended(
    server: Server, schema: str
) -> None:
    server.require_own()
    with (
        tempfile.TemporaryDirectory() as folder,
        relay(Path(folder), server.dsn) as (between, dsn),
        closing(
            SqlFrontier(PostgresStore(dsn, schema=schema, patience=timedelta(0)), "one", HURRIED)
        ) as frontier,
    ):
        frontier.add(seeds(url("1")))
        between.last_words = COMMIT
        with pytest.raises(StorageAwayError):
            frontier.lease(1)
        (lease,) = frontier.lease(1)
        assert [page.url for page in lease.pages] == [url("1")]


def test_an_outage_is_told_once_and_so_is_its_end(server: Server, schema: str) -> None:
    server.require_own()
    said: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        with relay(Path(folder), server.dsn) as (_, dsn):
            store = PostgresStore(dsn, schema=schema, tell=said.append)
            store._disconnect()
        with ThreadPoolExecutor(1) as thread:
            waiting = thread.submit(hosts, store)
            while not said:
                time.sleep(0.01)
            (Path(folder) / ".s.PGSQL.5432").unlink()
            with relay(Path(folder), server.dsn):
                assert waiting.result(patience(60)) == []
                store.close()
    assert len(said) == 2
    assert "PostgreSQL cannot be reached: the database postgres at" in said[0]
    assert "Retrying until" in said[0]
    assert "PostgreSQL is back" in said[1]


def test_patience_ends_with_a_sentence_without_the_password() -> None:
    said: list[str] = []
    dsn = "postgresql://me:secret@127.0.0.1:1/crawl"
    with pytest.raises(StorageAwayError, match="run the same command again") as away:
        PostgresStore(dsn, patience=timedelta(seconds=0.2), tell=said.append)
    assert len(said) == 1
    assert "the database crawl at 127.0.0.1:1 (Connection refused" in said[0]
    assert "secret" not in said[0] + str(away.value)


def test_whoever_is_told_to_give_up_waits_for_a_server_that_is_there_only(
    server: Server, schema: str, tmp_path: Path
) -> None:
    said: list[str] = []
    with relay(tmp_path, server.dsn) as (_, dsn):
        store = PostgresStore(dsn, schema=schema, tell=said.append)
        store.give_up()
        assert hosts(store) == []
        store._disconnect()
    for _ in range(100):  # all that are left get the same answer, and no attempt each
        with pytest.raises(StorageAwayError, match="Nothing that was settled is lost"):
            hosts(store)
    store.close()
    assert said == []


def test_whoever_waits_for_a_server_gives_up_when_the_store_is_closed(
    server: Server, schema: str
) -> None:
    said = threading.Event()
    store = PostgresStore(server.dsn, schema=schema, tell=lambda _: said.set())
    store._disconnect()
    store._dsn = "postgresql://127.0.0.1:1/crawl"
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(hosts, store)
        assert said.wait(20)
        store.close()
        with pytest.raises(StorageAwayError):
            waiting.result(20)
    with pytest.raises(StorageAwayError, match="was closed"):
        hosts(store)


def test_a_node_that_freezes_in_a_transaction_does_not_keep_its_locks(
    server: Server, schema: str, store: PostgresStore
) -> None:
    store.transact(lambda txn: add_host(txn, "a.test"))
    freezing = PostgresStore(server.dsn, schema=schema, silence=timedelta(seconds=0.2))
    frozen, wake, runs = threading.Event(), threading.Event(), []
    change = "UPDATE hosts SET content = content + 1 WHERE host = 'a.test' RETURNING content"

    def work(txn: Transaction) -> list[Row]:
        runs.append(1)
        txn.rows(change)
        frozen.set()
        wake.wait(20)
        return txn.rows(change)

    with ThreadPoolExecutor(1) as thread:
        waking = thread.submit(freezing.transact, work)
        assert frozen.wait(20)
        # Waits for the frozen one's lock, and gets it.
        assert store.transact(lambda txn: txn.rows(change)) == [(1,)]
        wake.set()
        assert waking.result(20) == [(3,)]
    assert len(runs) == 2
    freezing.close()


def test_reading_changes_nothing_and_sees_one_moment(
    store: PostgresStore, server: Server, schema: str
) -> None:
    other = PostgresStore(server.dsn, schema=schema)

    def look(txn: Transaction) -> tuple[list[Row], list[Row]]:
        before = txn.rows("SELECT host FROM hosts")
        other.transact(lambda txn: add_host(txn, "a.test"))
        return before, txn.rows("SELECT host FROM hosts")

    assert store.read(look) == ([], [])
    assert hosts(store) == ["a.test"]
    with pytest.raises(DataFolderError, match="read-only"):
        store.read(lambda txn: add_host(txn, "b.test"))
    other.close()


# Time


@pytest.mark.parametrize("minutes", [-10, 0, 10])
def test_the_servers_time_is_told_in_ours_within_what_is_known(
    server: Server, schema: str, minutes: int
) -> None:
    ahead = timedelta(minutes=minutes)
    store = PostgresStore(server.dsn, schema=schema, now=lambda: now_utc() + ahead)
    before = now_utc() + ahead

    def look(txn: Transaction) -> tuple[Any, ...]:
        late, early = txn.here(txn.now), txn.deadline(txn.now)
        return early, late, txn.now, txn.there(early), txn.there(late)

    early, late, server_now, there_early, there_late = store.read(look)
    assert before <= early <= late <= now_utc() + ahead
    assert there_early == server_now <= there_late
    store.close()


# Many nodes


def run(places: list[Place], seconds: float, *, enough: Callable[[], bool] = lambda: True) -> None:
    """Nodes at work, for a while, and longer until it is enough; then all of them are gone."""
    nodes = [start(place, number) for number, place in enumerate(places)]
    time.sleep(seconds)
    for _ in range(300):  # to start takes its time on a busy machine
        if enough():
            break
        time.sleep(0.1)
    for process in nodes:
        assert process.exitcode is None, "a node ended by itself"
        process.kill()
        process.join()
        process.close()


def check(place: Place) -> None:
    with closing(place.frontier("last")) as frontier:
        check_sums(frontier)
        fetch_the_rest(place, frontier, 2_000)
        check_diary(place)
        check_pages(place, frontier)
        check_sums(frontier)
        assert frontier.counts().left == 0


def test_nodes_that_work_together_lease_no_host_twice_at_once(
    place: Place, full_size: bool
) -> None:
    run([place] * 4, 60 if full_size else 3)
    check(place)


def test_those_who_lease_at_the_same_moment_share_no_host(
    new_node: NewNode, full_size: bool
) -> None:
    rounds = 400 if full_size else 30
    frontiers = [new_node(str(n)) for n in range(4)]
    frontiers[0].add(seeds(*(url(str(n), f"h{n % 12}.test") for n in range(20 * rounds))))
    together = threading.Barrier(4)

    def lease(frontier: SqlFrontier) -> list[Lease]:
        together.wait(patience(60))
        return frontier.lease(4, pages=1)

    handed = 0
    for _ in range(rounds):
        with ThreadPoolExecutor(4) as threads:
            leased = list(threads.map(lease, frontiers))
        held = Counter(each.host for leases in leased for each in leases)
        assert set(held.values()) <= {1}
        handed += held.total()
        for frontier, leases in zip(frontiers, leased, strict=True):
            settle(frontier, *(ended(page) for each in leases for page in each.pages))
            frontier.release({each.token: each.clock for each in leases})
    assert handed > 4 * rounds


def test_nodes_with_skewed_clocks_stay_polite(place: Place, full_size: bool) -> None:
    ahead = [timedelta(minutes=minutes) for minutes in (-7, 0, 3, 90)]
    sql = "SELECT node FROM tallies WHERE name = 'content' AND node <> 'last' ORDER BY node"
    with closing(place.store()) as store:

        def all_have_worked() -> bool:
            return store.read(lambda txn: txn.rows(sql)) == [(f"node {n}",) for n in range(4)]

        places = [place._replace(ahead=each) for each in ahead]
        run(places, 60 if full_size else 3, enough=all_have_worked)
        check(place)
        assert all_have_worked()  # none of them waits for a time that never comes


def test_a_server_that_is_restarted_under_load_loses_nothing(
    server: Server, place: Place, full_size: bool
) -> None:
    server.require_own()
    chance = random.Random(1)
    nodes = {number: start(place, number) for number in range(3)}

    def go_on() -> None:
        """Wait until all nodes have come further than they are now."""
        rounds = {number: rounds_of(place, number) for number in nodes}
        wait_until(nodes, lambda: all(rounds_of(place, each) > rounds[each] for each in nodes))

    go_on()
    for turn in range(20 if full_size else 2):
        time.sleep(chance.uniform(0.1, 0.5))  # to no end but that it be at any moment
        server.restart("fast" if turn % 2 else "immediate")
        go_on()
    wait_until(nodes, lambda: said(place.diary, "settled"))
    for process in nodes.values():
        kill(process)
    check(place)


FROZEN = """
import os, signal, sys
from datetime import timedelta
from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.protocol import Ended, Outlink, Settlement
from gossamer.model import Url
frontier = SqlFrontier(
    PostgresStore(sys.argv[1], schema=sys.argv[2]), "frozen", Politeness(delay=timedelta(0)),
    lease_length=timedelta(milliseconds=200),
)
(lease,) = frontier.lease(1)
os.kill(os.getpid(), signal.SIGSTOP)
settled = frontier.settle(
    [Settlement(page=page, ended=Ended.FAILED, links=[Url("https://new.test/")])
     for page in lease.pages],
    {lease.token: lease.clock},
)
assert len(settled.stale) == len(lease.pages) == 2 and settled.new == 0, settled
assert frontier.renew([lease.token]) == {}
assert frontier.more(lease, 5) == ()
assert frontier.release({lease.token: lease.clock}) == {lease.token}
print("refused")
"""


@pytest.mark.parametrize("settled_meanwhile", [True, False])
def test_what_a_node_brings_that_was_frozen_past_its_lease_is_refused(
    server: Server, schema: str, new_node: NewNode, settled_meanwhile: bool
) -> None:
    frontier = new_node("awake")
    frontier.add(seeds(url("1"), url("2")))
    child = subprocess.Popen(
        [sys.executable, "-c", FROZEN, server.dsn, schema], stdout=subprocess.PIPE, text=True
    )
    _, status = os.waitpid(child.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    while not (leases := frontier.lease(1)):
        time.sleep(0.02)
    (lease,) = leases
    assert {page.url for page in lease.pages} == {url("1"), url("2")}
    if settled_meanwhile:
        settle(frontier, *map(ended, lease.pages))
    before = everything(frontier)
    os.kill(child.pid, signal.SIGCONT)
    said, _ = child.communicate(timeout=patience(60))
    assert said == "refused\n"
    assert everything(frontier) == before
    assert settle(frontier, *map(ended, lease.pages)).stale == ()


def everything(frontier: SqlFrontier) -> list[list[Row]]:
    names = ("pages", "hosts", "claims", "sites", "outlinks")
    return [
        frontier._store.read(lambda txn, name=name: txn.rows(f"SELECT * FROM {name} ORDER BY 1"))  # type: ignore[misc] # a default binds the name
        for name in names
    ]


def test_a_page_added_just_as_its_host_is_put_away_is_not_forgotten(
    new_node: NewNode, full_size: bool
) -> None:
    rounds = 400 if full_size else 15
    one, two = new_node("one"), new_node("two")
    one.add(seeds(url("0")))
    wanted = threading.Semaphore(0)

    def add() -> None:
        for number in range(1, rounds):
            assert wanted.acquire(timeout=patience(60))
            two.add([NewUrl(url(str(number)))])

    with ThreadPoolExecutor(1) as thread:
        adding = thread.submit(add)
        done = 0
        while done < rounds:
            for lease in one.lease(1):
                settle(one, *map(ended, lease.pages))
                done += len(lease.pages)
                wanted.release(len(lease.pages))  # the next is added while we put the host away
                one.release({lease.token: lease.clock})
        adding.result()
    assert one.counts().left == 0


def test_many_who_add_the_same_links_at_once_agree_on_the_best_of_each(new_node: NewNode) -> None:
    frontiers = [new_node(str(n)) for n in range(4)]

    def add(number: int) -> None:
        order = random.Random(number).sample(range(200), 200)
        for some in range(0, 200, 20):
            frontiers[number].add(
                [
                    NewUrl(url(str(n), f"h{n % 7}.test"), (n + number) % 4 + 1, (n - number) % 4)
                    for n in order[some : some + 20]
                ]
            )

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add, range(4)))
    frontier = frontiers[0]
    for n in range(200):
        page = frontier.page(url(str(n), f"h{n % 7}.test"))
        assert page is not None
        assert (page.depth, page.priority) == (1, 3)
    check_sums(frontier)
    assert frontier.counts().known == 200
