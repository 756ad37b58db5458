from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Crawl
from gossamer.errors import ConfigError
from gossamer.model import Url
from gossamer.politeness.priority import LEAST, MOST, UrlFacts, priority, promise
from gossamer.politeness.ranking import (
    HEAVIEST,
    MOST_RULES,
    PLAIN,
    Ranking,
    points_by,
    read_rules,
)

NEWS = Url("https://a.test/news/1.html")
PAGE = Url("https://a.test/shop/1.html")
weights = st.integers(-HEAVIEST, HEAVIEST)
some_rules = st.dictionaries(
    st.sampled_from(["/news/", "/shop/", r"\.html$", "^https://a", "nowhere"]), weights
)
keys = st.integers(-(1 << 63), (1 << 63) - 1)


def ranking(strategy: str = "breadth", **rules: int) -> Ranking:
    return Ranking(strategy, read_rules(rules))


@given(st.sampled_from([NEWS, PAGE]), st.integers(0, 99), st.integers(LEAST, MOST), keys)
def test_without_strategy_and_rules_the_priority_is_the_rank(
    url: Url, depth: int, points: int, key: int
) -> None:
    assert Ranking.of(Crawl()) == PLAIN
    assert PLAIN.is_plain
    assert PLAIN.rank(url, depth, points, key) == points


@given(
    st.sampled_from(["breadth", "depth", "best", "random"]),
    some_rules,
    st.integers(0, 1 << 30),
    st.integers(LEAST, MOST),
    keys,
)
def test_ranks_are_bounded_and_order_within_equal_weight_is_the_strategys(
    strategy: str, rules: dict[str, int], depth: int, points: int, key: int
) -> None:
    bare = Ranking(strategy).rank(NEWS, depth, points, key)
    assert LEAST <= bare <= MOST
    ruled = Ranking(strategy, read_rules(rules))
    assert ruled.rank(NEWS, depth, points, key) == bare + ruled.weight(NEWS)
    assert abs(ruled.weight(NEWS)) <= HEAVIEST


@given(some_rules, st.randoms(use_true_random=False))
def test_the_order_of_rules_means_nothing(rules: dict[str, int], chance: Random) -> None:
    shuffled = list(rules.items())
    chance.shuffle(shuffled)
    one, other = Ranking("best", read_rules(rules)), Ranking("best", read_rules(dict(shuffled)))
    assert one == other
    assert one.fingerprint() == other.fingerprint()
    for url in (NEWS, PAGE):
        assert one.weight(url) == other.weight(url)


@given(some_rules)
def test_weights_of_all_matching_rules_are_added(rules: dict[str, int]) -> None:
    known = Ranking("breadth", read_rules(rules))
    total = sum(rules.get(text, 0) for text in ("/news/", r"\.html$", "^https://a"))
    for _ in range(2):  # the second time by heart
        assert known.weight(NEWS) == min(max(total, -HEAVIEST), HEAVIEST)
    assert sum(each.weight for each in known.matching(NEWS)) == total


def test_memory_of_weights_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.politeness.ranking.MOST_KNOWN", 3)
    known = Ranking("breadth", read_rules({"/7$": 5}))
    assert [known.weight(Url(f"https://a.test/{n}")) for n in range(10)] == [0] * 7 + [5, 0, 0]
    assert len(known._weights) <= 3


def test_a_thousand_points_decide_before_the_strategy() -> None:
    for strategy in ("breadth", "depth", "best", "random"):
        rules = Ranking(strategy, read_rules({"/news/": MOST + 1, "/shop/": -1}))
        assert all(
            rules.rank(NEWS, depth, LEAST, 0) > rules.rank(PAGE, 50 - depth, MOST, MOST)
            for depth in range(50)
        )


def test_deeper_pages_go_first_by_depth_and_any_by_random() -> None:
    depth, random = Ranking("depth"), Ranking("random")
    assert depth.rank(PAGE, 3, 9, 0) > depth.rank(PAGE, 2, 99, 0)
    assert depth.rank(PAGE, 1 << 30, 9, 0) == MOST
    assert random.rank(PAGE, 3, 9, 77) == random.rank(NEWS, 1, 5, 77) == 77
    assert len({random.rank(PAGE, 1, 1, key) for key in range(-(MOST + 1), 0)}) == MOST + 1


def test_best_goes_by_promise_however_far() -> None:
    rich = promise(UrlFacts(depth=9, quads_per_page=200))
    poor = promise(UrlFacts(depth=1, quads_per_page=0))
    assert rich > promise(UrlFacts(depth=1)) == promise(UrlFacts(depth=8)) > poor
    assert promise(UrlFacts(seed=True)) == MOST
    ways = {each: points_by(each) for each in ("best", "breadth", "depth", "random")}
    assert ways == {"best": promise, **dict.fromkeys(("breadth", "depth", "random"), priority)}


def test_a_rank_is_found_again_from_what_is_kept() -> None:
    assert PLAIN.rank_anew(PAGE, 2, False, 5) == priority(UrlFacts(depth=2))
    assert PLAIN.rank_anew(PAGE, 0, True, 5) == MOST
    assert Ranking("best").rank_anew(PAGE, 2, False, 5) == promise(UrlFacts())
    assert Ranking("depth").rank_anew(PAGE, 2, True, 5) == 2
    assert Ranking("random").rank_anew(PAGE, 2, True, 5) == 5
    ruled = Ranking("breadth", read_rules({"shop": 7}))
    assert ruled.rank_anew(PAGE, 2, False, 5) == 7 + priority(UrlFacts(depth=2))


def test_pages_are_handed_out_one_by_one_where_what_is_found_may_come_next() -> None:
    assert PLAIN.at_once > 1
    assert Ranking("random").at_once > 1
    for eager in (Ranking("depth"), Ranking("best"), ranking(news=1)):
        assert eager.at_once == 1


def test_fingerprints_tell_rankings_apart() -> None:
    others = [PLAIN, Ranking("depth"), ranking(news=1), ranking(news=2), ranking("depth", news=1)]
    assert len({each.fingerprint() for each in others}) == len(others)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"(": 1}, 'crawl.priority: "(" is not an expression of RE2'),
        ({"x": HEAVIEST + 1}, 'crawl.priority: "x" has 10001 points; give -10000 to 10000.'),
        ({str(n): n for n in range(MOST_RULES + 1)}, "crawl.priority: 101 rules are too many"),
    ],
)
def test_a_rule_that_is_not_right_is_refused_by_name(rules: dict[str, int], said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_rules(rules)
    assert str(refused.value).startswith(said)
