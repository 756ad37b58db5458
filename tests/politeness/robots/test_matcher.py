"""Which of many rules matches a path best."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.politeness.robots.matcher import NO_RULE, Best, Matcher
from gossamer.politeness.robots.places import Places


def obviously_matches(pattern: str, path: str) -> bool:
    expression = re.escape(pattern.removesuffix("$")).replace(r"\*", ".*")
    return re.match(expression + ("$" if pattern.endswith("$") else ""), path) is not None


def obviously_best(rules: dict[str, bool], path: str) -> Best:
    matching = [pattern for pattern in rules if obviously_matches(pattern, path)]
    return max(((2 * len(p) + rules[p], p) for p in matching), default=NO_RULE)


def test_the_longest_pattern_decides_and_allow_wins_a_tie() -> None:
    rules = Matcher.of(
        {"/a": False, "/a/b": True, "/*.gif": False, "/*b$": True, "/a/c": False, "/a*c": True}
    )
    assert rules.best("/x") == NO_RULE
    assert rules.best("/a/x") == (4, "/a")
    assert rules.best("/a/b/x.gif") == (12, "/*.gif")
    assert rules.best("/a/b") == (9, "/a/b")
    assert rules.best("/a/c") == (9, "/a*c")


def test_a_rule_with_too_many_wild_cards_forbids_more_rather_than_less() -> None:
    many = "/" + "*a" * 40
    path = "/" + "a" * 20
    assert Matcher.of({many: False}).best(path) == (2 * len(many), many)
    assert Matcher.of({many: True}).best(path) == NO_RULE


def test_a_rule_is_found_behind_neighbours_that_do_not_match() -> None:
    heads = {f"/shop/item-{number}/": True for number in range(100)}
    rules = Matcher.of({"/": True, "/shop": False, **heads})
    assert rules.best("/shop/item-5/x") == (27, "/shop/item-5/")
    assert rules.best("/shop/item-5x") == (10, "/shop")
    assert rules.best("/zzz") == (3, "/")


paths = st.text("/ab.", max_size=12).map(lambda text: "/" + text)
patterns = st.builds(
    lambda start, rest, end: start + rest + end,
    st.sampled_from(["/", "*", "/*"]),
    st.text("/ab.*", max_size=8),
    st.sampled_from(["", "", "$"]),
)


@settings(max_examples=500)
@given(st.dictionaries(patterns, st.booleans(), max_size=12), st.lists(paths, max_size=5))
def test_the_best_rule_is_the_one_that_a_look_at_all_of_them_finds(
    rules: dict[str, bool], some_paths: list[str]
) -> None:
    filed = Matcher.of(rules)
    for path in some_paths:
        # Two patterns may be as long and both allow; which of them is named is open.
        assert filed.best(path)[0] == obviously_best(rules, path)[0]


long_parts = st.sampled_from(["a" * 40, "ab" * 9, "b", "ba", "%2A" * 30, "%2A%24", "/"])
long_paths = st.lists(long_parts, max_size=20).map(lambda parts: "/" + "".join(parts) + "a" * 260)
long_patterns = st.builds(
    lambda pieces, end: "/*" + "*".join(pieces) + end,
    st.lists(st.lists(long_parts, min_size=1, max_size=4).map("".join), max_size=4),
    st.sampled_from(["", "$"]),
)


@settings(max_examples=200)
@given(st.dictionaries(long_patterns, st.booleans(), min_size=1, max_size=30), long_paths)
def test_the_best_rule_for_a_long_path_is_no_other(rules: dict[str, bool], path: str) -> None:
    filed, places = Matcher.of(rules), Places(path)
    best = obviously_best(rules, path)[0]
    assert [filed.best(path)[0], *(filed.best(path, places)[0] for _ in range(9))] == [best] * 10


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/" + "*a" * 9 + "*b", "/" + "a" * 2000),
        ("/" + "*a" * 9 + "*b$", "/" + "ab" * 1000 + "c"),
        ("/" + "*aa" * 8 + "*ab*c", "/" + "a" * 2000 + "b"),
        (f"/*{'a' * 500}b{'a' * 500}", "/" + "a" * 2000),
    ],
)
def test_hostile_patterns_do_not_blow_up(pattern: str, path: str) -> None:
    # A matcher that backtracks never gets to the end of this.
    rules = Matcher.of({f"/{'*' * number}{pattern[1:]}": False for number in range(500)})
    assert rules.best(path) == NO_RULE
