import itertools
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.leasing import FIRST_READY, OLDEST_READY
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.postgres_server import connect
from gossamer.frontier.postgres_transaction import PostgresTransaction, Skew
from gossamer.frontier.protocol import Ended, Limits
from gossamer.frontier.schema import PENDING
from gossamer.frontier.store import LinkRow, Row, Transaction, Value

from .server import Server
from .steps import HURRIED, ended, seeds, settle, url

SCHEMA = "test_transaction"
MOMENTS = st.integers(0, 1 << 52)
DIFFERENCES = st.integers(-(1 << 45), 1 << 45)
LENGTHS = st.integers(0, 1 << 40)


@pytest.fixture
def store(server: Server, server_connection: Any) -> Iterator[PostgresStore]:
    store = PostgresStore(server.dsn, schema=SCHEMA)
    yield store
    store.close()
    server_connection.execute(f"DROP SCHEMA {SCHEMA} CASCADE")


@pytest.fixture
def other(server: Server, store: PostgresStore) -> Iterator[PostgresStore]:
    other = PostgresStore(server.dsn, schema=SCHEMA)
    yield other
    other.close()


def link(key: int, host_id: int = 1, depth: int = 1, priority: int = 0) -> LinkRow:
    return (host_id, key, f"https://a.test/{key}", depth, priority, 0, False, PENDING)


def add_hosts(txn: Transaction, names: Sequence[str] = ("a.test", "b.test")) -> list[int]:
    rows = txn.insert("hosts", ("host", "site"), [(n, n) for n in names], "RETURNING id")
    return [row[0] for row in rows]


def test_rows_that_others_change_are_left_out_of_what_is_claimed(
    store: PostgresStore, other: PostgresStore
) -> None:
    a, b = store.transact(add_hosts)
    claimed = "SELECT id FROM hosts ORDER BY id {claim}"

    def both(txn: Transaction) -> tuple[list[Row], list[Row]]:
        mine = txn.rows(f"SELECT id FROM hosts WHERE id = {a} {{lock}}")
        return mine, other.transact(lambda txn: txn.rows(claimed))

    assert store.transact(both) == ([(a,)], [(b,)])


def test_a_page_that_somebody_changes_is_not_handed_out(
    store: PostgresStore, other: PostgresStore
) -> None:
    store.transact(lambda txn: txn.remember([link(1), link(2)]))

    def both(txn: Transaction) -> list[Row]:
        txn.remember([link(1, depth=0)])
        return other.transact(lambda txn: txn.next_pages("key", [(1, 9)]))

    assert store.transact(both) == [(2,)]
    assert store.transact(lambda txn: txn.next_pages("key", [(1, 9)])) == [(1,), (2,)]


def test_a_watched_host_is_not_put_away_but_may_be_leased(
    store: PostgresStore, other: PostgresStore
) -> None:
    a, b = store.transact(add_hosts)

    def both(txn: Transaction) -> tuple[set[int], list[Row]]:
        txn.watch([a])
        alone = other.transact(lambda txn: txn.unwatched([a, b]))
        return alone, other.transact(lambda txn: txn.rows("SELECT id FROM hosts {claim}"))

    assert store.transact(both) == ({b}, [(a,), (b,)])
    assert store.transact(lambda txn: txn.unwatched([a, b])) == {a, b}


def test_two_who_add_to_a_host_do_not_wait_for_each_other(
    store: PostgresStore, other: PostgresStore
) -> None:
    (a, _) = store.transact(add_hosts)

    def both(txn: Transaction) -> int:
        txn.watch([a])
        txn.remember([link(1, a), link(2, a)])

        def add(txn: Transaction) -> int:
            new, _ = txn.remember([link(3, a)])
            txn.watch([a])
            return len(new)

        return other.transact(add)

    assert store.transact(both) == 1


def test_pages_are_numbered_by_arrival_whatever_their_keys(store: PostgresStore) -> None:
    keys = [9, -3, 7, 1 << 60, 0]
    store.transact(lambda txn: txn.remember([link(key) for key in keys]))
    assert store.transact(lambda txn: txn.next_pages("key", [(1, 9)])) == [(key,) for key in keys]


def test_names_are_ordered_by_their_bytes(store: PostgresStore) -> None:
    names = ["a-b.test", "a.test", "ab.test", "xn--9ca.test"]
    store.transact(lambda txn: add_hosts(txn, [names[2], names[0], names[3], names[1]]))
    rows = store.read(lambda txn: txn.rows("SELECT host FROM hosts ORDER BY host"))
    assert [row[0] for row in rows] == sorted(names)


class Overheard(PostgresTransaction):
    """Keeps the statements that were run."""

    statements: set[str]

    def _run(self, sql: str, values: Sequence[Value]) -> list[Row]:
        self.statements.add(sql)
        return super()._run(sql, values)


class OverheardStore(PostgresStore):
    """A store whose statements can be looked at."""

    def __init__(self, dsn: str, schema: str) -> None:
        self.statements: set[str] = set()
        super().__init__(dsn, schema=schema)

    def transact(self, work: Any, *, durable: bool = True) -> Any:
        def overheard(txn: PostgresTransaction) -> Any:
            heard = Overheard(txn._cursor, txn.now, txn._skew)
            heard.statements = self.statements
            return work(heard)

        return super().transact(overheard, durable=durable)


def numbered(sql: str) -> str:
    numbers = itertools.count(1)
    return re.sub("%s", lambda _: f"${next(numbers)}", sql)


def test_every_statement_of_a_crawl_finds_its_rows_by_an_index(
    server: Server, store: PostgresStore
) -> None:
    overheard = OverheardStore(server.dsn, SCHEMA)
    frontier = SqlFrontier(
        overheard, "one", HURRIED, limits=Limits(depth=3, per_site=50), lease_length=timedelta(0)
    )
    frontier.add(seeds(url("1"), url("2")))
    frontier.lease(1)
    for turn in range(3):
        for lease in frontier.lease(5, pages=1):
            frontier.renew([lease.token])
            frontier.makes_way(lease, lease.pages[0])
            more = frontier.more(lease, 1)
            pages = [*lease.pages, *more]
            to = [url(str(turn), f"h{turn}.test"), url("1", "b.test")]
            settle(frontier, *(ended(page, Ended.CONTENT, *to) for page in pages))
            frontier.release({lease.token: lease.clock})
    frontier.reserve("a.test")
    assert len(overheard.statements) > 25
    assert FIRST_READY in overheard.statements
    overheard.statements.add(OLDEST_READY.replace("?", "%s"))  # which is run now and then
    connection = connect(server.dsn, SCHEMA, timedelta(seconds=15))
    if connection.info.server_version < 160_000:
        connection.close()
        pytest.skip("needs postgres of version 16: older ones do not explain plans for any value")
    for sql in overheard.statements:
        plan = connection.execute(f"EXPLAIN (GENERIC_PLAN) {numbered(sql)}".encode()).fetchall()
        text = "\n".join(row[0] for row in plan)
        assert "Seq Scan on" not in text, f"{sql}\n{text}"
        # The index must lead to the rows, not just be read from one end to the other.
        for index in re.finditer(
            r"Index.* Scan using (\w+) on (pages|claims|outlinks).*\n(.*)", text
        ):
            assert "Index Cond" in index[3] or "pending" in index[1], f"{sql}\n{text}"
    connection.close()
    frontier.close()


@st.composite
def clocks(draw: st.DrawFn) -> tuple[int, Skew, int]:
    """How far we really are ahead, what we know of it, and what the server said."""
    ahead, server = draw(DIFFERENCES), draw(MOMENTS)
    before = server + ahead - draw(LENGTHS)
    after = server + ahead + draw(LENGTHS)
    return ahead, Skew.measured(before, server, after), server


@given(clocks(), MOMENTS)
def test_the_true_moment_lies_between_deadline_and_here(
    clock: tuple[int, Skew, int], moment: int
) -> None:
    ahead, skew, _ = clock
    assert skew.deadline(moment) <= moment + ahead <= skew.here(moment)


@given(clocks(), MOMENTS)
def test_what_we_tell_the_server_is_never_too_early(
    clock: tuple[int, Skew, int], moment: int
) -> None:
    ahead, skew, _ = clock
    assert skew.there(moment) >= moment - ahead


@given(clocks(), LENGTHS)
def test_what_was_over_when_we_asked_is_not_in_the_servers_future(
    clock: tuple[int, Skew, int], ago: int
) -> None:
    _, skew, server = clock
    before = skew.deadline(server)
    assert skew.there(before - ago) <= server


@given(clocks(), clocks(), MOMENTS)
def test_a_rest_told_by_one_node_is_not_shortened_for_another(
    one: tuple[int, Skew, int], other: tuple[int, Skew, int], rested_from: int
) -> None:
    (ahead, ours, _), (their_ahead, theirs, _) = one, other
    true = rested_from - ahead
    assert theirs.here(ours.there(rested_from)) - their_ahead >= true


@given(MOMENTS, MOMENTS)
def test_clocks_that_agree_change_nothing(now: int, moment: int) -> None:
    skew = Skew.measured(now, now, now)
    assert skew.here(moment) == skew.deadline(moment) == skew.there(moment) == moment


@given(MOMENTS, MOMENTS, LENGTHS)
def test_a_clock_set_back_meanwhile_leaves_bounds_in_order(
    before: int, server: int, back: int
) -> None:
    skew = Skew.measured(before, server, before - back)
    assert skew.least <= skew.most
