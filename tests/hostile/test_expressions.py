"""No expression of ours is slow on any text: steps are counted, on texts made to be slow."""

import re
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hostile.all_expressions import Used, all_expressions, patterns_made_in_functions
from tests.hostile.backtracking import Counted, TooManyStepsError, found_by_re
from tests.hostile.slow_texts import LARGE_SIZES, SIZES, worst_attack

# Those whose work may grow with the square, since something bounds what they are given.
BOUNDED = {
    "gossamer.cli.folder:has_password": "reads the user's own command line",
    "gossamer.detect.hypertext:_SPEAKING_REL": "looks at 200 bytes behind each attribute",
    "gossamer.index.words.asked:_SIGNED": "a search has 1,000 characters at most",
    "gossamer.transform.depth:_PERHAPS_TAG_BYTES": "is left when it has looked at a page four times over",
    "gossamer.transform.depth:_PERHAPS_TAG_TEXT": "is left when it has looked at a page four times over",
}
# Where a pattern is put together: of what, and why that is no danger.
MADE = {
    "gossamer.focus.matching:_pattern": "of escaped words alone, which the user gave",
    "gossamer.urls.host_patterns:_expression": "of what the user gave, on the command line or in settings",
    "gossamer.upkeep.forget:mentions": "of escaped names alone",
    "gossamer.frontier.postgres_server:_refused": "of our own sentences",
    "gossamer.politeness.robots.groups:_record": "of constants, when the module is loaded",
    "gossamer.service.schemas:_text_faults": "of the patterns in our own descriptions",
    "gossamer.transform.feeds.values:mailbox": "of a constant",
}
OLD_TAG = re.compile(
    r"</?(?:a|abbr|b|br)"
    r"""(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s<>"']*))*\s*/?>""",
    re.IGNORECASE | re.DOTALL,
)
OLD_OPAQUE = re.compile(r"""'(?:[^'\\\n\r]|\\.)*'|"(?:[^"\\\n\r]|\\.)*"|\w+""", re.DOTALL)
OLD_CODE = re.compile(r"[\x21-\x7e]*[0-9@/\\=][\x21-\x7e]*")


@pytest.fixture(scope="module")
def everything(full_size: bool) -> list[Used]:
    return all_expressions(every=full_size)


def test_every_expression_is_found(everything: list[Used]) -> None:
    assert len(everything) > 250
    names = {each.where for each in everything}
    assert "gossamer.index.entities.texts:_TAG" in names
    assert "gossamer.sparql.guard:_OPAQUE" in names
    assert any(each.how == "fullmatch" for each in everything)


def test_no_expression_is_exponential_or_quadratic(everything: list[Used], full_size: bool) -> None:
    sizes = LARGE_SIZES if full_size else SIZES
    found = ((each, worst_attack(each.pattern, each.how, sizes)) for each in everything)
    slow = {each.where: f"{each.where} ({each.how}): {how}" for each, how in found if how}
    assert [told for where, told in slow.items() if where not in BOUNDED] == []
    assert slow.keys() >= BOUNDED.keys(), "what is no longer slow needs no reason"


def test_patterns_are_put_together_only_where_we_know_of() -> None:
    assert patterns_made_in_functions() == sorted(MADE)


@pytest.mark.parametrize(
    ("pattern", "how"),
    [
        (OLD_TAG, "search"),
        (OLD_OPAQUE, "search"),
        (OLD_CODE, "fullmatch"),
        (re.compile("(a+)+"), "fullmatch"),
        (re.compile("(?:a|aa)+"), "fullmatch"),
        (re.compile(r"(\w+\s?)*:"), "match"),
        (re.compile(r"\s+$"), "search"),
        (re.compile(r"[a-z]++:"), "search"),
        (re.compile("<!--.*?-->", re.DOTALL), "search"),
        (re.compile(rb"a*b?a*c"), "match"),
        (re.compile("x(?=.*y)", re.DOTALL), "search"),
    ],
    ids=str,
)
def test_what_is_slow_is_caught(pattern: "re.Pattern[Any]", how: str) -> None:
    assert worst_attack(pattern, how) is not None


@pytest.mark.parametrize(
    ("pattern", "how"),
    [
        (re.compile(r"[a-z]+:[0-9]+"), "match"),
        (re.compile(r"(?<![a-z])[a-z]++:"), "search"),
        (re.compile(r"(?:[^'\\]++|\\.)*+'"), "match"),
        (re.compile(r"\w+"), "search"),
        (re.compile(rb"[\x00-\x20]+"), "search"),
    ],
    ids=str,
)
def test_what_is_not_slow_is_not_caught(pattern: "re.Pattern[Any]", how: str) -> None:
    assert worst_attack(pattern, how) is None


@settings(max_examples=60)
@given(
    st.sampled_from(["search", "match", "fullmatch"]),
    st.sampled_from(
        [
            r"(a|ab)(c|bcd)*d?",
            r"(['\"])(.*?)\1",
            r"(?i)(?<=a)b+(?!c)|^d|e$",
            r"(?>a+)b|a++c|(?:ab)*+a",
            r"\b\w{2,3}?\B",
        ]
    ),
    st.text(alphabet="abcdeAB'\" ", max_size=12),
)
def test_the_counting_interpreter_finds_what_re_finds(how: str, pattern: str, text: str) -> None:
    counted = Counted(re.compile(pattern))
    try:
        assert counted.run(text, how) == found_by_re(counted.pattern, text, how)
    except TooManyStepsError:
        raise AssertionError from None


def test_counting_leaves_the_limit_of_recursion_as_it_was() -> None:
    before = sys.getrecursionlimit()
    with pytest.raises(TooManyStepsError):
        Counted(re.compile("(a+)+")).run("a" * 60 + "b", "fullmatch")
    assert sys.getrecursionlimit() == before
