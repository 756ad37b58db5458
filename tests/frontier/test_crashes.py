"""What a frontier is for, above all: nothing is lost and nothing hastened, whoever dies.

This is a promise of all modules of the frontier together, on both engines, and so the test
of none of them. Time is real here, since a killed process has no other: gaps may be longer
than they must, never shorter.
"""

import multiprocessing
import os
import random
import signal
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from itertools import islice, pairwise
from multiprocessing.process import BaseProcess
from pathlib import Path

import psycopg
import pytest
from tests.slowness import patience

from gossamer.frontier import overview
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended
from gossamer.frontier.schema import HANDED, PAGE_STATES
from gossamer.model import Url

from .crashing import Place, fetch_the_rest, live, requests, said
from .server import Server

DRIFT = 0.001  # seconds: clocks of different processes, over a minute or so
MOST_ROUNDS = 2_000
PATIENCE = patience(60)  # seconds, after which nodes hang

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.frontier.crashing"])


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path, full_size: bool) -> Iterator[Place]:
    """An empty frontier."""
    diary, pages = tmp_path / "diary", 100 if full_size else 8
    diary.touch()
    if request.param == "sqlite":
        # Longer than it takes to start again: else no restart could hasten anything.
        delay = timedelta(milliseconds=200)
        yield Place(diary, 30, pages, file=tmp_path / "frontier.db", delay=delay)
        return
    server: Server = request.getfixturevalue("server")
    name = f"crashes_{uuid.uuid4().hex}"
    yield Place(diary, 60, pages, dsn=server.dsn, schema=name)
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


@pytest.mark.timeout(3600)
def test_nothing_is_lost_and_nothing_hastened_by_nodes_that_are_killed(
    place: Place, full_size: bool
) -> None:
    kill_nodes(place, nodes=1 if place.file else 3, times=400 if full_size else 30)
    check_diary(place)
    with closing(place.frontier("last")) as frontier:
        if place.file:
            frontier.take_over()
        check_pages(place, frontier)
        check_sums(frontier)
        # Nothing was forgotten on the way: all that is left can be fetched.
        fetch_the_rest(place, frontier, MOST_ROUNDS)
        check_diary(place)
        check_pages(place, frontier)
        check_sums(frontier)
        assert frontier.counts().left == 0


def kill_nodes(place: Place, nodes: int, times: int) -> None:
    """Start nodes, and kill them one after the other; another takes the place of each.

    Some are killed before they are connected, most when they have done something: however long
    that takes, else a busy machine would see all of them killed before they begin.
    """
    chance = random.Random(times)
    numbers = iter(range(nodes + times))
    alive = {number: start(place, number) for number in islice(numbers, nodes)}
    for number in numbers:
        dying = min(alive)
        wait_until(alive, partial(has_begun, place, dying, chance.randint(0, 2)))
        time.sleep(chance.uniform(0.01, 0.3))  # to no end but that it be at any moment
        kill(alive.pop(dying))
        alive[number] = start(place, number)
    wait_until(alive, lambda: said(place.diary, "settled"))
    for process in alive.values():
        kill(process)


def has_begun(place: Place, number: int, rounds: int) -> bool:
    """Whether a node has come that far."""
    return rounds_of(place, number) >= rounds


def rounds_of(place: Place, number: int) -> int:
    """How many rounds a node has begun."""
    return said(place.diary, "round").count(str(number))


def wait_until(alive: dict[int, BaseProcess], is_so: Callable[[], object]) -> None:
    """Wait for what nodes do."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "nodes hang"
        assert all(each.exitcode is None for each in alive.values()), "a node ended by itself"
        time.sleep(0.005)


def kill(process: BaseProcess) -> None:
    assert process.exitcode is None, "a node ended by itself"
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    process.close()


def start(place: Place, number: int) -> BaseProcess:
    # A few names, used again: a node that comes back is the same node.
    process = PROCESSES.Process(target=live, args=(place, f"node {number % 5}", number))
    process.start()
    return process


def check_diary(place: Place) -> None:
    settled = said(place.diary, "settled")
    assert settled
    assert len(settled) == len(set(settled)), "a page was settled twice"
    gaps = [
        (after.start - before.end, host)
        for host, of_host in requests(place.diary)
        for before, after in pairwise(of_host)
    ]
    assert not gaps or min(gaps)[0] >= place.delay.total_seconds() - DRIFT


def check_pages(place: Place, frontier: SqlFrontier) -> None:
    """All that was confirmed is there, and no page was asked for after it was settled."""
    for url in set(said(place.diary, "added")):
        assert frontier.page(Url(url)) is not None, f"{url} is lost"
    numbers = frontier._store.read(lambda txn: txn.rows("SELECT url, id FROM pages"))
    ids: dict[str, int] = dict(numbers)
    lines = [line.split() for line in place.diary.read_text().splitlines()]
    settled = {ids[words[1]]: float(words[2]) for words in lines if words[0] == "settled"}
    for url in said(place.diary, "settled"):
        page = frontier.page(Url(url))
        assert page is not None
        assert page.state == "settled", url
    for words in lines:
        if words[0] == "sent" and int(words[2]) in settled:
            assert float(words[3]) < settled[int(words[2])], f"{words} was settled before"


def check_sums(frontier: SqlFrontier) -> None:
    """What is counted as it goes is what there is.

    Looked at in one moment: the server may still be busy with the last words of the dead.
    """
    counts, states, wrong = frontier._store.read(
        lambda txn: (
            overview.counts(txn, frontier._memory),
            txn.rows("SELECT state, count(*) FROM pages GROUP BY state"),
            txn.rows(
                f"""SELECT host FROM hosts WHERE handed <>
                    (SELECT count(*) FROM pages WHERE host_id = hosts.id AND state = {HANDED})
                OR content <>
                    (SELECT count(*) FROM pages WHERE host_id = hosts.id AND ended = 'content')"""
            ),
        )
    )
    real = {PAGE_STATES[state]: count for state, count in states}
    assert counts.known == sum(real.values())
    assert counts.pending == real.get("pending", 0)
    assert counts.handed == real.get("handed out", 0)
    assert counts.ended.get(Ended.CONTENT, 0) == real.get("settled", 0)
    assert wrong == []
