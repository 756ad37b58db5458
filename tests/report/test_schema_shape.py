from tests.report.pages import rule_page, schema

from gossamer.report.finding import Severity
from gossamer.report.schema_shape import wrong_domains, wrong_ranges


def test_a_property_in_the_wrong_place_is_told_with_the_way_to_the_right_one() -> None:
    (found,) = wrong_domains(rule_page(schema("Product", price="19.90")))
    assert found.message == "A Product has no price."
    assert found.fix == "Give it to an Offer, as its offers."
    assert found.see == "https://schema.org/price"


def test_things_with_a_type_of_others_or_none_may_have_any_property() -> None:
    other = {"@context": "https://schema.org", "@type": ["Product", "http://a.test/X"], "price": 1}
    untyped = {"@context": "https://schema.org", "price": 2}
    assert [*wrong_domains(rule_page(other, untyped))] == []


def test_an_additional_type_counts() -> None:
    page = rule_page(schema("Place", additionalType="https://schema.org/Product", gtin="1"))
    assert [*wrong_domains(page)] == []


def test_a_role_stands_between_a_property_and_its_value() -> None:
    role = {"@type": "Role", "startDate": "2001", "author": {"@type": "Person", "name": "Ada"}}
    page = rule_page(schema("Book", author=role))
    assert [*wrong_domains(page), *wrong_ranges(page)] == []


def test_a_thing_of_another_type_is_told() -> None:
    (found,) = wrong_ranges(rule_page(schema("Book", author={"@type": "Place", "name": "Ada"})))
    assert (found.message, found.severity) == ("author is a Place.", Severity.WARNING)
    assert found.fix == "Write an Organization or a Person."


def test_a_text_instead_of_a_thing_is_a_note() -> None:
    (found,) = wrong_ranges(rule_page(schema("Book", author="Ada Byron")))
    assert found.severity is Severity.INFO
    assert [*wrong_ranges(rule_page(schema("Person", height="180 cm")))] == []
