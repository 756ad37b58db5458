import pytest
from tests.report.pages import rule_page, schema

from gossamer.report.schema_names import unknown_types


@pytest.mark.parametrize(
    ("written", "fix"),
    [
        ("Prodct", "Write Product."),
        ("recipe", "Write Recipe."),
        ("Xyzzy", "See https://schema.org/docs/full.html for its types."),
    ],
)
def test_a_type_that_there_is_not_is_told_with_the_nearest(written: str, fix: str) -> None:
    page = rule_page(schema(written, **{"@id": "http://a.test/#it"}))
    (found,) = unknown_types(page)
    assert (found.message, found.fix) == (f'schema.org has no type "{written}".', fix)
    assert (found.entity, found.line) == ("http://a.test/#it", 3)


def test_types_that_there_are_and_those_of_others_are_left_alone() -> None:
    other = {"@type": "http://other.test/Prodct", "http://other.test/is": 1}
    assert [*unknown_types(rule_page(schema("Product", name="a"), other))] == []


def test_where_the_same_word_stands_in_two_lines_none_is_named() -> None:
    page = rule_page(schema("Prodct", name="a"), schema("Prodct", name="b"))
    assert [each.line for each in unknown_types(page)] == [None, None]
