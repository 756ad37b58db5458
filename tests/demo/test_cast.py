import unicodedata

import pytest

from gossamer.demo import words
from gossamer.demo.cast import AUTHORS, BOOKS, GOODS, HOMES, gtin_13, trade_home
from gossamer.index.entities.identifiers import email, gtin, isbn


def test_whoever_has_another_number_is_somebody_else() -> None:
    assert len({author.home for author in AUTHORS}) == len(AUTHORS)
    assert len({book.home for book in BOOKS}) == len(BOOKS) == len(words.TOPICS)
    assert len({trade_home(number) for number in range(GOODS)}) == GOODS


def test_the_numbers_are_ones_that_others_accept() -> None:
    for book in BOOKS:
        assert {isbn(spelling) for spelling in book.spellings} == {book.home}
    for number in range(GOODS):
        assert gtin(gtin_13(number)) == trade_home(number)
    for author in AUTHORS:
        assert author.email is None or email(author.email) == author.home


def test_known_numbers_have_the_right_check_digit() -> None:
    assert gtin_13(0) == "9520000000004"
    assert BOOKS[0].spellings == ("9789999900003", "99999-0000-3")


@pytest.mark.parametrize("alphabet", ["CJK", "HANGUL", "CYRILLIC", "GREEK", "ARABIC"])
def test_authors_write_in_many_alphabets(alphabet: str) -> None:
    assert any(unicodedata.name(author.name[0]).startswith(alphabet) for author in AUTHORS)


def test_every_spelling_has_a_home() -> None:
    assert HOMES["99999-0000-3"] == "urn:isbn:9789999900003"
    assert set(HOMES.values()) >= {book.home for book in BOOKS}
