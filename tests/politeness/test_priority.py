from datetime import timedelta

from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.politeness.priority import LEAST, MOST, Priority, UrlFacts, clamped, priority

any_float = st.none() | st.floats()
facts = st.builds(
    UrlFacts,
    seed=st.just(False),
    depth=st.integers(),
    sitemap_priority=any_float,
    changed_ago=st.none() | st.timedeltas(),
    quads_per_page=any_float,
)


@given(facts)
@example(UrlFacts(depth=-1))
def test_any_facts_give_a_priority_below_a_seed(facts: UrlFacts) -> None:
    assert LEAST <= priority(facts) < MOST
    assert priority(UrlFacts(seed=True)) == MOST


@given(facts)
def test_equal_facts_have_equal_priority(facts: UrlFacts) -> None:
    assert isinstance(priority(facts), int)
    assert priority(facts) == priority(facts)


def test_nearer_pages_go_first() -> None:
    assert priority(UrlFacts(depth=1)) > priority(UrlFacts(depth=2)) > priority(UrlFacts(depth=9))


def test_hosts_that_gave_more_quads_go_first_and_unknown_ones_get_a_look() -> None:
    rich, poor = UrlFacts(quads_per_page=200.0), UrlFacts(quads_per_page=1.0)
    assert priority(rich) > priority(UrlFacts()) > priority(poor)


def test_the_sitemap_is_heard() -> None:
    high, low = UrlFacts(sitemap_priority=1.0), UrlFacts(sitemap_priority=0.1)
    assert priority(high) > priority(UrlFacts()) > priority(low)
    fresh, old = timedelta(hours=1), timedelta(days=365)
    assert priority(UrlFacts(changed_ago=fresh)) > priority(UrlFacts(changed_ago=old))


def test_a_sitemap_cannot_claim_more_than_its_share() -> None:
    claimed = UrlFacts(depth=3, sitemap_priority=1e300, changed_ago=timedelta(days=-9000))
    honest = UrlFacts(depth=3, sitemap_priority=1.0, changed_ago=timedelta(0))
    assert priority(claimed) == priority(honest) < priority(UrlFacts(depth=0))
    assert priority(UrlFacts(sitemap_priority=float("nan"))) == priority(UrlFacts())


@given(st.floats())
def test_what_a_users_function_returns_is_clamped(value: float) -> None:
    users: Priority = lambda _facts: value  # noqa: E731 (a user would write it so)
    assert LEAST <= clamped(users(UrlFacts())) <= MOST
