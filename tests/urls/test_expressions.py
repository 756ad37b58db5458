import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import ConfigError
from gossamer.urls.expressions import MAX_EXPRESSION, compiled


def test_an_expression_is_found_anywhere_unless_anchored() -> None:
    assert compiled("k", "b+").found_in("abbc")
    assert not compiled("k", "^b").found_in("abbc")


@pytest.mark.parametrize("text", ["(a", r"(a)\1", "(?=a)", "a" * (MAX_EXPRESSION + 1), "\ud800"])
def test_a_bad_one_names_its_key_and_a_right_one(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^some\.key: "):
        compiled("some.key", text)


@given(st.text(), st.text())
def test_whatever_is_written_is_compiled_or_refused(text: str, searched: str) -> None:
    try:
        expression = compiled("k", text)
    except ConfigError:
        return
    try:
        searched.encode()
    except UnicodeEncodeError:
        return
    assert expression.found_in(searched) in (True, False)
