import pytest
from tests.report.pages import rule_page, schema

from gossamer.report.codes import wrong_countries, wrong_languages
from gossamer.report.data_types import wrong_values
from gossamer.report.plausibility import wrong_order, wrong_ratings


@pytest.mark.parametrize(
    ("kind", "name", "good", "bad"),
    [
        ("Recipe", "cookTime", ["PT1H30M", "P1D", "PT0.5S", "P2W"], ["P", "PT", "90", "1 h or so"]),
        ("Event", "doorTime", ["18:00", "18:00:00+02:00", "2026-01-01T18:00"], ["6 pm"]),
        ("Book", "numberOfPages", ["12", 12], ["twelve", "NaN"]),
        ("Book", "isAccessibleForFree", [True, "true"], ["perhaps"]),
        ("Book", "copyrightYear", [1999], ["MCMXCIX"]),
    ],
)
def test_values_are_of_their_data_type(
    kind: str, name: str, good: list[object], bad: list[object]
) -> None:
    for value in good:
        assert [*wrong_values(rule_page(schema(kind, **{name: value})))] == []
    for value in bad:
        (found,) = wrong_values(rule_page(schema(kind, **{name: value})))
        assert found.message.startswith(f'{name} is "{value}", which is no ')


@pytest.mark.parametrize(
    ("name", "text", "fix"),
    [
        ("cookTime", "1 hour and 5 minutes", "Write PT1H5M."),
        ("isAccessibleForFree", "No", "Write false."),
        ("numberOfPages", "1,200", "Write 1200."),
    ],
)
def test_what_was_meant_is_told_where_it_is_certain(name: str, text: str, fix: str) -> None:
    (found,) = wrong_values(rule_page(schema("HowTo", **{name: text})))
    assert found.fix == fix


def test_an_address_without_its_scheme_is_told() -> None:
    page = rule_page(schema("Person", sameAs="www.other.test/ada", image="pictures/ada.jpg"))
    (found,) = wrong_values(page)
    assert found.fix == "Write https://www.other.test/ada."


def test_languages_and_countries_are_codes() -> None:
    good = schema("Book", inLanguage=["en", "pt-BR", "zh-Hant", "gsw"])
    spoken = schema("ContactPoint", availableLanguage=["English", "es"])
    home = schema("PostalAddress", addressCountry=["DE", "Germany", "USA"])
    assert [*wrong_languages(rule_page(good, spoken)), *wrong_countries(rule_page(home))] == []
    (found,) = wrong_languages(rule_page(schema("Book", inLanguage="qq")))
    assert found.message == 'inLanguage is "qq", which is no language code.'


def test_what_cannot_be_true_together_is_told() -> None:
    later = schema("Event", startDate="2026-05-02", endDate="2026-05-01T10:00")
    (found,) = wrong_order(rule_page(later))
    assert found.message == 'startDate is "2026-05-02", later than endDate, "2026-05-01T10:00".'
    assert [*wrong_order(rule_page(schema("Event", startDate="2026-05-02", endDate="2026")))] == []
    (found,) = wrong_order(rule_page(schema("AggregateOffer", lowPrice=20, highPrice="3")))
    assert found.rule == ""
    assert [*wrong_ratings(rule_page(schema("Rating", ratingValue=90, bestRating=100)))] == []
