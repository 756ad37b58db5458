import pytest

from gossamer.errors import ConfigError
from gossamer.model import Syntax
from gossamer.syntaxes import wanted_syntaxes


def test_no_words_ask_for_everything_and_none_for_nothing() -> None:
    assert wanted_syntaxes([]) is None
    assert wanted_syntaxes(["none"]) == frozenset()
    assert wanted_syntaxes(["rdfa", "jsonld"]) == frozenset({Syntax.RDFA, Syntax.JSON_LD})


def test_a_word_that_is_none_of_them_is_told_all_of_them() -> None:
    with pytest.raises(ConfigError, match="'rfda' is no syntax; there are rdfa, jsonld,"):
        wanted_syntaxes(["rfda"])
