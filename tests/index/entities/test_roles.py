import pytest

from gossamer.index.entities.roles import Role, role_of

S = "http://schema.org/"


@pytest.mark.parametrize(
    ("predicate", "parts"),
    [
        (f"{S}name", {"name": 0, "is_label": True}),
        (f"{S}description", {"description": 0}),
        (f"{S}image", {"image": 0}),
        (f"{S}datePublished", {"is_dated": True}),
        (f"{S}priceCurrency", {"is_code": True}),
        (f"{S}jobTitle", {}),
    ],
)
def test_a_predicate_has_the_role_that_the_vocabulary_gives_it(
    predicate: str, parts: dict[str, int]
) -> None:
    nothing = Role(None, False, None, None, False, False)
    assert role_of(predicate) == nothing._replace(**parts)  # type: ignore[arg-type]  # by name


def test_other_names_name_without_being_labels_and_rank_behind_them() -> None:
    other, label = (
        role_of(f"{S}alternateName"),
        role_of("https://dev.twitter.com/cards/markup#title"),
    )
    assert not other.is_label
    assert other.name is not None
    assert label.name is not None
    assert other.name > label.name
