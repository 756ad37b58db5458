import pytest

from gossamer.index.entities.vocabulary import (
    DESCRIPTIONS,
    IMAGES,
    LABEL_ORDER,
    LABELS,
    NAMES,
    all_of,
    ranked,
)


def test_the_order_of_names_is_the_rank() -> None:
    assert ranked("foaf:name schema:name") == {
        "http://xmlns.com/foaf/0.1/name": 0,
        "http://schema.org/name": 1,
        "https://schema.org/name": 1,
    }


def test_a_prefix_that_nobody_knows_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        all_of("nobody:knows")


def test_every_label_is_a_name_of_the_same_rank() -> None:
    assert LABELS.items() <= NAMES.items()
    assert len(NAMES) > len(LABELS) > len(LABEL_ORDER.split())


def test_no_predicate_has_two_parts_to_play() -> None:
    assert not NAMES.keys() & DESCRIPTIONS.keys() & IMAGES.keys()
