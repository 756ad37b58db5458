"""Whatever is typed is understood, or there is a sentence about what would be right."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.words.asked import MOST_CLAUSES, Clause, SearchError, Way, nearly, understood


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("ada lovelace", [Clause("ada"), Clause("lovelace")]),
        ('"ada lovelace"', [Clause("ada lovelace", Way.PHRASE)]),
        ("“ada lovelace” x", [Clause("ada lovelace", Way.PHRASE), Clause("x")]),
        ('"ada lovelace', [Clause("ada lovelace", Way.PHRASE)]),
        ('ada "', [Clause("ada")]),
        ('ada"love lace', [Clause("ada"), Clause("love lace", Way.PHRASE)]),
        ("love*", [Clause("love", Way.PREFIX)]),
        ('"ada love"*', [Clause("ada love", Way.PREFIX)]),
        ("lovlace~", [Clause("lovlace", Way.FUZZY, 1)]),
        ("lovlace~2", [Clause("lovlace", Way.FUZZY, 2)]),
        ("-ada", [Clause("ada", wanted=False)]),
        ('-"ada lovelace"', [Clause("ada lovelace", Way.PHRASE, wanted=False)]),
        ("-lov*", [Clause("lov", Way.PREFIX, wanted=False)]),
        ("jean-luc", [Clause("jean-luc")]),
        ("東*", [Clause("東", Way.PREFIX)]),
        ("", []),
        ("*", []),
        ('- ~ * ( ) AND: "', [Clause("AND:")]),
    ],
)
def test_what_is_typed_is_understood(text: str, clauses: list[Clause]) -> None:
    assert list(understood(text)) == clauses


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x" * 1_001, "1,000 characters"),
        ("a " * 300, f"{MOST_CLAUSES} words"),
        ("aa* " * 20, "may end in"),
        ("a*", "2 letters"),
    ],
)
def test_too_much_is_refused_with_what_would_be_right(text: str, says: str) -> None:
    with pytest.raises(SearchError, match=says):
        understood(text)


@given(st.text(alphabet=st.sampled_from('ab "*~-東“”12\\/:()[]{}^'), max_size=60))
def test_nothing_that_is_typed_breaks_anything(text: str) -> None:
    with suppress(SearchError):
        assert all(any(map(str.isalnum, clause.text)) for clause in understood(text))


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("tanaca", "tanaca~"),
        ("ada lovlace", "ada lovlace~"),
        ('lovlace"ada king', 'lovlace~"ada king'),
        (
            'lovlace "first programme" -hotel babb* othr~',
            'lovlace~ "first programme" -hotel babb* othr~',
        ),
        ("ada", None),
        ("lovlace~", None),
        ("1843 k1234abcd", None),
        ("", None),
        ("seven words that could each differ", "seven~ words~ that~ could~ each~ differ~"),
        ("seven words that could each differ somewhat", None),
        ("x" * 1_000, None),
    ],
)
def test_words_may_be_nearly_what_was_typed(text: str, guess: str | None) -> None:
    assert nearly(text) == guess


@given(st.text(alphabet='abcdeABC12 "*~-“', max_size=40))
def test_a_guess_asks_for_the_same_things_less_exactly(text: str) -> None:
    with suppress(SearchError):
        before, guess = understood(text), nearly(text)
        if guess is not None:
            after = understood(guess)
            assert [(each.text, each.wanted) for each in after] == [
                (each.text, each.wanted) for each in before
            ]
            assert nearly(guess) is None
            assert before != after
