"""One pattern with wild cards against one path."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.politeness.robots.places import Places
from gossamer.politeness.robots.wild import (
    MAX_PIECES,
    is_wild,
    matches,
    taken_apart,
    within_limits,
)


def wild_matches(pattern: str, path: str) -> bool:
    wild = taken_apart(pattern)
    if not path.startswith(wild.head):
        return False
    (answer,) = {matches(wild, path, find) for find in (path.find, Places(path, 0).find)}
    return answer


def obviously_matches(pattern: str, path: str) -> bool:
    """The same without `str.find`: which ends of the path's beginnings can be reached."""
    ends = {0}
    for octet in pattern.removesuffix("$"):
        if octet == "*":
            ends = set(range(min(ends), len(path) + 1))
        else:
            ends = {end + 1 for end in ends if path[end : end + 1] == octet}
        if not ends:
            return False
    return not pattern.endswith("$") or len(path) in ends


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("/a*", "/a", True),
        ("/a$", "/a", True),
        ("/a$", "/a/", False),
        ("/*.php$", "/x.php", True),
        ("/*.php$", "/x.php?y", False),
        ("/a*a$", "/a", False),
        ("/a*a$", "/aa", True),
        ("/*ab*b$", "/ab", False),
        ("*", "/", True),
        ("*/b", "/a/b", True),
        ("/**b", "/ab", True),
    ],
)
def test_wild_cards_mean_what_the_rfc_says(pattern: str, path: str, expected: bool) -> None:
    assert wild_matches(pattern, path) is expected
    assert obviously_matches(pattern, path) is expected


@pytest.mark.parametrize("length", [1, 10, 11, 63, 64, 100, 400])
def test_a_piece_of_any_length_is_found_in_a_long_path_wherever_it_stands(length: int) -> None:
    piece = "a" * (length - 1) + "b"
    for before in (0, 1, 300):
        path = "/" + "a" * before + piece
        long_path = path + "c" * 300
        assert wild_matches(f"/*{piece}", long_path)
        assert wild_matches(f"/*{piece}*c$", long_path)
        assert not wild_matches(f"/*{piece}$", long_path)
        assert not wild_matches(f"/*{piece}*{piece}", long_path)
        assert not wild_matches(f"/*{piece}d", long_path)


# Parts of few letters, repeated: what is almost everywhere is what goes wrong.
runs = st.builds(
    lambda part, times: part * times,
    st.text("ab", min_size=1, max_size=4),
    st.sampled_from([1, 2, 3, 10, 11, 16, 40, 64, 150]),
)
texts = st.lists(runs, max_size=4).map("".join)
patterns = st.builds(
    lambda pieces, end: "/" + "*".join(pieces) + end,
    st.lists(st.one_of(texts, st.text("ab", max_size=3)), min_size=2, max_size=5),
    st.sampled_from(["", "$"]),
)


@st.composite
def patterns_of_a_path(draw: st.DrawFn) -> tuple[str, str]:
    """A long path, and a pattern made of parts of it in order; or nearly."""
    path = "/" + draw(texts) + draw(texts) + "ab" * draw(st.sampled_from([0, 150]))
    cuts = sorted(draw(st.lists(st.integers(1, len(path)), min_size=2, max_size=8)))
    pieces = [path[start:end] for start, end in zip(cuts[::2], cuts[1::2], strict=False)]
    if draw(st.booleans()):
        pieces.insert(draw(st.integers(0, len(pieces))), draw(runs))
    return "/*" + "*".join(pieces) + draw(st.sampled_from(["", "$", "*"])), path


@settings(max_examples=300)
@given(patterns_of_a_path())
@example(("/*" + "a" * 150 + "b" + "a" * 149, "/" + "a" * 500 + "b" + "a" * 148))
@example(("/*" + "a" * 150 + "b" + "a" * 149, "/" + "a" * 500 + "b" + "a" * 149))
def test_parts_of_a_path_are_found_as_a_slow_look_finds_them(case: tuple[str, str]) -> None:
    pattern, path = case
    assert wild_matches(pattern, path) == obviously_matches(pattern, path)


@settings(max_examples=300)
@given(patterns, texts.map("/{}".format))
def test_any_pattern_matches_as_a_slow_look_says(pattern: str, path: str) -> None:
    assert wild_matches(pattern, path) == obviously_matches(pattern, path)


def test_wild_is_what_has_a_star_or_an_end() -> None:
    assert [is_wild(pattern) for pattern in ("/a", "/*", "/a$", "/$a")] == [
        False,
        True,
        True,
        False,
    ]


def test_stars_that_stand_together_are_one() -> None:
    pattern = "/" + "*" * 50 + "a" + "*" * 50 + "b$"
    assert within_limits(pattern, allowed=True) == "/*a*b$"
    assert within_limits("/a" + "*" * 50, allowed=False) == "/a*"


def test_a_rule_with_no_more_pieces_than_sites_need_stays_as_it_is() -> None:
    pattern = "/*" * MAX_PIECES + "$"
    assert within_limits(pattern, allowed=True) is pattern


@given(st.text("ab*", min_size=1, max_size=60), st.sampled_from(["", "$"]), st.booleans(), texts)
def test_within_limits_no_path_is_allowed_that_was_not(
    rest: str, end: str, allowed: bool, text: str
) -> None:
    pattern, path = f"/*{rest}{end}", f"/{text}"
    compared = within_limits(pattern, allowed)
    matched = compared is not None and obviously_matches(compared, path)
    few = len(re.findall("[ab]+", rest)) <= MAX_PIECES - 1
    if few:
        assert matched == obviously_matches(pattern, path)
    elif allowed:
        assert matched <= obviously_matches(pattern, path)
    else:
        assert matched >= obviously_matches(pattern, path)
    assert compared is None or compared.count("*") <= MAX_PIECES
