"""The form in which rules and paths are compared."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.robots.octets import (
    compared_paths,
    compared_patterns,
    has_bare_query,
    normal_path,
    normal_pattern,
    octets_of,
)


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ("/a%2fb", "/a%2Fb"),
        ("/my folder", "/my%20folder"),
        ("/100%", "/100%25"),
        ("/a*b$", "/a%2Ab%24"),
        ("/a%2ab%24", "/a%2Ab%24"),
    ],
)
def test_a_path_has_one_form(written: str, compared: str) -> None:
    assert normal_path(written) == compared


@pytest.mark.parametrize(
    ("written", "compared"),
    [("/*.php$", "/*.php$"), ("/a$b", "/a%24b"), ("/%2A$", "/%2A$"), ("/%61*%e3", "/a*%E3")],
)
def test_wild_cards_of_a_pattern_stay_what_they_mean(written: str, compared: str) -> None:
    assert normal_pattern(written) == compared


def test_delimiters_in_a_query_have_a_second_form_as_in_the_table_of_the_rfc() -> None:
    second = "/foo/bar?baz=https%3A%2F%2Ffoo.bar"
    assert compared_paths("/foo/bar?baz=https://foo.bar")[1:] == (second,)
    assert compared_patterns("/foo/bar?baz=https://foo.bar")[1:] == (second,)
    assert compared_paths(second) == (second,)


@given(st.text("/?:a%*$", max_size=12))
def test_the_first_of_two_forms_is_the_one_with_a_bare_query(text: str) -> None:
    for forms in (compared_paths("/" + text), compared_patterns("/" + text)):
        assert [has_bare_query(form) for form in forms] == [True, False][-len(forms) :]


def test_a_slash_and_an_encoded_slash_differ_in_a_path() -> None:
    assert not set(compared_paths("/a/b")) & set(compared_patterns("/a%2Fb"))


@given(st.text())
def test_the_form_is_a_fixed_point_and_ascii(text: str) -> None:
    once = normal_path("/" + text)
    assert once.isascii()
    assert normal_path(once) == once
    for form in compared_paths("/" + text):
        assert form in (once, compared_paths(form)[-1])


@pytest.mark.needs_suites
def test_patterns_are_escaped_as_the_suite_says(suites: Path) -> None:
    cases = json.loads((suites / "robots" / "extras.json").read_text())["pattern_escape"]
    assert cases
    for case in cases:
        assert normal_pattern(octets_of(case["pattern"])) == case["escaped"]
