import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.entities.identifiers import doi, email, gtin, isbn, lei, orcid


@pytest.mark.parametrize(
    "text",
    [
        "0-306-40615-2",
        "0306406152",
        "9780306406157",
        "978-0-306-40615-7",
        "urn:isbn:0306406152",
        "ISBN 978 0 306 40615 7",
        "ISBN-13: 978‐0‐306‐40615‐7",  # hyphens as printers have them
    ],
)
def test_a_book_has_one_number_in_all_spellings(text: str) -> None:
    assert isbn(text) == "urn:isbn:9780306406157"


def test_an_x_is_a_digit_too() -> None:
    assert isbn("0-8044-2957-X") == isbn("080442957x") == "urn:isbn:9780804429573"


@pytest.mark.parametrize("text", ["", "0306406153", "9780306406158", "0000000000", "12", "X" * 99])
def test_what_is_no_number_of_a_book_identifies_none(text: str) -> None:
    assert isbn(text) is None


@pytest.mark.parametrize("text", ["4006381333931", "04006381333931", "4006-381-333931"])
def test_a_trade_item_has_one_number_in_all_lengths(text: str) -> None:
    assert gtin(text) == "https://id.gs1.org/01/04006381333931"


def test_short_and_american_numbers_are_trade_items_too() -> None:
    assert gtin("96385074") == "https://id.gs1.org/01/00000096385074"
    assert gtin("036000291452") == "https://id.gs1.org/01/00036000291452"


def test_a_book_in_a_shop_is_the_book() -> None:
    assert gtin("9780306406157") == isbn("0306406152")


@pytest.mark.parametrize(
    "text",
    [
        "4006381333932",  # a wrong check digit
        "0000000000000",
        "2000000000015",  # a shop's own number
        "0200000000011",
        "20000004",
        "123",
        "n/a",
    ],
)
def test_numbers_that_anybody_may_use_identify_nothing(text: str) -> None:
    assert gtin(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "10.1000/ABC",
        "doi:10.1000/abc",
        "https://doi.org/10.1000/abc",
        "http://dx.doi.org/10.1000/Abc",
        "info:doi/10.1000/abc",
        " doi.org/10.1000/abc ",
    ],
)
def test_a_doi_has_one_spelling(text: str) -> None:
    assert doi(text) == "https://doi.org/10.1000/abc"


@pytest.mark.parametrize("text", ["10.1/x", "10.1000/", "see 10.1000/abc", "10.1000/a b"])
def test_what_is_no_doi_is_none(text: str) -> None:
    assert doi(text) is None


def test_an_orcid_is_checked() -> None:
    assert orcid("http://www.orcid.org/0000-0002-1825-0097/") == (
        "https://orcid.org/0000-0002-1825-0097"
    )
    assert orcid("https://orcid.org/0000-0002-1825-0098") is None
    assert orcid("0000-0002-1825-0097") is None  # four groups of digits may be anything


def test_an_lei_is_checked() -> None:
    assert lei("7ZW8QJWVPR4P1J1KQY45") == "urn:lei:7ZW8QJWVPR4P1J1KQY45"
    assert lei("7ZW8QJWVPR4P1J1KQY46") is None


@pytest.mark.parametrize(
    "text", ["Ada@Good.org", "mailto:ada@good.org", "MAILTO:ada@GOOD.org?subject=hello"]
)
def test_an_address_has_one_spelling(text: str) -> None:
    assert email(text) == "mailto:ada@good.org"


@pytest.mark.parametrize(
    "text", ["info@good.org", "mailto:Contact@good.org", "ada@localhost", "ada", "@", "a b@c.org"]
)
def test_addresses_of_roles_and_none_identify_nobody(text: str) -> None:
    assert email(text) is None


@given(st.text(max_size=60) | st.text("0123456789X-", max_size=20))
def test_a_spelling_is_its_own_spelling(text: str) -> None:
    for kind in (isbn, doi, orcid, email):
        found = kind(text)
        assert found is None or kind(found) == found


def test_very_long_values_are_nothing_and_cost_nothing() -> None:
    for kind in (isbn, gtin, doi, orcid, lei, email):
        for huge in ("9" * 5_000_000, "a@" * 2_500_000, "10.1000/" + "x" * 5_000_000):
            assert kind(huge) is None
