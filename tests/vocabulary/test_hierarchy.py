import pytest

from gossamer.vocabulary import ancestors, is_class, named, namespace, plain, subclasses
from gossamer.vocabulary.tables import SCHEMA_ORG, names_in

S = "http://schema.org/"
NAMES = set(names_in(SCHEMA_ORG, "types"))


def test_every_class_is_a_thing() -> None:
    assert len(NAMES) > 900
    assert subclasses(f"{S}Thing") == {S + name for name in NAMES}
    assert [name for name in NAMES if f"{S}Thing" not in ancestors(S + name)] == []


def test_no_class_is_below_itself() -> None:
    assert [n for n in NAMES if subclasses(S + n) & ancestors(S + n) != {S + n}] == []


def test_a_class_may_have_several_parents() -> None:
    assert {f"{S}Place", f"{S}Organization", f"{S}Thing"} <= ancestors(f"{S}Restaurant")
    assert f"{S}Restaurant" in subclasses("https://schema.org/Place")


def test_a_class_that_is_unknown_stands_alone() -> None:
    assert (
        subclasses("http://a.test/Event")
        == ancestors("http://a.test/Event")
        == {"http://a.test/Event"}
    )
    assert not is_class("http://a.test/Event")
    assert is_class("https://schema.org/Event")


def test_a_class_is_found_by_its_name() -> None:
    assert named("musicevent") == f"{S}MusicEvent"
    assert named("nothing") is None


@pytest.mark.parametrize(
    ("asked", "whole"),
    [
        ("schema:", S),
        ("https://schema.org/", S),
        ("foaf:", "http://xmlns.com/foaf/0.1/"),
        ("http://a.test/ns#", "http://a.test/ns#"),
        ("unknown:", None),
        ("schema:Person", None),
        ("Person", None),
        ("http://a.test/ns#Thing", None),
    ],
)
def test_a_vocabulary_is_told_by_its_prefix_or_namespace(asked: str, whole: str | None) -> None:
    assert namespace(asked) == whole


def test_schema_org_has_one_spelling() -> None:
    assert plain("https://schema.org/Person") == f"{S}Person" == plain(f"{S}Person")
