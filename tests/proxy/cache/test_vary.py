from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache.vary import selecting, varying

from .world import fields

LANGUAGES = st.lists(st.sampled_from(["en", "de;q=0.5", "fr"]), min_size=1)


def test_names_are_a_set() -> None:
    assert varying(fields({"Vary": ["B, a", "b"]})) == (b"a", b"b")


@given(LANGUAGES, st.randoms())
def test_the_order_of_languages_does_not_matter(languages: list[str], random: object) -> None:
    shuffled = sorted(languages, key=lambda _: random.random())  # type: ignore[attr-defined]  # a Random
    one = fields({"Accept-Language": ", ".join(languages)})
    other = fields({"accept-language": [each.upper() for each in shuffled]})
    assert selecting((b"accept-language",), one) == selecting((b"accept-language",), other)


def test_the_order_of_anything_else_does() -> None:
    assert selecting((b"x",), fields({"X": "1,2"})) != selecting((b"x",), fields({"X": "2,1"}))


def test_a_field_that_is_empty_is_not_one_that_is_missing() -> None:
    assert selecting((b"x",), fields({"X": ""})) != selecting((b"x",), fields({}))
