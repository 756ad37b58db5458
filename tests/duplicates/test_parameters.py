from hypothesis import given
from hypothesis import strategies as st

from gossamer.duplicates.parameters import (
    MOST_PARAMETERS,
    NEEDED,
    LearnedParameter,
    Standing,
    differing,
    idle_in,
    splits,
    without,
)
from gossamer.model import Url

A = "http://a.test/"
names = st.text("abc%2B+", min_size=0, max_size=3)
queries = st.lists(st.tuples(names, st.text("12=", max_size=2)), max_size=MOST_PARAMETERS)


def url(rest: str) -> Url:
    return Url(A + rest)


def learned(*pairs: tuple[str, bool]) -> LearnedParameter:
    found = LearnedParameter("sid")
    for rest, is_same in pairs:
        found = found.after(url(rest), 1, 2, is_same=is_same)
    return found


def test_a_rule_needs_pairs_at_several_addresses() -> None:
    assert learned(*[("one", True)] * 100).standing is Standing.LEARNING
    several = [(f"{number}", True) for number in range(NEEDED)]
    assert learned(*several[1:]).standing is Standing.LEARNING
    assert learned(*several).standing is Standing.IDLE
    assert learned(*several).addresses == NEEDED


def test_the_first_pair_that_differs_ends_a_rule_for_ever() -> None:
    several = [(f"{number}", True) for number in range(2 * NEEDED)]
    assert learned(*several, ("x", False)).standing is Standing.MATTERS
    assert learned(("x", False), *several).standing is Standing.MATTERS


def test_parameters_are_taken_out_one_by_one() -> None:
    assert list(splits(url("p?a=1&b=2&a=3"))) == [("a", url("p?b=2")), ("b", url("p?a=1&a=3"))]
    assert list(splits(url("p"))) == list(splits(url("p?"))) == []
    assert list(splits(url("p?" + "&".join(f"{n}=" for n in range(MOST_PARAMETERS + 1))))) == []
    assert without(url("p?a=1&b=2"), ["a", "b"]) == url("p")
    assert without(url("p"), ["a"]) == url("p")
    assert idle_in(url("p?s%69d=1&b=2"), frozenset({"sid", "c"})) == ["sid"]


def test_pairs_differ_in_parameters_of_one_path() -> None:
    assert differing(url("p?a=1&b=2"), url("p?b=2")) == (["a"], url("p?b=2"))
    assert differing(url("p?a=1&b=2"), url("p?a=2&c=3")) == (["a", "b", "c"], url("p"))
    assert differing(url("p?a=1"), url("p?a=1")) is None
    assert differing(url("p?a=1"), url("q?a=2")) is None
    assert differing(url("p?a=1&b=1"), url("p?b=1&a=1")) is None  # which is for urls.sort_query


@given(queries)
def test_without_all_that_it_has_a_url_has_no_query(pieces: list[tuple[str, str]]) -> None:
    full = url("p?" + "&".join(f"{name}={value}" for name, value in pieces))
    found = list(splits(full))
    assert all("?" not in each.rest or each.rest != full for each in found)
    unnamed = without(full, [each.name for each in found])
    assert idle_in(unnamed, frozenset(each.name for each in found)) == []
