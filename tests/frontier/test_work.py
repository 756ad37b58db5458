import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.frontier import work as module
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Limits, NewUrl
from gossamer.frontier.schema import BEYOND, HANDED, PENDING, WAITING
from gossamer.frontier.work import DEEPEST, FEWEST, Page, RecentUrls, Work

from .steps import url
from .worlds import World

KEYS = st.integers(-(2**63), 2**63 - 1)
DEPTHS = st.integers(0, DEEPEST + 2)
PRIORITIES = st.integers(0, 1000)


def test_a_host_has_one_number_whatever_its_origins(frontier: SqlFrontier) -> None:
    def numbers(work: Work) -> dict[str, int]:
        return work.ids_of_origins(
            ["https://a.test", "http://a.test", "https://a.test:8443", "https://b.test"]
        )

    first = frontier._work(numbers)
    assert len(set(first.values())) == 2
    assert first["https://a.test"] == first["http://a.test"] == first["https://a.test:8443"]
    assert frontier._work(numbers) == first
    assert frontier._work(lambda work: work.host_id("b.test")) == first["https://b.test"]


def test_numbers_learned_in_a_transaction_that_failed_are_not_kept(frontier: SqlFrontier) -> None:
    def fail(work: Work) -> None:
        work.ids_of_origins(["https://a.test"])
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        frontier._work(fail)
    assert frontier.add([NewUrl(url("", "b.test")), NewUrl(url("", "a.test"))]) == 2
    assert len(frontier.lease(5)) == 2


def test_memory_of_hosts_is_bounded_and_nothing_is_lost_with_it(
    frontier: SqlFrontier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_HOSTS", 3)
    for n in range(9):
        frontier.add([NewUrl(url("", f"h{n}.test"))])
        assert len(frontier._memory.hosts) <= 3
    assert frontier.add([NewUrl(url("", f"h{n}.test")) for n in range(9)]) == 0
    assert len(frontier.hosts()) == 9


def test_a_page_is_to_be_fetched_if_it_is_not_too_deep(frontier: SqlFrontier) -> None:
    def states(work: Work) -> list[int]:
        in_sql = work.txn.rows(f"SELECT {work.state_by_depth} FROM pages ORDER BY id")
        told = [work.state_at(depth) for depth in range(3)]
        assert [row[0] for row in in_sql] == told
        return told

    frontier.add([NewUrl(url(str(depth)), depth) for depth in range(3)])
    assert frontier._work(states) == [PENDING, PENDING, PENDING]
    frontier._memory.limits = Limits(depth=1)
    assert frontier._work(states) == [PENDING, PENDING, BEYOND]


def test_sums_are_written_with_the_transaction(world: World) -> None:
    one, two = world.frontier("one"), world.frontier("two")

    def move(work: Work) -> None:
        work.count_moved(WAITING, [(1, 0, PENDING), (1, 5, HANDED), (1, 0, HANDED)])
        assert work.arrivals == {1: 0}

    one._work(move)
    two._work(move)
    counts = two.counts()
    assert (counts.waiting, counts.pending, counts.handed) == (-6, 2, 4)


def test_pages_in_hand_and_with_content_are_summed_by_host_and_site(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url("", host)) for host in ("a.test", "x.a.test", "b.test")])

    def count(work: Work) -> None:
        for host, handed, content in [("a.test", 2, 1), ("x.a.test", 1, 0), ("a.test", -1, 2)]:
            work.in_hand(work.host_id(host), handed)
            work.with_content(work.host_id(host), content)

    frontier._work(count)
    store = world.store()
    sums = store.read(lambda txn: txn.rows("SELECT site, handed, content FROM sites"))
    assert sums == [("a.test", 2, 3)]
    content = {host.host: host.content for host in frontier.hosts()}
    assert content == {"a.test": 3, "b.test": 0, "x.a.test": 0}


def test_limits_are_read_anew_by_every_transaction(frontier: SqlFrontier) -> None:
    frontier.set_limits(Limits(depth=0))
    frontier.add([NewUrl(url("1"), depth=1)])
    assert frontier.counts().beyond == 1


def page(depth: int = 0, priority: int = 0, *, seed: bool = False) -> Page:
    return ("http://a.test/", depth, priority, 0, seed)


def knows(recent: RecentUrls, key: int, depth: int = 0, priority: int = 0) -> bool:
    return not list(recent.news([key], [page(depth, priority)]))


def test_what_was_learned_is_known_and_what_is_better_is_news() -> None:
    recent = RecentUrls()
    assert not knows(recent, 1, 2, 500)
    recent.learn({1: page(2, 500)})
    assert knows(recent, 1, 2, 500)
    assert knows(recent, 1, 3, 499)
    assert not knows(recent, 1, 1, 500)
    assert not knows(recent, 1, 2, 501)


def test_a_seed_is_always_news() -> None:
    recent = RecentUrls()
    recent.learn({1: page()})
    assert list(recent.news([1, 2], [page(seed=True), page()])) == [
        (1, page(seed=True)),
        (2, page()),
    ]


@pytest.mark.parametrize("key", [0, -1, 2**63 - 1, -(2**63)])
def test_no_key_is_known_from_the_start(key: int) -> None:
    assert not knows(RecentUrls(), key, DEEPEST)


@given(st.dictionaries(KEYS, st.tuples(DEPTHS, PRIORITIES)), st.integers(0, 9), st.data())
def test_it_never_claims_more_than_it_was_told(
    told: dict[int, tuple[int, int]], most: int, data: st.DataObject
) -> None:
    recent = RecentUrls(most)
    recent.learn({key: page(*known) for key, known in told.items()})
    key = data.draw(st.sampled_from(sorted(told)) if told else KEYS)
    depth, priority = data.draw(DEPTHS), data.draw(PRIORITIES)
    if knows(recent, key, depth, priority):
        assert told[key][0] <= depth
        assert told[key][1] >= priority


def test_it_grows_with_what_it_knows_and_forgets_nothing_by_that() -> None:
    recent, many = RecentUrls(), 8 * FEWEST
    for key in range(many):
        recent.learn({key: page()})
    assert all(knows(recent, key) for key in range(many))


def test_memory_is_bounded_and_the_newer_takes_the_place_of_the_older() -> None:
    recent = RecentUrls(16)
    recent.learn({key: page() for key in range(100)})
    assert [key for key in range(100) if knows(recent, key)] == list(range(84, 100))


def test_a_memory_for_nothing_keeps_nothing() -> None:
    recent = RecentUrls(0)
    recent.learn({1: page()})
    assert not knows(recent, 1)


def test_it_can_be_made_to_forget() -> None:
    recent = RecentUrls()
    recent.learn({1: page()})
    recent.clear()
    assert not knows(recent, 1)


def test_links_to_pages_that_are_remembered_are_counted() -> None:
    recent = RecentUrls(1 << 10)
    pages: dict[int, Page] = {key: (f"u{key}", 1, 5, None, False) for key in (11, 22)}
    assert len(list(recent.news(pages, pages.values()))) == 2
    recent.learn(pages)
    assert list(recent.news(pages, pages.values())) == []
    assert recent.figures() == {"hits": 2, "misses": 2, "entries": 2}
    recent.clear()
    assert recent.figures() == {"hits": 2, "misses": 2, "entries": 0}
