import pytest

from gossamer.vocabulary import is_structural

S = "http://schema.org/"


@pytest.mark.parametrize(
    "name", ["ListItem", "BreadcrumbList", "SearchAction", "ImageObject", "PostalAddress", "Offer"]
)
def test_parts_of_other_things_are_structural(name: str) -> None:
    assert is_structural([S + name])
    assert is_structural([f"https://schema.org/{name}", f"{S}EntryPoint"])


@pytest.mark.parametrize(
    "name", ["Product", "Event", "Person", "ItemList", "VideoObject", "Review", "WebSite", "Place"]
)
def test_what_people_look_for_is_not(name: str) -> None:
    assert not is_structural([S + name])


def test_one_class_that_is_not_is_enough() -> None:
    assert not is_structural([f"{S}ListItem", f"{S}Product"])
    assert not is_structural([f"{S}ListItem", "http://a.test/Shoe"])


def test_a_thing_without_a_class_is_not() -> None:
    assert not is_structural([])
