from gossamer.index.entities.entity import Entity, Text


def test_an_entity_can_be_compared_and_kept_in_sets() -> None:
    parts: dict[str, object] = dict.fromkeys(Entity._fields, ())
    one, same = Entity(**parts), Entity(**parts)  # type: ignore[arg-type]  # what is in it is all the same here
    assert len({one, same, Entity(**{**parts, "home": "http://a.test/"})}) == 2  # type: ignore[arg-type]  # as above


def test_the_same_words_in_two_languages_are_two_texts() -> None:
    assert Text("de", "Gift") != Text("en", "Gift")
