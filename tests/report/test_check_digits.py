import pytest
from tests.report.pages import rule_page, schema

from gossamer.report.check_digits import wrong_check_digits


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("gtin13", "4006381333931"),
        ("gtin", "00012345600012"),
        ("gtin8", "96385074"),
        ("gtin", "https://id.test/01/04006381333932"),
        ("isbn", "978-0-306-40615-7"),
        ("isbn", "0-306-40615-2"),
        ("isbn", "080442957X"),
    ],
)
def test_numbers_whose_check_digit_fits_are_left_alone(name: str, number: str) -> None:
    assert [*wrong_check_digits(rule_page(schema("Book", **{name: number})))] == []


@pytest.mark.parametrize(
    ("name", "number", "why"),
    [
        ("gtin13", "4006381333932", "its last digit would have to be 1"),
        ("gtin13", "96385074", "it has to have 13 digits"),
        ("gtin", "12345", "it has to have 8 or 12 or 13 or 14 digits"),
        ("isbn", "978-0-306-40615-8", "its last digit would have to be 7"),
        ("isbn", "0804429573", "its last digit would have to be X"),
        ("isbn", "080442957Y", "it has to have 10 or 13 digits"),
        ("isbn", "٩٧٨٠٣٠٦٤٠٦١٥٧", "it has to have 10 or 13 digits"),
    ],
)
def test_a_mistyped_number_is_told(name: str, number: str, why: str) -> None:
    (found,) = wrong_check_digits(rule_page(schema("Book", **{name: number})))
    assert found.message == f'{name} is "{number}": {why}.'
