"""What a site says about the use of its content."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.usage import (
    MAX_PREFERENCES,
    ContentUsage,
    UsageStatement,
    content_preferences,
    content_usage,
    usage_statements,
)


def test_tdm_signals_are_stated_from_headers_and_meta_elements() -> None:
    headers = [("TDM-Reservation", " 1 "), ("Content-Type", "text/html")]
    metas = [("tdm-policy", "https://example.test/policy.json"), ("author", "x")]
    assert usage_statements(headers, metas) == (
        UsageStatement("tdmReservation", "1", "header"),
        UsageStatement("tdmPolicy", "https://example.test/policy.json", "meta"),
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
    assert usage_statements([(name, value)], [(name, value)]) == ()


def test_content_usage_is_stated_once_for_each_source() -> None:
    lines = [ContentUsage("/", (("train-ai", "n"), ("search", "y")), 3)]
    header = ("Content-Usage", "train-ai=n, TRAIN-AI=N")
    assert usage_statements([header, header], (), lines) == (
        UsageStatement("contentUsage", "train-ai=n", "header"),
        UsageStatement("contentUsage", "train-ai=n", "robots.txt"),
        UsageStatement("contentUsage", "search=y", "robots.txt"),
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
    assert content_usage("/a/* train-ai=y", 4) == ContentUsage("/a/*", (("train-ai", "y"),), 4)
    assert content_usage("train-ai=y", 4) == ContentUsage("/", (("train-ai", "y"),), 4)
    assert content_usage("/only/a/path", 4) is None


def test_a_flood_of_preferences_is_bounded() -> None:
    assert len(content_preferences("a=y," * 10_000)) == MAX_PREFERENCES


@given(st.text(), st.sampled_from(["tdm-reservation", "TDM-Policy", "Content-Usage", "x"]))
def test_no_text_raises_and_what_is_stated_is_printable(value: str, name: str) -> None:
    for statement in usage_statements([(name, value)], [(name, value)]):
        assert statement.value.isprintable()
    content_usage(value, 1)
