import pytest
from tests.report.pages import rule_page, schema

from gossamer.report.finding import Severity
from gossamer.report.schema_values import wrong_currencies, wrong_dates, wrong_prices

GOOD_DATES = [
    *("2024", "2024-05", "2024-05-31", "20240531", "2024-05-31T18:00", "2024-05-31T18:00:00.5Z"),
    *("2024-05-31T18:00:00+02:00", "2024-05-31T18:00:00+0200", "-0044", "2024-02-29"),
]


@pytest.mark.parametrize("text", GOOD_DATES)
def test_dates_as_iso_8601_has_them_are_left_alone(text: str) -> None:
    assert [*wrong_dates(rule_page(schema("Event", startDate=text)))] == []


@pytest.mark.parametrize(
    ("text", "severity", "fix"),
    [
        ("28 June 2011", Severity.WARNING, "Write 2011-06-28."),
        ("June 28, 2011 10:00 AM", Severity.WARNING, "Write 2011-06-28T10:00:00."),
        ("2023-02-29", Severity.ERROR, "Write it as in 2024-05-31"),
        ("2023-13", Severity.ERROR, "Write it as in 2024-05-31"),
        ("next week", Severity.ERROR, "Write it as in 2024-05-31"),
        ("", Severity.ERROR, "Write it as in 2024-05-31"),
        ("03/04/2024", Severity.ERROR, "Write it as in 2024-05-31"),
    ],
)
def test_dates_that_programs_cannot_read_are_told(text: str, severity: str, fix: str) -> None:
    (found,) = wrong_dates(rule_page(schema("Event", startDate=text)))
    assert found.message == f'startDate is "{text}", which is no date.'
    assert (found.severity, (found.fix or "").startswith(fix)) == (severity, True)


@pytest.mark.parametrize("price", [19.9, 20, "19.90", "0", "1e3", " 5 "])
def test_prices_that_are_numbers_are_left_alone(price: object) -> None:
    assert [*wrong_prices(rule_page(schema("Offer", price=price)))] == []


@pytest.mark.parametrize(
    ("price", "severity", "fix"),
    [
        ("19,90", Severity.WARNING, "Write 19.9."),
        ("€ 1.249,00", Severity.WARNING, "Write 1249.0."),
        ("on request", Severity.ERROR, "Write digits with a point"),
        ("NaN", Severity.ERROR, "Write digits with a point"),
    ],
)
def test_prices_that_are_no_numbers_are_told(price: str, severity: str, fix: str) -> None:
    (found,) = wrong_prices(rule_page(schema("AggregateOffer", lowPrice=price)))
    assert found.message == f'lowPrice is "{price}", which is no number.'
    assert (found.severity, (found.fix or "").startswith(fix)) == (severity, True)


@pytest.mark.parametrize(
    ("currency", "fix"),
    [
        ("€", "Write EUR."),
        ("eur", "Write EUR."),
        ("Euro", "Write the three letters of ISO 4217, as in EUR."),
    ],
)
def test_currencies_are_three_letters(currency: str, fix: str) -> None:
    (found,) = wrong_currencies(rule_page(schema("Offer", priceCurrency=currency)))
    assert found.fix == fix
    assert [*wrong_currencies(rule_page(schema("Offer", priceCurrency="EUR")))] == []
