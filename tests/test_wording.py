from hypothesis import given
from hypothesis import strategies as st

from gossamer.wording import MOST, quoted


def test_a_short_text_is_quoted_whole() -> None:
    assert quoted("example.test") == '"example.test"'


def test_a_long_text_keeps_its_beginning_and_its_end() -> None:
    shown = quoted("begin" + "x" * 100_000 + "end")
    assert shown.startswith('"begin')
    assert shown.endswith('end"')
    assert "…" in shown


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_what_is_quoted_is_printable_and_short(text: str) -> None:
    shown = quoted(text)
    assert shown.isprintable()
    assert len(shown) <= len(r"\u10ffff") * MOST + 2
