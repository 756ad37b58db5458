"""Tokens that are long enough."""

import pytest

from gossamer.errors import ConfigError
from gossamer.settings.tokens import KEY, LEAST_CHARACTERS, check_new, is_short, make_token


def test_a_token_that_is_made_is_long_and_never_the_same() -> None:
    made = {make_token() for _ in range(100)}
    assert len(made) == 100
    assert not any(is_short(each) for each in made)


@pytest.mark.parametrize("token", ["", "x", "x" * (LEAST_CHARACTERS - 1), " " * 20])
def test_a_short_one_is_refused_with_a_way_to_a_better_one(token: str) -> None:
    with pytest.raises(ConfigError, match=f"`gossamer config set {KEY}=new` makes one"):
        check_new(KEY, token, "config set")


def test_other_keys_and_no_token_are_none_of_its_business() -> None:
    check_new("politeness.agent", "x", "config set")
    check_new(KEY, None, "config unset")
    check_new(KEY, "x" * LEAST_CHARACTERS, "config set")
    assert not is_short(None)
