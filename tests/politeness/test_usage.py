"""What a site says about the use of its content."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model import Url
from gossamer.politeness.usage import (
    MAX_PREFERENCES,
    MAX_STATEMENTS,
    MAX_TDM_RULES,
    MAX_TDMREP_BYTES,
    TdmFile,
    UsageLine,
    UsageStatement,
    content_preferences,
    page_usage,
    robots_usage,
    usage_line,
)

ORIGIN = "http://a.test"
GOOD = b'[{"location": "/", "tdm-reservation": 1}]'
VALUES: st.SearchStrategy[object] = st.sampled_from(
    [None, True, 0, 1, 1.5, [], {}, [{}], "/", "*", "$"]
) | st.text(max_size=9)
ENTRIES = st.tuples(VALUES, VALUES, VALUES).map(
    lambda each: dict(zip(("location", "tdm-reservation", "tdm-policy"), each, strict=True))
)


def test_tdm_signals_are_stated_from_headers_and_meta_elements() -> None:
    headers = [("TDM-Reservation", " 1 "), ("Content-Type", "text/html")]
    metas = [("tdm-policy", "https://example.test/policy.json"), ("author", "x")]
    assert page_usage(headers, metas) == (
        UsageStatement("tdm-reservation", "1", "header"),
        UsageStatement("tdm-policy", "https://example.test/policy.json", "meta"),
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tdm-reservation", "yes"),
        ("tdm-reservation", ""),
        ("tdm-policy", ""),
        ("tdm-policy", "two words"),
        ("tdm-policy", "a\nb"),
        ("tdm-policy", "x" * 5000),
        ("content-usage", "whatever"),
    ],
)
def test_a_value_that_makes_no_sense_is_not_stated(name: str, value: str) -> None:
    assert page_usage([(name, value)], [(name, value)]) == ()


def test_content_usage_is_stated_once_for_each_source() -> None:
    lines = [UsageLine("content-usage", "/", (("train-ai", "n"), ("search", "y")), 3)]
    header = ("Content-Usage", "train-ai=n, TRAIN-AI=N")
    assert page_usage([header, header]) == (
        UsageStatement("content-usage", "train-ai=n", "header"),
    )
    assert robots_usage([*lines, *lines]) == (
        UsageStatement("content-usage", "train-ai=n", "robots.txt"),
        UsageStatement("content-usage", "search=y", "robots.txt"),
    )


@pytest.mark.parametrize(
    ("value", "preferences"),
    [
        ("train-ai=n", (("train-ai", "n"),)),
        ("bots=y , search=n;x=1, junk, a=b=c, =n, x=", (("bots", "y"), ("search", "n"))),
        ("", ()),
    ],
)
def test_preferences_are_pairs(value: str, preferences: tuple[tuple[str, str], ...]) -> None:
    assert content_preferences(value) == preferences


def test_a_line_may_name_the_paths_it_is_about() -> None:
    yes = (("train-ai", "y"),)
    whole = UsageLine("content-usage", "/", yes, 4)
    assert usage_line("content-usage", "/a/* train-ai=y", 4) == replace(whole, pattern="/a/*")
    assert usage_line("content-usage", "train-ai=y", 4) == whole
    assert usage_line("content-usage", "/only/a/path", 4) is None


@pytest.mark.parametrize(
    "name", ["content_usage", "content usage", "contentusage", "content-usages"]
)
def test_a_misspelled_line_is_read_as_meant_and_says_so(name: str) -> None:
    line = usage_line(name, "train-ai=n", 1)
    assert line is not None
    assert (line.signal, line.preferences) == ("content-usage", (("train-ai", "n"),))
    assert line.note == f"{name!r} is read as 'content-usage'."


def test_noai_for_every_robot_or_for_us_is_a_statement() -> None:
    def said(value: str, name: str = "X-Robots-Tag") -> list[str]:
        return [each.value for each in page_usage([(name, value)], agent="gossamer")]

    assert said("noai, noimageai") == said("gossamer: noai") == ["noai"]
    assert said("otherbot: noai") == said("index") == said("noai", "X-Other") == []
    assert page_usage((), [("robots", "NoAI")]) == (UsageStatement("no-ai", "noai", "meta"),)


def test_a_flood_of_preferences_is_bounded() -> None:
    assert len(content_preferences("a=y," * 10_000)) == MAX_PREFERENCES


def test_a_flood_of_statements_is_bounded() -> None:
    policies = [("tdm-policy", f"/{number}") for number in range(1_000)]
    assert len(page_usage(policies, policies)) == MAX_STATEMENTS


@given(st.text(), st.sampled_from(["tdm-reservation", "TDM-Policy", "Content-Usage", "x"]))
def test_no_text_raises_and_what_is_stated_is_printable(value: str, name: str) -> None:
    for statement in page_usage([(name, value)], [(name, value)]):
        assert statement.value.isprintable()
    usage_line(name.lower(), value, 1)


def parsed(*entries: Any) -> TdmFile:
    return TdmFile.parse(json.dumps(entries).encode(), ORIGIN)


def said(file: TdmFile, path: str = "/x") -> list[str]:
    statements = file.usage_of(Url(ORIGIN + path))
    assert {each.source for each in statements} <= {"tdmrep.json"}
    return [each.value for each in statements]


def test_the_first_rule_that_matches_counts() -> None:
    file = parsed(
        {"location": "/images/*.jpg$", "tdm-reservation": 0},
        {"location": "/images/", "tdm-reservation": 1, "tdm-policy": "http://a.test/policy"},
        {"location": "/images/free/", "tdm-reservation": 0},
    )
    assert said(file, "/images/a.jpg") == ["0"]
    assert said(file, "/images/free/a") == ["1", "http://a.test/policy"]
    assert said(file, "/elsewhere") == []


def test_a_rule_that_says_nothing_right_is_the_first_all_the_same() -> None:
    file = parsed({"location": "/", "tdm-reservation": 2}, {"location": "/", "tdm-reservation": 1})
    assert said(file) == []


@pytest.mark.parametrize("location", ["/x", "*", "/", "http://a.test/x", "/%78", "/x$"])
def test_locations_are_patterns_of_paths(location: str) -> None:
    assert said(parsed({"location": location, "tdm-reservation": 1})) == ["1"]


@pytest.mark.parametrize("location", ["", "x", "http://b.test/x", "/X", "/\ud800", None, 1, ["/"]])
def test_other_locations_match_nothing(location: object) -> None:
    assert said(parsed({"location": location, "tdm-reservation": 1})) == []


@pytest.mark.parametrize("value", [2, -1, "1", "yes", True, 1.0, None, [1], {"a": 1}, 10**100])
def test_a_reservation_is_a_number_that_is_0_or_1(value: object) -> None:
    assert said(parsed({"location": "/", "tdm-reservation": value})) == []


@pytest.mark.parametrize("policy", ["", "two words", "a\nb", "x" * 5_000, 1, None, ["/"]])
def test_a_policy_is_an_address(policy: object) -> None:
    assert said(parsed({"location": "/", "tdm-reservation": 1, "tdm-policy": policy})) == ["1"]


def test_a_byte_order_mark_is_no_part_of_the_file() -> None:
    assert said(TdmFile.parse(b"\xef\xbb\xbf" + GOOD, ORIGIN)) == ["1"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<!doctype html><title>Not found</title>",
        GOOD[:-1],
        GOOD[1:-1],  # one object, in no array
        b"null",
        b"[1, null, [], 'x']",
        b"\xff\xfe" + GOOD.decode().encode("utf-16-le"),
        b"[" * 10_000,
        b'{"a":' * 5_000,
        b"[" + b"9" * 10_000 + b"]",
        b"[" * 9_000 + GOOD + b"]" * 9_000,
        GOOD + b" " * MAX_TDMREP_BYTES,
    ],
    ids=range(12),
)
def test_what_is_no_such_file_says_nothing(body: bytes) -> None:
    assert said(TdmFile.parse(body, ORIGIN)) == []


def test_of_a_flood_of_rules_the_first_are_read() -> None:
    flood = [{"location": "/a"}] * (MAX_TDM_RULES - 1)
    last = {"location": "/x", "tdm-reservation": 1}
    assert said(parsed(*flood, last)) == ["1"]
    assert said(parsed(*flood, {"location": "/a"}, last)) == []


@given(st.lists(ENTRIES | VALUES, max_size=3))
def test_no_json_raises(entries: list[object]) -> None:
    said(parsed(*entries))


@given(st.binary())
def test_no_bytes_raise(body: bytes) -> None:
    said(TdmFile.parse(body, ORIGIN))
