"""What both engines do alike: the frontier relies on nothing else."""

from datetime import timedelta

import pytest

from gossamer.frontier.schema import BEYOND, HANDED, PENDING, SETTLED
from gossamer.frontier.store import LinkRow, Row, Store, Transaction
from gossamer.moments import to_microseconds

from .worlds import START, World

HOSTS = [("a.test", "a.test"), ("b.test", "b.test"), ("c.test", "c.test")]


def hosts(txn: Transaction) -> dict[str, int]:
    return dict(txn.insert("hosts", ("host", "site"), HOSTS, "RETURNING host, id"))


def link(host_id: int, key: int, depth: int = 1, priority: int = 0) -> LinkRow:
    return (host_id, key, f"https://a.test/{key}", depth, priority, 0, False, PENDING)


def test_work_that_fails_leaves_nothing(store: Store) -> None:
    def fail(txn: Transaction) -> None:
        hosts(txn)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        store.transact(fail)
    assert store.read(lambda txn: txn.rows("SELECT * FROM hosts")) == []


def test_many_rows_go_in_and_what_is_there_can_be_kept(store: Store) -> None:
    assert len(store.transact(hosts)) == 3
    kept = store.transact(
        lambda txn: txn.insert(
            "hosts",
            ("host", "site"),
            [("a.test", "x"), ("d.test", "d.test")],
            "ON CONFLICT (host) DO NOTHING RETURNING host",
        )
    )
    assert kept == [("d.test",)]
    assert store.transact(lambda txn: txn.insert("hosts", ("host", "site"), [])) == []


def test_many_rows_change_by_the_values_beside_their_numbers(store: Store) -> None:
    ids = store.transact(hosts)

    def change(txn: Transaction) -> list[Row]:
        return txn.update(
            "hosts",
            ("id", "best", "wanted_by"),
            [(ids["a.test"], 5, None), (ids["b.test"], 7, "two"), (-1, 9, "x")],
            "best = hosts.best + :best, wanted_by = :wanted_by",
            "hosts.id = :id AND hosts.best < :best",
            "hosts.host, hosts.best, hosts.wanted_by",
        )

    assert sorted(store.transact(change)) == [("a.test", 5, None), ("b.test", 7, "two")]
    assert store.transact(change) == []
    assert store.transact(lambda txn: txn.update("hosts", ("id",), [], "best = 1", "TRUE")) == []


def test_rows_are_found_by_any_of_many_values(store: Store) -> None:
    store.transact(hosts)
    sql = "SELECT host FROM hosts WHERE host {any} ORDER BY host"
    found = store.read(lambda txn: txn.any_of(sql, "host", ["c.test", "a.test", "x.test"]))
    assert sorted(found) == [("a.test",), ("c.test",)]
    assert store.read(lambda txn: txn.any_of(sql, "host", [])) == []


def test_a_known_page_keeps_the_best_of_both(store: Store) -> None:
    def better(*links: LinkRow) -> list[Row]:
        new, better = store.transact(lambda txn: txn.remember(links))
        assert new == []
        return [row[1:] for row in better]

    host_id = store.transact(hosts)["a.test"]
    first = [link(host_id, -1, depth=3, priority=5), link(host_id, 2, depth=3)]
    size = sum(len(each[2]) for each in first)
    assert store.transact(lambda txn: txn.remember(first)) == ([(host_id, PENDING, 2, 5, size)], [])
    # Worse or equal tells nothing; better does, and each for itself.
    assert better(link(host_id, -1, depth=4, priority=4), link(host_id, 2, depth=3)) == []
    assert better(link(host_id, -1, depth=4, priority=6)) == [(host_id, 3, 6, PENDING, 0, None)]
    assert better(link(host_id, -1, depth=2, priority=0)) == [(host_id, 2, 6, PENDING, 0, None)]


def test_new_pages_are_counted_by_host_and_state(store: Store) -> None:
    ids = store.transact(hosts)
    a, b = ids["a.test"], ids["b.test"]
    beyond = (*link(a, 3, priority=7)[:-1], BEYOND)
    store.transact(lambda txn: txn.remember([link(a, 1)]))
    links = [link(a, 1), link(a, 2, priority=4), beyond, link(b, 1), link(b, 2, priority=1)]
    new, better = store.transact(lambda txn: txn.remember(links))
    size = len(beyond[2])
    assert sorted(new) == [
        (a, PENDING, 1, 4, size),
        (a, BEYOND, 1, 7, size),
        (b, PENDING, 2, 1, 2 * size),
    ]
    assert better == []


@pytest.mark.parametrize("state", [HANDED, BEYOND])
def test_a_page_still_to_be_fetched_takes_a_higher_priority(store: Store, state: int) -> None:
    host_id = store.transact(hosts)["a.test"]
    store.transact(lambda txn: txn.remember([link(host_id, 1)]))
    store.transact(lambda txn: txn.rows("UPDATE pages SET state = ?", state))
    _, (better,) = store.transact(lambda txn: txn.remember([link(host_id, 1, priority=9)]))
    assert better[2:] == (1, 9, state, 0, None)


def test_a_settled_page_is_not_written_again_for_its_priority(store: Store) -> None:
    host_id = store.transact(hosts)["a.test"]
    store.transact(lambda txn: txn.remember([link(host_id, 1)]))
    store.transact(lambda txn: txn.rows("UPDATE pages SET state = ?", SETTLED))
    urgent = [link(host_id, 1, priority=9)]
    assert store.transact(lambda txn: txn.remember(urgent)) == ([], [])
    _, (nearer,) = store.transact(lambda txn: txn.remember([link(host_id, 1, depth=0)]))
    assert nearer[2] == 0


def test_pages_come_by_priority_then_depth_then_arrival(store: Store) -> None:
    ids = store.transact(hosts)
    a, b = ids["a.test"], ids["b.test"]
    rows = [link(a, 9), link(a, 4), link(a, 7, depth=0), link(a, 1, depth=5, priority=1)]
    store.transact(lambda txn: txn.remember([*rows, link(b, 1), link(b, 0)]))
    found = store.transact(lambda txn: txn.next_pages("host_id, key", [(a, 3), (b, 9)]))
    assert found == [(a, 1), (a, 7), (a, 9), (b, 1), (b, 0)]
    assert store.read(lambda txn: txn.next_pages("key", [])) == []


def test_tokens_are_never_given_out_twice(world: World) -> None:
    one, two = world.store(), world.store()
    tokens = [
        token
        for store in (one, two, one)
        for count in (1, 3, 0)
        for token in store.transact(lambda txn, count=count: txn.tokens(count))  # type: ignore[misc] # bound
    ]
    assert len(set(tokens)) == len(tokens) == 12


def test_we_do_not_stand_in_our_own_way(store: Store) -> None:
    ids = sorted(store.transact(hosts).values())

    def watch(txn: Transaction) -> set[int]:
        txn.alone("limits")
        txn.watch(ids[:1])
        txn.watch([])
        return txn.unwatched(ids)

    assert store.transact(watch) == set(ids)
    assert store.transact(lambda txn: txn.unwatched([])) == set()


def test_the_store_has_one_moment_for_a_transaction(world: World) -> None:
    store = world.store()
    assert store.transact(lambda txn: txn.now) == to_microseconds(START)
    world.later(1.5)
    assert store.read(lambda txn: txn.now) == to_microseconds(START) + 1_500_000


def test_what_is_waited_for_comes_late_and_deadlines_early(store: Store) -> None:
    later = START + timedelta(seconds=10)

    def check(txn: Transaction) -> None:
        assert txn.deadline(to_microseconds(later)) <= later <= txn.here(to_microseconds(later))
        assert txn.there(later) >= to_microseconds(later)

    store.read(check)
