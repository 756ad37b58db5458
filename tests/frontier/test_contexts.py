import random
from dataclasses import replace
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.frontier.contexts import Context, ContextStore
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.schema import CONTEXT_BYTES, CONTEXT_ROW_BYTES
from gossamer.frontier.store import Store
from gossamer.model import Url
from gossamer.moments import to_microseconds

from .worlds import START, NewWorld, World

CONTEXT = Context(
    url="https://c.test/context",
    body=b'{"@context": {}}\x00\xff',
    cause="200",
    asked_at=START,
    ask_at=START + timedelta(days=1, microseconds=1),
)


def test_a_context_comes_back_as_it_was_kept(store: Store) -> None:
    contexts = ContextStore(store)
    assert contexts.of(CONTEXT.url) is None
    contexts.keep(CONTEXT)
    assert contexts.of(CONTEXT.url) == CONTEXT
    assert contexts.of(CONTEXT.url + "s") is None


def test_a_newer_answer_replaces_the_older_one(store: Store) -> None:
    contexts = ContextStore(store)
    contexts.keep(CONTEXT)
    failed = replace(CONTEXT, body=None, cause="timeout", asked_at=START + timedelta(days=2))
    contexts.keep(failed)
    assert contexts.of(CONTEXT.url) == failed


def test_of_several_those_that_are_known_come_back(store: Store) -> None:
    contexts = ContextStore(store)
    other = replace(CONTEXT, url="https://c.test/other", body=None)
    contexts.keep(CONTEXT)
    contexts.keep(other)
    asked = [CONTEXT.url, "https://c.test/unknown", other.url]
    assert contexts.those(asked, 1_000) == [CONTEXT, other]


def test_of_several_only_those_bodies_come_back_that_fit_together(store: Store) -> None:
    contexts = ContextStore(store)
    known = [
        replace(CONTEXT, url=f"https://c.test/{number}", body=b"x" * size)
        for number, size in enumerate((40, 70, 60, 1))
    ]
    for context in known:
        contexts.keep(context)
    found = contexts.those([context.url for context in known], 100)
    assert [len(context.body or b"") for context in found] == [40, 0, 60, 0]
    assert [context.ask_at for context in found] == [CONTEXT.ask_at] * 4


def test_what_is_covered_is_forgotten_however_it_was_spelled(frontier: SqlFrontier) -> None:
    contexts = frontier.contexts
    addresses = ["https://c.test/x", "HTTP://C.TEST:80/y#z", "https://sub.c.test/x", "c.test"]
    for address in addresses:
        contexts.keep(replace(CONTEXT, url=address))
    frontier.forget(url=Url("https://c.test/x"))
    assert [contexts.of(address) is None for address in addresses] == [True, False, False, False]
    frontier.forget(host="c.test")
    assert [contexts.of(address) is None for address in addresses] == [True, True, False, False]


def kept(store: Store) -> tuple[int, int]:
    """The bytes that contexts take, as they are counted and as they are."""
    sql = "SELECT n FROM tallies WHERE name = ?"
    counted = store.read(lambda txn: txn.rows(sql, CONTEXT_BYTES))
    there = store.read(lambda txn: txn.rows("SELECT url, length(body) FROM contexts"))
    return int(counted[0][0]) if counted else 0, sum(
        len(url) + (length or 0) + CONTEXT_ROW_BYTES for url, length in there
    )


def noise(size: int, seed: int = 1) -> bytes:
    """Bytes that cannot be packed."""
    return random.Random(seed).randbytes(size)


def test_contexts_are_kept_compressed(store: Store) -> None:
    ContextStore(store).keep(replace(CONTEXT, body=b" " * 500_000))
    assert ContextStore(store).of(CONTEXT.url) == replace(CONTEXT, body=b" " * 500_000)
    counted, there = kept(store)
    assert counted == there < 2_000


def test_the_least_recently_used_make_room_for_a_new_one(world: World) -> None:
    store = world.store()
    contexts = ContextStore(store)
    urls = [f"https://c.test/{number:03}" for number in range(100)]
    for number, url in enumerate(urls):
        contexts.keep(replace(CONTEXT, url=url, body=noise(1_000, number)), 1_000_000)
        world.later(1)
    world.later(2 * 60 * 60)
    contexts.use(urls[:2], 1_000_000)
    contexts.keep(replace(CONTEXT, body=noise(1_000)), kept(store)[0])
    left = [url for url in [*urls, CONTEXT.url] if contexts.of(url) is not None]
    assert left == [*urls[:2], *urls[66:], CONTEXT.url]
    assert kept(store)[0] == kept(store)[1]


def test_asking_what_is_known_is_no_use_of_it(world: World) -> None:
    contexts = ContextStore(world.store())
    contexts.keep(CONTEXT)
    world.later(2 * 60 * 60)
    contexts.keep(replace(CONTEXT, url="https://c.test/newer"))
    contexts.those([CONTEXT.url], 1_000)
    contexts.keep(replace(CONTEXT, url="https://c.test/newest", body=noise(900)), 1_200)
    assert contexts.of(CONTEXT.url) is None


def test_one_that_is_larger_than_the_budget_is_kept_alone(store: Store) -> None:
    contexts = ContextStore(store)
    contexts.keep(replace(CONTEXT, url="https://c.test/other"))
    contexts.keep(replace(CONTEXT, body=noise(5_000)), 1_000)
    assert [url for (url,) in store.read(lambda txn: txn.rows("SELECT url FROM contexts"))] == [
        CONTEXT.url
    ]


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3_000)), max_size=40))
def test_whatever_comes_the_sum_is_exact_and_within_the_budget(
    new_world: NewWorld, steps: list[tuple[int, int]]
) -> None:
    world = new_world()
    store = world.store()
    contexts = ContextStore(store)
    for name, size in steps:
        url = f"https://c.test/{name}"
        contexts.keep(replace(CONTEXT, url=url, body=noise(size, name)), 10_000)
        counted, there = kept(store)
        assert counted == there <= 10_000
    contexts.forget(lambda url: url.endswith(("0", "5")))
    assert kept(store)[0] == kept(store)[1]
    world.close()
    world.stores.clear()


def test_what_older_versions_kept_is_read_as_it_is_and_packed_when_a_crawl_opens(
    store: Store,
) -> None:
    old = [replace(CONTEXT, url=f"https://c.test/{n}", body=b"%d" % n * 9_000) for n in range(20)]
    old.append(replace(CONTEXT, url="https://c.test/none", body=None))
    at = to_microseconds(START)
    columns = ("url", "body", "cause", "asked_at", "ask_at", "kept_bytes")
    for context in old:
        row = (
            *(context.url, context.body, context.cause, at, to_microseconds(context.ask_at)),
            len(context.body or b"") + len(context.url) + CONTEXT_ROW_BYTES,
        )
        store.transact(lambda txn, row=row: txn.insert("contexts", columns, [row]))  # type: ignore[misc] # bound
    total = kept(store)[1]
    store.transact(
        lambda txn: txn.insert("tallies", ("node", "name", "n"), [("", CONTEXT_BYTES, total)])
    )
    contexts = ContextStore(store)
    assert [contexts.of(context.url) for context in old] == old
    contexts.pack_all()
    contexts.pack_all()
    assert [contexts.of(context.url) for context in old] == old
    counted, there = kept(store)
    assert counted == there < total // 10
