import pytest

from gossamer.transform.microformats.classes import Around, names_of
from gossamer.transform.microformats.classic import Property

NOWHERE = Around(False, ())
IN_ITEM = Around(True, ())
IN_ENTRY = Around(True, ("hentry",))


@pytest.mark.parametrize("word", ["h-4", "h-1/2", "H-card", "h-", "h-car_d", "h-full", "h-screen"])
def test_heights_and_misspellings_are_no_roots(word: str) -> None:
    assert names_of(word, (), IN_ITEM) is None


def test_roots_are_sorted_and_said_once() -> None:
    names = names_of("h-org\th-card h-org", (), NOWHERE)
    assert names
    assert names.root
    assert names.root.types == ("h-card", "h-org")


def test_a_name_of_today_makes_the_classic_one_beside_it_moot() -> None:
    names = names_of("vcard h-card", (), NOWHERE)
    assert names
    assert names.root == (("h-card",), IN_ITEM, True)


def test_properties_need_an_item_around_them() -> None:
    assert names_of("p-name u-url", (), NOWHERE) is None
    names = names_of("p-name u-url p-name", (), IN_ITEM)
    assert names
    assert names.properties == (Property("p", "name"), Property("u", "url"))


def test_in_a_classic_item_only_classic_names_count() -> None:
    assert names_of("p-name", (), IN_ENTRY) is None
    names = names_of("entry-title", ("bookmark",), IN_ENTRY)
    assert names
    assert names.properties == (Property("p", "name"), Property("u", "url"))


def test_a_tag_that_is_a_category_by_its_class_says_so_once() -> None:
    names = names_of("category", ("tag",), IN_ENTRY)
    assert names
    assert names.properties == (Property("p", "category"),)


def test_a_classic_property_can_make_an_item_of_its_element() -> None:
    names = names_of("author", (), IN_ENTRY)
    assert names
    assert names.root == (("h-card",), Around(True, ("vcard",)), False)


def test_a_very_long_attribute_is_read_like_any_other() -> None:
    names = names_of("x " * 10_000 + "h-card", (), NOWHERE)
    assert names
    assert names.root
