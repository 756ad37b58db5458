"""Texts of pages in the database, on both engines."""

from gossamer.frontier.texts import TextCounts, TextStore

from .worlds import World

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/%7C"


def test_texts_are_kept_replaced_and_told_apart(world: World) -> None:
    texts = TextStore(world.store())
    assert texts.keep({A: b"one", B: b"two", C: b""}) == {A, B}
    assert texts.keep({A: b"one", B: b"other", C: b""}) == {B}
    assert TextStore(world.store()).of([A, B, C]) == {A: b"one", B: b"other"}
    assert texts.keep({A: b"", B: b"other"}) == {A}
    assert texts.of([A]) == {}
    assert texts.of([]) == {}
    assert texts.keep({}) == frozenset()
    assert texts.counts() == TextCounts(1, 5)


def test_all_pages_with_a_text_are_walked(world: World) -> None:
    texts = TextStore(world.store())
    names = [f"{A}{number}" for number in range(25)]
    for name in names:
        texts.keep({name: b"x"})
    found, after = [], 0
    while some := texts.names_after(after, 10):
        found += [name for _, name in some]
        after = some[-1][0]
    assert found == names


def test_what_is_forgotten_is_gone(world: World) -> None:
    texts = TextStore(world.store())
    texts.keep({A: b"a", B: b"b"})
    texts.forget([A, C])
    texts.forget([])
    assert texts.of([A, B]) == {B: b"b"}
