import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model import Problem
from gossamer.sitemaps.tags import MAX_TAG_LENGTH, bound_tags

LONG = 2 * MAX_TAG_LENGTH


def bounded(text: str, size: int = MAX_TAG_LENGTH) -> tuple[str, list[Problem]]:
    """What is passed on of a text that comes in blocks, and what is said of it."""
    blocks = [text[at : at + size] for at in range(0, len(text), size)]
    found = list(bound_tags(blocks))
    kept = "".join(item for item in found if isinstance(item, str))
    return kept, [item for item in found if isinstance(item, Problem)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no tag",
        "<a>b</a>",
        "<a b='>' c=\">\"/>",
        "<!-- < ' -->x<![CDATA[ <y ' ]]>",
        "<?p < ' ?><z/>",
        "<a b='never closed><c/>",
        "<a <b>",
        "<!DOCTYPE a [<!ENTITY b 'c>'>]><a/>",
        "<a",
    ],
)
@pytest.mark.parametrize("size", [1, 7, MAX_TAG_LENGTH])
def test_what_is_no_longer_than_it_may_be_stays_as_it_is(text: str, size: int) -> None:
    assert bounded(text, size) == (text, [])


@pytest.mark.parametrize("text", ["<![CDATA[" + "<x" * LONG + "]]><b/>", "x" * LONG + "<a/>"])
@pytest.mark.parametrize("size", [1000, MAX_TAG_LENGTH])
def test_what_stands_outside_tags_may_be_of_any_length(text: str, size: int) -> None:
    assert bounded(text, size) == (text, [])


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("<!--" + "x" * LONG + "--><a/>", "<!--xxx", "x--><a/>"),
        ("<?p " + "x" * LONG + "?><a/>", "<?p xxx", "x?><a/>"),
        ("<b c='" + "x" * LONG + "'/><a/>", "<b c='xxx", "x'/><a/>"),
        ("<b c='" + '>"' * LONG + "'><a/>", "<b c='>", "'><a/>"),
        ("<b" + " c=''" * LONG + " /><a/>", "<b c='' c=''", "c=''/><a/>"),
        ("<b" + ' c=">"' * LONG + "><a/>", '<b c=">"', 'c=">"><a/>'),
        ("<b" + " " * LONG + "><a/>", "<b ", " ><a/>"),
    ],
)
@pytest.mark.parametrize("size", [1000, MAX_TAG_LENGTH])
def test_of_a_longer_one_the_beginning_is_kept_and_ended(
    text: str, begins: str, ends: str, size: int
) -> None:
    kept, problems = bounded("<r>" + text, size)
    assert kept.startswith("<r>" + begins)
    assert kept.endswith(ends)
    assert len(kept) <= MAX_TAG_LENGTH + 20
    assert [problem.message[:35] for problem in problems] == ["more than 65,536 characters in one "]


@given(st.lists(st.sampled_from(["<", ">", "'", '"', "/", "a", " ", "<!--", "-->", "?"])))
def test_nothing_is_lost_of_what_is_short(pieces: Sequence[str]) -> None:
    text = "".join(pieces)
    assert bounded(text, 3) == (text, [])


@given(st.lists(st.sampled_from(["<a", ">", "'", '"', "/", " b=", "<!--", "-->", "<?", "?>"])))
def test_no_tag_is_longer_than_it_may_be_whatever_stands_around_it(pieces: Sequence[str]) -> None:
    filling = " x=''" * MAX_TAG_LENGTH
    kept, _ = bounded("".join(pieces) + "<y" + filling + ">" + "".join(pieces))
    assert all(len(each) <= MAX_TAG_LENGTH + 300 for each in re.findall(r"<[^<]*", kept))
