import pytest

from gossamer.vocabulary import schema_terms as terms
from gossamer.vocabulary.hierarchy import SCHEMA, is_class
from gossamer.vocabulary.tables import CODES, SCHEMA_ORG, drawn_from, section


def test_a_property_has_a_domain_and_a_range() -> None:
    assert "Offer" in terms.domain("price")
    assert terms.range_of("price") == {"Number", "Text"}
    assert terms.domain("prise") == frozenset()
    assert terms.is_property("query-input")


def test_every_domain_and_range_is_a_class_or_data_type() -> None:
    known = terms.data_types()
    for name in terms.property_names():
        kinds = terms.domain(name) | terms.range_of(name)
        assert [k for k in kinds if k not in known and not is_class(SCHEMA + k)] == [], name


def test_members_of_enumerations_below_are_members_too() -> None:
    assert {"InStock", "SoldOut"} <= terms.members("ItemAvailability")
    assert terms.members("ActionStatusType") <= terms.members("StatusEnumeration")
    assert terms.is_member("InStock")
    assert "ItemAvailability" in terms.class_and_above("InStock")
    assert not terms.is_enumeration("Thing")


@pytest.mark.parametrize(
    ("name", "after"),
    [("actors", "actor"), ("area", "areaServed"), ("Code", "SoftwareSourceCode"), ("name", None)],
)
def test_the_last_successor_of_a_term_is_told(name: str, after: str | None) -> None:
    assert terms.successor(name) == after


def test_tables_say_what_they_were_drawn_from() -> None:
    for file in (SCHEMA_ORG, CODES):
        for name, release, day in drawn_from(file):
            assert name
            assert release[0].isdigit()
            assert day[:2] == "20"
    assert len(section(SCHEMA_ORG, "properties")) > 1500
    assert len(section(CODES, "languages")) > 180
    assert len(section(CODES, "countries")) > 245
    assert len(section(CODES, "currencies")) > 170
