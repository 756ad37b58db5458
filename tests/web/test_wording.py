"""How numbers, moments and names are shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.web import wording
from gossamer.web.wording import (
    clean,
    kinds,
    marked,
    middle,
    moment,
    readable,
    seconds,
    short,
    size,
    ticks,
)


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0.0031, "3 ms"), (1.25, "1.25 s"), (59.96, "60 s"), (61, "1 min 1 s"), (3600, "1 h"),
     (3725, "1 h 2 min"), (90000, "1 d 1 h"), (10**7, "115 d 17 h"), (None, "–")],
)  # fmt: skip
def test_times_are_short(number: float | None, shown: str) -> None:
    assert seconds(number) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (123456, "123 kB"), (5e9, "5.0 GB"),
     (1e16, "10,000 TB"), (None, "–")],
)  # fmt: skip
def test_sizes_are_short(number: float | None, shown: str) -> None:
    assert size(number) == shown


def test_counts_have_their_words() -> None:
    assert wording.counted(1, "page") == "1 page"
    assert wording.counted(2000, "page") == "2,000 pages"
    assert wording.counted(2, "query", "queries") == "2 queries"
    assert wording.count(None) == "–"


def test_a_moment_is_for_people_and_programs() -> None:
    assert moment("2026-01-02T03:04:05.678+00:00") == (
        '<time datetime="2026-01-02T03:04:05+00:00">2026-01-02 03:04:05 UTC</time>'
    )
    assert moment("<b>") == "&lt;b&gt;"
    assert moment(None) == "–"


@pytest.mark.parametrize(
    ("iri", "shown"),
    [("http://schema.org/birthDate", "birth date"), ("http://ogp.me/ns#site_name", "site name"),
     ("http://schema.org/sameAs", "same as"), ("http://schema.org/URL", "url"),
     ("http://a.test/HTMLPage", "html page"), ("urn:", "urn:")],
)  # fmt: skip
def test_a_property_is_said_as_people_say_it(iri: str, shown: str) -> None:
    assert readable(iri) == shown


def test_kinds_are_named_once() -> None:
    assert kinds(["http://schema.org/Person", "http://xmlns.com/foaf/0.1/Person"]) == ["Person"]


def test_long_addresses_lose_their_middle() -> None:
    assert short("http://schema.org/name") == "schema:name"
    assert short("https://a.test/%C3%BC") == "a.test/ü"
    assert len(short("https://a.test/" + "x" * 500)) <= 90
    assert middle("abc", 3) == "abc"


def test_characters_that_deceive_are_gone() -> None:
    assert clean("ab\u202ecd\u200be\x00") == "abcde"
    assert short("http://a.test/%E2%80%AEx") == "a.test/x"


@given(st.text(), st.lists(st.integers(0, 20), max_size=6))
def test_marks_never_make_markup_of_text(text: str, places: list[int]) -> None:
    ordered = sorted(set(places))
    marks = list(zip(ordered[::2], ordered[1::2], strict=False))
    shown = str(marked(text, marks)).replace("<mark>", "").replace("</mark>", "")
    assert "<" not in shown
    assert ">" not in shown


def test_what_was_sought_is_marked() -> None:
    assert marked("<ada> b", [(1, 4)]) == "&lt;<mark>ada</mark>&gt; b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see `gossamer status` & co", "see <code>gossamer status</code> &amp; co"),
        ("a ` alone", "a ` alone"),
        ("`a` and `<b>", "<code>a</code> and `&lt;b&gt;"),
        ("plain", "plain"),
    ],
)
def test_words_in_back_ticks_are_code(text: str, shown: str) -> None:
    assert ticks(text) == shown
